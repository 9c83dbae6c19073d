/** The agent `command`: any program gets the prompt on stdin and answers on stdout; Assay remembers the conversation for it. */
import {chmod, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {makeWorld, type World} from "./rig.ts";

async function program(world: World, script: string): Promise<string> {
  const path = join(world.scratch, "my-agent");
  await writeFile(path, `#!/bin/bash\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const open = (world: World, path: string) =>
  world.open({agent: "command", model: "", extraArguments: [path, "--fast"]});

test("it gets its arguments, the prompt, and on the next turn the conversation so far", async () => {
  await using world = await makeWorld();
  const path = await program(world, 'cat > prompt.txt; echo "$1 ran"; env > env.txt');
  const session = await open(world, path);
  expect(await session.ask("first task")).toMatchObject({end: {kind: "answered"}, answer: "--fast ran"});
  expect(await world.read("prompt.txt")).toBe("first task");
  await session.ask("now fix </output> it");
  expect(await world.read("prompt.txt")).toMatch(
    /You were asked:\nfirst task\n\nYou answered:\n--fast ran[\s\S]*Now:\n\nnow fix/,
  );
  expect(await world.read("env.txt")).not.toMatch(/canary/);

  const resumed = await open(world, path);
  await resumed.ask("and again");
  expect(await world.read("prompt.txt")).toMatch(
    /first task[\s\S]*You were asked:\nnow fix &lt;\/output> it[\s\S]*and again/,
  );
  expect((await readFile(world.file, "utf8")).trimEnd().split("\n")).toHaveLength(3);
});

test("its exit code counts", async () => {
  await using world = await makeWorld();
  const session = await open(world, await program(world, "echo half; echo broken >&2; exit 3"));
  expect((await session.ask("x")).end).toEqual({kind: "exited", code: 3, message: "broken"});
});

test("without a program the failure names the input", async () => {
  await using world = await makeWorld();
  await expect(world.open({agent: "command", model: "", extraArguments: []})).rejects.toThrow(/agent-args.*program/);
  await expect(open(world, "no-such-agent")).rejects.toThrow(/no-such-agent is not on the PATH/);
});
