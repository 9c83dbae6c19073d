/** `assay hook`: an agent is held only for failures that it can fix, not for ever, and not for long if nothing changed. */
import {spawn} from "node:child_process";
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {HOOK_AGENTS, type HookAgent} from "../../src/record/agent-names.ts";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {STOP_INPUTS} from "../rig/stop-hooks.ts";
import {isSweep, someOf} from "../sweep.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const WRONG = {"src/product.js": PRODUCT_FILES.wrong, "tests/product.test.js": PRODUCT_FILES.test};

const OTHER_TEST = [
  'import assert from "node:assert/strict";',
  'import {test} from "node:test";',
  'import {sum} from "../src/sum.js";',
  'test("sums other numbers", () => assert.equal(sum(2, 2), 4));',
  "",
].join("\n");

function project(verify: Record<string, unknown> = {}): string {
  const files = Object.entries(plain({verify})).map(([path, content]) => [path, String(content)]);
  const folder = repositoryOf(Object.fromEntries(files));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

/** What the hook answers, and how long that takes. */
async function stop(
  folder: string,
  options: {agent?: HookAgent; isFirst?: boolean; args?: string[]; input?: string} = {},
) {
  const {agent = "claude", isFirst = true, args = []} = options;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [CLI, "hook", "--agent", agent, ...args], {cwd: "/"});
  child.stdin.end(options.input ?? JSON.stringify(STOP_INPUTS[agent](folder, isFirst)));
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const status = await new Promise((resolve) => child.on("close", resolve));
  const answer: unknown = JSON.parse(stdout);
  return {status, answer, stderr, ms: performance.now() - startedAt};
}

