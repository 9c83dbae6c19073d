/** The real pi against a scripted model: turns of one session, and every way in which a turn can break. */
import {mkdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {everyNth} from "../../sweep.ts";
import {CALL, KEY, makeWorld, processesWith, type World} from "./rig.ts";

const call = (name: string, input: object) => ({
  content: "Working.",
  toolCalls: [{name, arguments: JSON.stringify(input)}],
  usage: CALL,
});

test("a second turn goes on in the same session, with what was said before", async () => {
  await using world = await makeWorld();
  world.model.on(
    {userMessage: "make it", hasToolResult: false},
    call("write", {path: "sum.ts", content: "export const sum = 3;\n"}),
  );
  world.model.on({userMessage: "make it", hasToolResult: true}, {content: "Made sum.ts.", usage: CALL});
  world.model.on(
    {userMessage: "put it right", hasToolResult: false},
    call("edit", {path: "sum.ts", edits: [{oldText: "3", newText: "4"}]}),
  );
  world.model.on({userMessage: "put it right", hasToolResult: true}, {content: "It is 4 now.", usage: CALL});
  const progress: string[] = [];
  const session = await world.open({onProgress: (line) => progress.push(line)});

  const first = await session.ask("please make it");
  expect(first).toMatchObject({end: {kind: "answered"}, answer: "Made sum.ts.", model: "openai/gpt-5-mini"});
  expect(first.usage).toMatchObject({input: 2400, output: 68});
  expect(first.usage.costUsd).toBeCloseTo((2400 * 0.25 + 68 * 2) / 1e6, 9);
  expect(await world.read("sum.ts")).toBe("export const sum = 3;\n");

  const second = await session.ask("now put it right");
  expect(second).toMatchObject({end: {kind: "answered"}, answer: "It is 4 now.", usage: {input: 2400, output: 68}});
  expect(await world.read("sum.ts")).toBe("export const sum = 4;\n");
  expect(progress).toEqual(["write sum.ts", "edit sum.ts"]);

  const last = JSON.stringify(world.model.getLastRequest()?.body);
  expect(last.indexOf("please make it")).toBeGreaterThan(-1);
  expect(last.indexOf("now put it right")).toBeGreaterThan(last.indexOf("please make it"));
  expect(await readFile(session.file, "utf8")).toContain("It is 4 now.");
});

test("a session made in a folder that is gone is gone on with in this one", async () => {
  await using world = await makeWorld();
  world.model.on({userMessage: "first words"}, {content: "Noted."});
  world.model.on({userMessage: "where are we", hasToolResult: false}, call("bash", {command: "pwd"}));
  world.model.on({userMessage: "where are we", hasToolResult: true}, {content: "Here."});
  const before = await world.open();
  await before.ask("first words");
  const [header = "", ...entries] = (await readFile(world.file, "utf8")).split("\n");
  expect(JSON.parse(header)).toMatchObject({cwd: world.folder});
  await writeFile(world.file, [JSON.stringify({...JSON.parse(header), cwd: "/gone/away"}), ...entries].join("\n"));

  const turn = await (await world.open()).ask("where are we");
  expect(turn.end).toEqual({kind: "answered"});
  expect(JSON.stringify(world.model.getLastRequest()?.body)).toContain(world.folder);
  expect(JSON.stringify(world.model.getLastRequest()?.body)).toContain("first words");
});

const PROMPTS = [
  ["a dash", "--help -x me"],
  ["an at sign", "@package.json please"],
  ["a slash", "/help me"],
  ["shell", "`id` $(id) ${HOME} \"q\" 'q' \\ ; | & >"],
  ["line ends", "a\r\nb\r\n\r\nc"],
  ["emoji and other scripts", "🙂 👩‍👩‍👧 日本語 \u2028 end"],
  ["200 kB", `start ${"é x".repeat(50_000)} end`],
] as const;
test.each(everyNth(PROMPTS, 3))("a prompt with %s arrives as it is", async (_, prompt) => {
  await using world = await makeWorld();
  // The mock's own journal is cut at 64 kB.
  let asked = "";
  const predicate = (request: object) => {
    asked = JSON.stringify(request);
    return true;
  };
  world.model.on({predicate}, {content: "Yes."});
  const turn = await (await world.open()).ask(prompt);
  expect(turn).toMatchObject({end: {kind: "answered"}, answer: "Yes."});
  expect(asked.includes(JSON.stringify(prompt.trim()).slice(1, -1))).toBe(true);
});

test("a model that fails is a broken turn, although pi exits with 0", async () => {
  await using world = await makeWorld();
  const settings = {retry: {enabled: false}};
  const turn = await (await world.open({configFolder: await ownConfig(world, settings)})).ask("nobody answers this");
  expect(turn.end.kind).toBe("model-failed");
  expect(turn.end).toMatchObject({message: expect.stringMatching(/503|no fixture/i)});
  expect(turn.answer).toBe("");
});

test("an agent that is killed by a signal is told from one that answered", async () => {
  await using world = await makeWorld();
  world.model.on({hasToolResult: false}, call("bash", {command: "kill -TERM $PPID; sleep 5"}));
  const turn = await (await world.open()).ask("end yourself");
  expect(turn.end).toEqual({kind: "killed", signal: "SIGTERM"});
});

test("a model that never answers costs no more than the limit", async () => {
  await using world = await makeWorld();
  world.model.on({userMessage: "take your time"}, {content: "Late."}, {latency: 60_000});
  const start = performance.now();
  const turn = await (await world.open({timeoutMs: () => 3_000})).ask("take your time");
  expect(turn.end).toEqual({kind: "timed-out", afterMs: 3_000});
  expect(performance.now() - start).toBeLessThan(50_000);
});

test("a tool in full run is gone with the agent, and the session can be gone on with", async () => {
  await using world = await makeWorld();
  const mark = "assay-mark-31337";
  const command = `export MARK=${mark}; (trap '' TERM; setsid sleep 611 & sleep 612 & sleep 613); sleep 614`;
  world.model.on({userMessage: "run long", hasToolResult: false}, call("bash", {command}));
  world.model.on({userMessage: "go on"}, {content: "On we go."});
  const stop = new AbortController();
  const turn = (await world.open({signal: stop.signal})).ask("run long");
  const count = async () => (await processesWith(mark)).length;
  await expect.poll(count, {timeout: 100_000, interval: 50}).toBeGreaterThanOrEqual(4);
  stop.abort();
  expect((await turn).end).toEqual({kind: "cancelled"});
  expect(await processesWith(mark)).toEqual([]);
  expect(await (await world.open()).ask("go on")).toMatchObject({end: {kind: "answered"}, answer: "On we go."});
});

test("no token and no other key reaches the agent, and no key at all reaches its tools", async () => {
  await using world = await makeWorld();
  world.model.on({hasToolResult: false}, call("bash", {command: "env | tee env.txt"}));
  world.model.on({hasToolResult: true}, {content: "Seen."});
  expect((await (await world.open()).ask("look around")).end).toEqual({kind: "answered"});
  const seen = await world.read("env.txt");
  expect(seen).toContain("PI_OFFLINE=1");
  expect(seen).not.toContain("canary");
  expect(seen).not.toMatch(/^(GITHUB|ACTIONS|RUNNER|INPUT)_/m);
  expect(world.heard()).not.toContain(KEY);
});

test("the checkout's own pi settings start no program, but its AGENTS.md is read", async () => {
  await using world = await makeWorld();
  world.model.on({userMessage: "hello"}, {content: "Hello."});
  await mkdir(join(world.folder, ".pi", "extensions"), {recursive: true});
  const evil = `import {writeFileSync} from "node:fs";\nwriteFileSync(${JSON.stringify(join(world.folder, "owned"))}, "");\nexport default () => {};\n`;
  await writeFile(join(world.folder, ".pi", "extensions", "evil.ts"), evil);
  const npmCommand = ["sh", "-c", `touch ${join(world.folder, "owned")}`];
  await writeFile(
    join(world.folder, ".pi", "settings.json"),
    JSON.stringify({packages: ["npm:left-pad", "git:127.0.0.1/x"], extensions: ["./extensions/evil.ts"], npmCommand}),
  );
  await writeFile(join(world.folder, "AGENTS.md"), "Always be kind to tests.");
  expect((await (await world.open()).ask("hello")).end).toEqual({kind: "answered"});
  await expect(world.read("owned")).rejects.toThrow("ENOENT");
  expect(world.heard()).toContain("Always be kind to tests.");
});

const ended = (stopReason: string) =>
  `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Hm."}],"stopReason":"${stopReason}"}}`;

test.each(
  everyNth(
    [
      [
        "an answer, but exit 3",
        `echo '${ended("stop")}'; echo why >&2; exit 3`,
        {kind: "exited", code: 3, message: "why"},
      ],
      ["a failed model, and exit 1", `echo '${ended("error")}'; exit 1`, {kind: "model-failed"}],
      ["exit 0 and no word", "exit 0", {kind: "no-answer"}],
      ["exit 0 and no JSON", "echo 'all done'; echo '{\"type\":'", {kind: "no-answer"}],
      ["a last line without its end", `printf '%s' '${ended("stop")}'`, {kind: "answered"}],
      ["exit 0, prompt unread", `exec <&-; echo '${ended("stop")}'`, {kind: "answered"}],
      ["killed hard", "kill -KILL $$", {kind: "killed", signal: "SIGKILL"}],
    ],
    2,
  ),
)("whatever pi there is on the PATH: %s", async (_, script, end) => {
  await using world = await makeWorld();
  const bin = join(world.scratch, "bin");
  await mkdir(bin, {recursive: true});
  await writeFile(join(bin, "pi"), `#!/bin/sh\n${script}\n`, {mode: 0o755});
  const session = await world.open({variables: {PATH: `${bin}:/usr/bin:/bin`, OPENAI_API_KEY: KEY}});
  expect((await session.ask("x".repeat(300_000))).end).toMatchObject(end);
});

const SPY = [
  'echo "$GOOGLE_GEMINI_BASE_URL $*" >> seen.txt; (cd "$GEMINI_CLI_HOME"; find . -type f | sort; cat .gemini/settings.json) >> seen.txt; echo "@" >> seen.txt',
  `cd "$GEMINI_CLI_HOME/.gemini"; echo '{"mcpServers":{"evil":{}}}' > settings.json; touch trustedFolders.json ../evil.sh`,
  "mkdir -p extensions/evil tmp/work/chats; touch tmp/work/chats/one",
  `echo '{"type":"message","role":"assistant","content":"ok"}'; echo '{"type":"result","status":"success"}'`,
].join("\n");

test("each turn and session has the settings of the first, with the conversations of those before", async () => {
  await using world = await makeWorld();
  const bin = join(world.scratch, "bin");
  await mkdir(bin, {recursive: true});
  await writeFile(join(bin, "gemini"), `#!/bin/sh\n${SPY}\n`, {mode: 0o755});
  const open = () =>
    world.open({agent: "gemini", model: "", variables: {PATH: `${bin}:/usr/bin:/bin`, GEMINI_API_KEY: KEY}});
  const session = await open();
  for (const one of [session, session, await open()]) expect((await one.ask("work")).end).toEqual({kind: "answered"});
  const [first = "", ...later] = (await world.read("seen.txt")).split("@\n").slice(0, -1);
  expect(first).toMatch(/^https:\/\/generativelanguage.googleapis.com .*--allowed-mcp-server-names none-/);
  expect(first).toContain('"hooksConfig":{"enabled":false}');
  expect(later.map((text) => text.replace("./.gemini/tmp/work/chats/one\n", ""))).toEqual([first, first]);
  expect(later[0]).toContain("chats/one");
});

test("an unknown model is an exit with pi's own words", async () => {
  await using world = await makeWorld();
  const turn = await (await world.open({model: "nobody/knows", provider: "nobody"})).ask("x");
  expect(turn.end).toMatchObject({kind: "exited", code: 1, message: expect.stringContaining("nobody")});
});

test("without a key nothing is started", async () => {
  await using world = await makeWorld();
  const missing = {kind: "missing-key", provider: "anthropic", variable: "ANTHROPIC_API_KEY"};
  const variables = {PATH: "/nowhere"};
  await expect(world.open({variables, provider: "anthropic", model: ""})).rejects.toThrow(JSON.stringify(missing));
});

/** A config folder of the owner's, with the scripted model in it. */
async function ownConfig({scratch, model}: World, settings: object): Promise<string> {
  const folder = join(scratch, "owner");
  await mkdir(folder, {recursive: true});
  const providers = {openai: {baseUrl: `${model.url}/v1`}};
  await writeFile(join(folder, "models.json"), JSON.stringify({providers}));
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings));
  return folder;
}
