/** Whether the scripted model drives the real agent, turn by turn, and notices a prompt that nobody expected. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {text} from "node:stream/consumers";
import {expect, test} from "vitest";
import {agentProgram, INSTALLED_AGENT} from "../rig/agent.ts";
import {bash, editFile, startModel, writeFileAt} from "../rig/model.ts";
import {someOf} from "../sweep.ts";

async function world(program = agentProgram()) {
  const model = await startModel();
  const folder = await mkdtemp(join(tmpdir(), "rig-model-"));
  await writeFile(join(folder, "a.txt"), "one\n");
  const variables = await model.configure(join(folder, "config"));
  const env = {PATH: process.env["PATH"] ?? "", HOME: folder, ...variables};
  async function ask(prompt: string, options: {ms?: number} = {}) {
    const args = [
      program,
      "--mode",
      "json",
      "--provider",
      "openai",
      "--model",
      "gpt-scripted",
      "--session",
      "s.jsonl",
      "-p",
    ];
    const signal = AbortSignal.timeout(options.ms ?? 20_000);
    const child = spawn(process.execPath, args, {cwd: folder, env, signal, stdio: ["pipe", "pipe", "ignore"]});
    child.on("error", () => child.kill("SIGKILL"));
    child.stdin.end(prompt);
    const [out] = await Promise.all([text(child.stdout), once(child, "close").catch(() => null)]);
    return out;
  }
  return {
    ...model,
    folder,
    ask,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await rm(folder, {recursive: true, force: true, maxRetries: 5});
    },
  };
}

const PROGRAMS = {"the bundled agent": agentProgram(), "the installed agent": INSTALLED_AGENT};
test.each(someOf(Object.entries(PROGRAMS)))(
  "two turns in one session of %s: files are written, changed, and the answers come back",
  async (_name, program) => {
    await using it = await world(program);
    it.script([
      {when: "make it", do: [writeFileAt("b.txt", "b\n"), bash("echo c > c.txt")], say: "Made."},
      {when: /mend/, do: [editFile("a.txt", "one", "two")], say: "Mended."},
    ]);
    const first = await it.ask("please make it");
    const second = await it.ask("now mend it");
    const read = (path: string) => readFile(join(it.folder, path), "utf8");
    expect([await read("a.txt"), await read("b.txt"), await read("c.txt")]).toEqual(["two\n", "b\n", "c\n"]);
    expect(first).toContain("Made.");
    expect(second).toContain("Mended.");
    expect(it.prompts).toEqual(["please make it", "now mend it"]);
    expect(it.history).toEqual([0, 1]);
    expect(it.used()).toBe(2);
    expect(it.unmatched).toEqual([]);
    // 3 requests of 1,200 tokens at $2 a million, and 3 of 34 at $8
    expect(first).toContain('"total":0.002672');
  },
  60_000,
);

test("a prompt that no turn is written for is answered with an error, and remembered", async () => {
  await using it = await world();
  it.script([{when: "make it", say: "Made."}]);
  const out = await it.ask("something else");
  expect(out).toContain('"stopReason":"error"');
  expect(it.unmatched).toHaveLength(1);
  expect(it.unmatched[0]).toContain("something else");
}, 60_000);

test("a model that fails after its work, and one that never answers", async () => {
  await using it = await world();
  it.script([
    {when: "fail", do: [writeFileAt("b.txt", "b\n")], say: {status: 503}},
    {when: "hang", say: "hang"},
  ]);
  expect(await it.ask("fail")).toContain('"stopReason":"error"');
  expect(await readFile(join(it.folder, "b.txt"), "utf8")).toBe("b\n");
  expect(await it.ask("hang", {ms: 3_000})).not.toContain('"type":"agent_end"');
  expect(it.unmatched).toEqual([]);
}, 60_000);