test("a failing test holds the agent with the failure as the reason, committed or not; the fix frees it, and the same work is not verified again", async () => {
  const folder = project();
  const git = gitIn(folder);
  expect(await stop(folder)).toMatchObject({status: 0, answer: {}});
  // An agent that breaks verify.json is not let go for it.
  put(folder, {...WRONG, "verify.json": '{"onFailure": "keep"}'});
  git("add", "--all");
  git("commit", "-qm", "Multiply");
  const reason = expect.stringMatching(/### test: [\s\S]*products multiply/);
  expect(await stop(folder)).toMatchObject({status: 0, answer: {decision: "block", reason}});
  put(folder, {"src/product.js": PRODUCT_FILES.right});
  const verified = await stop(folder, {isFirst: false});
  // The change of verify.json is shown to the person.
  expect(verified.answer).toEqual({systemMessage: expect.stringContaining("verify.json: `onFailure` checks less")});
  git("commit", "-qam", "Multiply right");
  const again = [await stop(folder), await stop(folder), await stop(folder)];
  expect(again.map(({answer}) => answer)).toEqual([{}, {}, {}]);
  // A verification takes more than a second, and the answer to an unchanged tree about 0.1 s.
  expect(Math.min(...again.map(({ms}) => ms))).toBeLessThan(verified.ms / 2);
  expect(git("status", "--porcelain")).toBe("");
});

if (isSweep)
  test("after three fixes that do not help, the agent may stop; a new prompt counts anew", async () => {
    const folder = project();
    put(folder, WRONG);
    const decisions = [];
    for (const isFirst of [true, false, false, false, true]) {
      const {answer} = await stop(folder, {isFirst});
      decisions.push(JSON.stringify(answer).includes('"decision":"block"'));
    }
    expect(decisions).toEqual([true, true, true, false, true]);
  });

test.each(someOf(["constructor", "__proto__"], 1))(
  "after three fixes an agent that does not tell of the hook may stop, in a session called %s",
  async (session_id) => {
    const folder = project({stages: [{name: "test", command: "test ! -e src/product.js", kind: "test"}]});
    put(folder, WRONG);
    const input = JSON.stringify({hook_event_name: "Stop", session_id, cwd: folder});
    const decisions = [];
    for (let at = 0; at < 4; at += 1) decisions.push((await stop(folder, {input})).answer);
    const held = {decision: "block"};
    expect(decisions).toMatchObject([
      held,
      held,
      held,
      {systemMessage: expect.stringContaining("not checked again after 3 attempts")},
    ]);
  },
);

test.each(someOf(HOOK_AGENTS))("%s is never held where nothing can be verified", async (agent) => {
  const isHeld = async (folder: string) => /block|deny|followup/.test(JSON.stringify(await stop(folder, {agent})));
  const noStages = project({stages: []});
  put(noStages, WRONG);
  expect(await isHeld(noStages)).toBe(false);
  const mistake = project({stages: "none"});
  put(mistake, WRONG);
  expect(await isHeld(mistake)).toBe(false);
});

test.each(someOf(HOOK_AGENTS, 1))(
  "%s is held for a skipped test that hides a fault, and told of a flag",
  async (agent) => {
    const folder = project();
    const skipped = String(plain()["tests/sum.test.js"]).replace('test("', 'test.skip("');
    put(folder, {"src/sum.js": "export const sum = (one, other) => one - other;\n", "tests/sum.test.js": skipped});
    put(folder, {"tests/other.test.js": 'import {test} from "node:test";\ntest("nothing", () => {});\n'});
    const held = JSON.stringify((await stop(folder, {agent})).answer);
    expect(held).toMatch(/"(?:block|deny)"|followup_message/);
    expect(held).toMatch(/take these back[\s\S]*tests\/sum\.test\.js/);
    gitIn(folder)("checkout", "-q", "tests/sum.test.js", "src/sum.js");
    put(folder, {"tests/other.test.js": OTHER_TEST});
    gitIn(folder)("add", "--all");
    gitIn(folder)("commit", "-qm", "Test more");
    put(folder, {"tests/other.test.js": OTHER_TEST.replace("equal(sum(2, 2), 4)", "ok(sum(2, 2) > 0)")});
    const told = await stop(folder, {agent, args: ["--base", "HEAD"]});
    expect(JSON.stringify(told.answer) + told.stderr).toMatch(/verified, with warnings.*tests\/other\.test\.js/);
    expect(JSON.stringify(told.answer)).not.toMatch(/"(?:block|deny)"|followup_message/);
  },
);

test("a missing tool, a slow verification, another event and a folder without a repository do not hold it", async () => {
  const missing = project({stages: [{name: "test", command: "no-such-tool-anywhere", kind: "test"}]});
  put(missing, WRONG);
  expect((await stop(missing)).answer).toMatchObject({
    systemMessage: expect.stringMatching(/^Assay: .*Run `assay verify` to see why/),
  });
  const slow = project({stages: [{name: "test", command: "sleep 60", kind: "test"}]});
  put(slow, WRONG);
  expect((await stop(slow, {args: ["--timeout", "2"]})).answer).not.toHaveProperty("decision");
  expect((await stop(slow, {input: "no JSON"})).answer).toEqual({});
  expect((await stop("/")).answer).toEqual({});
});

test("`init --agent` writes the setting, and leaves an existing file as it is", () => {
  const folder = project();
  const {stdout} = assay(folder, ["init", "--agent", "claude"]);
  expect(stdout).toContain("wrote .claude/settings.json");
  const again = assay(folder, ["init", "--agent", "claude"]);
  expect(again.stdout).toMatch(/kept \.claude\/settings\.json[\s\S]*has the hook already/);
  put(folder, {".claude/settings.json": "{}\n"});
  const other = assay(folder, ["init", "--agent", "claude"]);
  expect(other.stdout).toMatch(/kept \.claude\/settings\.json[\s\S]*Add this[\s\S]*assay hook --agent claude/);
  for (const agent of someOf(HOOK_AGENTS)) {
    expect(assay(folder, ["init", "--agent", agent, "--json"]).stdout).toMatch(/"schema": "assay.init\/1"/);
  }
});
