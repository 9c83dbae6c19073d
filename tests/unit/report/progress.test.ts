/** The comment of a run in progress: what it says at each step of a run with a failure and its fix. */
import {expect, test} from "vitest";
import type {RunEvent} from "../../../src/record/events.ts";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {isProgress} from "../../../src/report/live.ts";
import {renderLiveProgress} from "../../../src/report/progress.ts";
import {advance, startProgress} from "../../../src/report/progress-state.ts";
import {plannedStage} from "../../rig/plans.ts";
import {attempt, stage, turn} from "./records.ts";

const SECOND_MS = 1_000;
const paid = (costUsd: number) => ({...NO_USAGE, costUsd});
const starts = (name: string, index: number): RunEvent => ({
  kind: "stage-started",
  stage: plannedStage({name}),
  index,
  of: 2,
});

/** The text after each event, one second apart. */
function textsOf(events: readonly RunEvent[]): string[] {
  let state = startProgress(0);
  return events.map((event, at) => {
    state = advance(state, event, at * SECOND_MS);
    const shown = renderLiveProgress({
      state,
      nowMs: at * SECOND_MS + 500,
      marker: {run: "comment-1", session: null},
      runUrl: "https://github.com/ada/demo/actions/runs/1",
    });
    expect(isProgress(shown)).toBe(true);
    return shown.split("\n").slice(1).join("\n");
  });
}

const FAILED = stage({name: "test", outcome: "failed", tests: {passed: 1, failed: 1, skipped: 0}, durationMs: 1_200});
const RUN: RunEvent[] = [
  {kind: "planned", stages: [plannedStage({name: "lint"}), plannedStage({name: "test"})], maxAttempts: 3},
  {kind: "turn-started", attempt: 1, prompt: "", reason: "task"},
  {kind: "setup-started", command: "npm ci"},
  {kind: "agent-acted", line: "read README.md", usage: paid(0.01)},
  {kind: "agent-acted", line: "write src/a.js", usage: paid(0.02)},
  {kind: "setup-finished", result: stage()},
  {kind: "turn-finished", attempt: 1, turn: turn({durationMs: 43_000, usage: paid(0.03)})},
  starts("lint", 1),
  {kind: "stage-finished", result: stage({name: "lint", outcome: "passed", durationMs: 400}), index: 1, of: 2},
  starts("test", 2),
  {kind: "stage-finished", result: FAILED, index: 2, of: 2},
  {kind: "attempt-finished", attempt: attempt({verdict: {kind: "failed", stages: ["test"]}})},
  {kind: "turn-started", attempt: 2, prompt: "", reason: "failure"},
  {kind: "agent-acted", line: "edit src/a.js", usage: paid(0.01)},
];

test("the agent's turn: last tool call, files, cost and the install next to it", () => {
  const texts = textsOf(RUN);
  expect(
    texts[4],
  ).toBe(`⏳ **Attempt 1 of 3: the agent is working** · 5 s · $0.02 · [log](https://github.com/ada/demo/actions/runs/1)

- [x] Read the request, and found 2 checks
- [ ] Attempt 1: agent · 4 s · $0.02 · 1 file edited
  - Now: \`write src/a.js\`
  - Edited: \`src/a.js\`
  - ⏳ \`npm ci\`
- [ ] Save the result
`);
});

test("the checks: finished ones with their results, the running one without", () => {
  const texts = textsOf(RUN);
  expect(texts[9]).toContain("⏳ **Attempt 1 of 3: 1 of 2 checks finished** · 10 s · $0.03 · ");
  expect(texts[9]).toContain(`- [x] Attempt 1: agent · 43 s · $0.03 · 1 file edited
- [ ] Attempt 1: checks, 1 of 2
  - ✅ lint: passed, no test was counted · 0.4 s
  - ⏳ test
- [ ] Save the result`);
});

test("the next attempt names what it fixes, and the earlier one is short", () => {
  const text = textsOf(RUN).at(-1);
  expect(text).toContain("**Attempt 2 of 3: the agent is fixing `test`** · 14 s · $0.04");
  expect(text).toContain(
    "- [x] Attempt 1: checks failed: `test`\n- [ ] Attempt 2: agent · 2 s · $0.01 · 1 file edited\n",
  );
});

test.each([
  ["objection", "the agent answers the objections of a second model"],
  ["tests", "the agent adds tests for faults that no test notices"],
] as const)("a turn after a pass names its reason: %s", (reason, words) => {
  const [text] = textsOf([{kind: "turn-started", attempt: 2, prompt: "", reason}]);
  expect(text).toContain(`**Attempt 2: ${words}** · `);
});

test("without an agent there are no attempts, and a stage that runs again has one row", () => {
  const events: RunEvent[] = [
    {kind: "planned", stages: [plannedStage({name: "test"})]},
    starts("test", 1),
    {kind: "stage-finished", result: FAILED, index: 1, of: 1},
    starts("test", 1),
  ];
  const texts = textsOf(events);
  expect(texts[1]).toContain("**0 of 2 checks finished**");
  expect(texts[3]).toContain("- [ ] Checks, 0 of 2\n  - ⏳ test\n");
});

test("hundreds of files and stages stay short", () => {
  const many = Array.from({length: 500}, (_, at) => at);
  const acts = many.map((at): RunEvent => ({kind: "agent-acted", line: `write src/${at}.js`, usage: NO_USAGE}));
  const stages = many.map((at) => starts(`stage ${at}`, at));
  const texts = textsOf([...RUN.slice(0, 2), ...acts, RUN[6] ?? starts("", 1), ...stages]);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(2_000);
  expect(texts.at(-1)).toContain("470 earlier checks not shown");
});
