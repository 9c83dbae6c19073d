/** An agent that puts links into its folders, or makes them read-only: Assay follows no link, and still writes there. */
import {chmod, mkdir, mkdtempDisposable, readdir, readFile, rm, stat, symlink, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, test} from "vitest";
import {claude} from "../../../src/agent/adapters/claude.ts";
import {codex} from "../../../src/agent/adapters/codex.ts";
import {copilot} from "../../../src/agent/adapters/copilot.ts";
import {gemini} from "../../../src/agent/adapters/gemini.ts";
import {emptyAgentFolder, readAgentFile, writeAgentFile} from "../../../src/agent/agent-files.ts";
import {openConversation} from "../../../src/agent/conversation.ts";
import {makeWorld} from "./rig.ts";

const SECRET = `${JSON.stringify({prompt: "p", answer: "outside-canary"})}\n`;

async function folders() {
  const root = await mkdtempDisposable(join(tmpdir(), "assay-links-"));
  const [agent, outside] = [join(root.path, "agent"), join(root.path, "outside")];
  await mkdir(agent);
  await mkdir(outside);
  await writeFile(join(outside, "secret"), SECRET);
  return {agent, outside, secret: join(outside, "secret"), [Symbol.asyncDispose]: root[Symbol.asyncDispose]};
}

test("a conversation that became a link is not read, and its target stays as it is", async () => {
  await using world = await makeWorld();
  await using place = await folders();
  const path = join(world.scratch, "my-agent");
  const plant = `ln -sf '${place.secret}' '${world.file}'; cat >> prompts.txt; echo answered`;
  await writeFile(path, `#!/bin/bash\n${plant}\n`, {mode: 0o755});
  const session = await world.open({agent: "command", model: "", extraArguments: [path]});
  await session.ask("one");
  expect(await readFile(place.secret, "utf8")).toBe(SECRET);
  await symlink(place.secret, `${world.file}.link`);
  expect(await readAgentFile(`${world.file}.link`)).toBe("");
  await session.ask("two");
  expect(await world.read("prompts.txt")).not.toContain("outside-canary");
});

test("a conversation of the agent's own folder is not a link to another file, nor in a linked folder", async () => {
  await using place = await folders();
  const file = join(place.agent, "session.jsonl");
  await symlink(place.secret, join(place.agent, "c-one.jsonl"));
  await symlink(place.outside, join(place.agent, "c-folder"));
  const conversation = openConversation({
    store: {kind: "folder", root: "", place: () => null, pattern: () => /^c-/},
    ...{file, folder: place.agent, configFolder: place.agent, runAgent: async () => null},
  });
  await conversation.keep({id: "conversation-one", prompt: "", answer: ""});
  expect(await readAgentFile(file)).toBe("");
  await writeFile(join(place.agent, "c-two.jsonl"), "the conversation\n");
  await symlink(place.secret, file);
  await conversation.keep({id: "conversation-one", prompt: "", answer: ""});
  expect(await readFile(file, "utf8")).toBe("the conversation\n");
  expect(await readFile(place.secret, "utf8")).toBe(SECRET);
});

test.each([claude, codex, gemini, copilot])(
  "$name: an id that is a pattern matches no other conversation",
  async (adapter) => {
    await using place = await folders();
    const file = join(place.agent, "session.jsonl");
    const files = [
      "projects/x/other-id.jsonl",
      "sessions/2026/01/01/rollout-2026-other-id.jsonl",
      ".gemini/tmp/x/chats/session-2026-other-id.jsonl",
      "session-state/other-id/events.jsonl",
    ];
    for (const path of files.map((name) => join(place.agent, name))) {
      await mkdir(dirname(path), {recursive: true});
      await writeFile(path, "another conversation\n");
    }
    const conversation = openConversation({
      store: adapter.conversation,
      ...{file, folder: place.agent, configFolder: place.agent, runAgent: async () => null},
    });
    await conversation.keep({id: "other-id", prompt: "", answer: ""});
    expect(await readAgentFile(file)).toBe("another conversation\n");
    await writeAgentFile(place.agent, file, "");
    for (const id of [".*", "(.+)+", "other-i.", "[^/]*"]) await conversation.keep({id, prompt: "", answer: ""});
    expect(await readAgentFile(file)).toBe("");
  },
);

test("a setting is written in the place of a linked file or folder", async () => {
  await using place = await folders();
  await symlink(place.outside, join(place.agent, "settings"));
  await writeAgentFile(place.agent, join(place.agent, "settings/secret"), "new", 0o755);
  await symlink(place.secret, join(place.agent, "flat"));
  await writeAgentFile(place.agent, join(place.agent, "flat"), "new");
  expect(await readFile(place.secret, "utf8")).toBe(SECRET);
  expect(await readFile(join(place.agent, "settings/secret"), "utf8")).toBe("new");
});

test("a configuration folder is emptied without its links being followed", async () => {
  await using place = await folders();
  const config = join(place.agent, "config");
  await mkdir(join(config, "state/kept"), {recursive: true});
  await writeFile(join(config, "state/kept/one"), "");
  await writeFile(join(config, "state/other"), "");
  await symlink(place.outside, join(config, "linked"));
  await emptyAgentFolder(config, "state/kept");
  expect(await readdir(config, {recursive: true})).toEqual(["state", "state/kept", "state/kept/one"]);
  await rm(join(config, "state"), {recursive: true});
  await symlink(place.outside, join(config, "state"));
  await emptyAgentFolder(config, "state/kept");
  await rm(config, {recursive: true});
  await symlink(place.outside, config);
  await emptyAgentFolder(config, "secret");
  expect(await readdir(config)).toEqual([]);
  expect(await readFile(place.secret, "utf8")).toBe(SECRET);
});

test("folders that the agent made read-only are writable again, and their links are not followed", async () => {
  await using place = await folders();
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const config = join(place.agent, "config");
  await mkdir(join(config, "state/kept"), {recursive: true});
  await mkdir(join(config, "other"));
  await symlink(place.outside, join(config, "linked"));
  await chmod(place.outside, 0o500);
  for (const name of ["other", "state", "."]) await chmod(join(config, name), 0o500);
  await emptyAgentFolder(config, "state/kept");
  for (const name of [".", "state"]) expect(await modeOf(join(config, name))).toBe(0o700);
  expect(await readdir(config)).toEqual(["state"]);

  await chmod(config, 0o500);
  await writeAgentFile(config, join(config, "settings"), "new");
  expect(await modeOf(config)).toBe(0o700);
  expect(await modeOf(place.outside)).toBe(0o500);
});

test("a session whose folders cannot be written fails before the agent starts", async () => {
  await using world = await makeWorld();
  const file = join(world.folder, "file");
  await writeFile(file, "");
  const opening = world.open({file: join(file, "deeper/session.jsonl")});
  // Not even root can write below a file.
  await expect(opening).rejects.toThrow(/"agent-broke".*"not-started".*could not be prepared/);
});
