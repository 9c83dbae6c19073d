/** The stop hooks of six agents: their inputs are read, and the answers are theirs. */
import {expect, test} from "vitest";
import {HOOK_FORMATS} from "../../../src/cli/hook/formats.ts";
import {HOOK_AGENTS} from "../../../src/record/agent-names.ts";
import {STOP_INPUTS} from "../../rig/stop-hooks.ts";

test.each(HOOK_AGENTS)("%s: the folder, the session and whether the hook held it before", (agent) => {
  const read = (isFirst: boolean) => HOOK_FORMATS[agent].read(STOP_INPUTS[agent]("/work", isFirst));
  expect(read(true)).toMatchObject({folder: "/work", session: expect.stringMatching(/^\w{3}/)});
  const isTold = agent !== "opencode" && agent !== "gemini";
  expect([read(true)?.isFirstStop, read(false)?.isFirstStop]).toEqual(isTold ? [true, false] : [null, null]);
});

test("gemini: `false` may come after a block, too, so only `true` counts", () => {
  const read = (flag: boolean) =>
    HOOK_FORMATS.gemini.read({...STOP_INPUTS.gemini("/work", true), stop_hook_active: flag})?.isFirstStop;
  expect([read(false), read(true)]).toEqual([null, false]);
});

test.each(HOOK_AGENTS)("%s: without a readable flag it is unknown whether the hook held it", (agent) => {
  for (const flag of [undefined, null, "true", 1]) {
    const input = {...STOP_INPUTS[agent]("/work", false), stop_hook_active: flag, loop_count: flag && String(flag)};
    expect(HOOK_FORMATS[agent].read(input)?.isFirstStop).toBeNull();
  }
});

test.each(HOOK_AGENTS)("%s: another event, an interrupted turn and nonsense are no stop", (agent) => {
  const {read} = HOOK_FORMATS[agent];
  const stop = STOP_INPUTS[agent]("/work", true);
  for (const input of [null, [], "x", {}, {...stop, hook_event_name: "PreToolUse", type: "message", stopReason: "x"}]) {
    expect(read(input)).toBeNull();
  }
  if (agent === "cursor") expect(read({...stop, status: "aborted"})).toBeNull();
});

test("the answers", () => {
  const answers = (decision: Parameters<(typeof HOOK_FORMATS)["claude"]["answer"]>[0]) =>
    Object.fromEntries(HOOK_AGENTS.map((agent) => [agent, HOOK_FORMATS[agent].answer(decision)]));
  const block = {decision: "block", reason: "fix it"};
  expect(answers({kind: "block", reason: "fix it"})).toEqual({
    claude: block,
    codex: block,
    cursor: {followup_message: "fix it"},
    gemini: {decision: "deny", reason: "fix it"},
    copilot: block,
    opencode: block,
  });
  const allowed = answers({kind: "allow", note: "not verified"});
  expect(allowed).toEqual({
    claude: {systemMessage: "not verified"},
    codex: {systemMessage: "not verified"},
    cursor: {},
    gemini: {decision: "allow", systemMessage: "not verified"},
    copilot: {},
    opencode: {note: "not verified"},
  });
});
