/** Each kind of text that Assay writes into a thread or a job summary, from the product's own renderers. */
import {createHash} from "node:crypto";
import type {RunEvent} from "../../src/record/events.ts";
import type {Verdict} from "../../src/record/verification.ts";
import {renderHelp, renderStatus, renderStopped, renderUnknown} from "../../src/report/answers.ts";
import {renderJobProgress} from "../../src/report/job-progress.ts";
import {renderRefusal} from "../../src/report/live.ts";
import {renderReport, renderSummary} from "../../src/report/markdown.ts";
import {renderLiveProgress} from "../../src/report/progress.ts";
import {advance, startProgress} from "../../src/report/progress-state.ts";
import {renderPullRequest} from "../../src/report/pull-request.ts";
import {REFUSAL_LINES} from "../../src/request/admission.ts";
import {DEFAULT_PHRASE} from "../../src/request/default-phrase.ts";
import {plannedStage, planWith} from "../rig/plans.ts";
import {attempt, lint, record, stage, turn, typecheck} from "../unit/report/records.ts";
import {SCENES} from "../unit/report/scenes.ts";
import type {Surface} from "./page.ts";

const marker = {run: "comment-1", session: null};
const runUrl = "https://github.com/octo/parser/actions/runs/77";

/** The hand-written records have ids like `eeee…`, which no reader would see. */
const withRealIds = (markdown: string) =>
  markdown.replaceAll(/\b([0-9a-f])\1{11,39}\b/g, (id, digit: string) =>
    createHash("sha1").update(digit).digest("hex").slice(0, id.length),
  );

export const comment = (markdown: string): Surface => ({
  header: "<b>github-actions</b> [bot] commented now",
  markdown: withRealIds(markdown),
  isComment: true,
});
const summary = (markdown: string): Surface => ({
  header: "<b>assay</b> summary",
  markdown: withRealIds(markdown),
  isComment: false,
});

export function scene(name: string) {
  const shown = SCENES[name];
  if (shown === undefined) throw new Error(`no scene ${name}`);
  return shown;
}

const oldFailure = {
  tool: "vitest",
  ...{file: "tests/date.test.ts", path: "tests/date.test.ts", line: 8, testId: "date > reads a leap day"},
  message: "expected 2024-02-28 to be 2024-02-29",
  severity: "error" as const,
};
const failsOnBase = stage({
  outcome: "failed",
  failureKind: "code",
  reason: "exit code 1",
  exit: {kind: "exited", code: 1},
  tests: {passed: 41, failed: 1, skipped: 1},
  diagnostics: [oldFailure],
  baseline: {outcome: "pre-existing", new: [], preexisting: [oldFailure], fixed: 0, why: ""},
});
const published = scene("verified-first-try").publication;

const preexisting = record({
  publication: published,
  attempts: [
    attempt({
      stages: [typecheck, lint, failsOnBase],
      verdict: {kind: "verified-with-preexisting", stages: ["test"]},
    }),
  ],
});
const missingKey = record({
  attempts: [],
  session: null,
  verdict: {kind: "unverified", why: "gate-error", detail: ""},
  failures: [{kind: "missing-key", provider: "anthropic", variable: "ANTHROPIC_API_KEY"}],
});
const firstReport = record({
  publication: {...published, ...(published.kind === "published" && {workflows: "wait-for-approval" as const})},
  plan: planWith(
    {name: "typecheck", kind: "typecheck", command: "npx --no-install tsc --noEmit"},
    {command: "npm test"},
  ),
  showsPlan: true,
});

/** The body of a pull request is written before it has a number. */
const unnumbered = record({
  ...scene("fixed-on-second-attempt"),
  ...(published.kind === "published" && {publication: {...published, pullRequest: null}}),
});

/** The verdict of each picture, so that none can be forgotten. */
const VERDICT_PICTURES = {
  verified: "verified",
  "verified-with-preexisting": "preexisting",
  partial: "partial",
  failed: "failed",
  tampered: "tampered",
  unverified: "unverified",
  "nothing-to-verify": "nothing",
} satisfies Record<Verdict["kind"], string>;
export const VERDICTS_SHOWN = Object.values(VERDICT_PICTURES);

const starts = (name: string, index: number): RunEvent => ({
  kind: "stage-started",
  ...{stage: plannedStage({name}), index, of: 3},
});
const failedOnce = scene("parked-failed").attempts[0] ?? attempt();
const usage = turn().usage;
const AGENT_EVENTS: readonly RunEvent[] = [
  {kind: "planned", stages: ["typecheck", "lint", "test"].map((name) => plannedStage({name})), maxAttempts: 3},
  {kind: "turn-started", attempt: 1, prompt: "", reason: "task"},
  {kind: "setup-started", command: "npm ci --ignore-scripts --no-audit --no-fund"},
  {kind: "agent-acted", line: "write packages/parser/src/internal/tokens/read-quoted-value.ts", usage},
];
const CHECK_EVENTS: readonly RunEvent[] = [
  ...AGENT_EVENTS,
  {kind: "setup-finished", result: stage()},
  {kind: "turn-finished", attempt: 1, turn: turn()},
  starts("test", 3),
  {kind: "stage-finished", result: failsOnBase, index: 3, of: 3},
  {kind: "attempt-finished", attempt: failedOnce},
  {kind: "turn-started", attempt: 2, prompt: "", reason: "failure"},
  {kind: "agent-acted", line: "edit src/parse.ts", usage},
  {kind: "turn-finished", attempt: 2, turn: turn({durationMs: 31_000})},
  starts("typecheck", 1),
  {kind: "stage-finished", result: typecheck, index: 1, of: 3},
  starts("lint", 2),
  starts("test", 3),
];

function progressAfter(events: readonly RunEvent[]): Surface {
  let state = startProgress(0);
  for (const event of events) state = advance(state, event, 20_000);
  return comment(renderLiveProgress({state, nowMs: 64_000, marker, runUrl}));
}

const report = (name: string) => comment(renderReport(scene(name)));

/** The pictures, by their file name. */
export const REPORTS: Readonly<Record<string, Surface>> = {
  "in-progress-agent": progressAfter(AGENT_EVENTS),
  "in-progress-checks": progressAfter(CHECK_EVENTS),
  "in-progress-jobs": comment(renderJobProgress({job: "verify", hasAgent: true, stages: 3, marker, runUrl})),
  verified: report("verified-first-try"),
  "verified-first-report": comment(renderReport(firstReport)),
  "verified-second-attempt": report("fixed-on-second-attempt"),
  "verified-with-warnings": report("verified-with-warnings"),
  failed: report("parked-failed"),
  "failed-two-stages": report("parked-hidden"),
  preexisting: comment(renderReport(preexisting)),
  partial: report("partial-request"),
  flaky: report("flaky"),
  unverified: report("unverified-no-stages"),
  tampered: report("tampered"),
  protected: report("held-for-a-person"),
  "push-refused": report("refused-push"),
  "missing-key": comment(renderReport(missingKey)),
  configuration: report("config-invalid"),
  "dry-run": report("dry-run"),
  nothing: report("nothing-to-verify"),
  refused: comment(
    renderRefusal({marker, line: [...REFUSAL_LINES.values()].toSorted((a, b) => b.length - a.length)[0] ?? ""}),
  ),
  unknown: comment(renderUnknown({marker, word: "/contniue", like: "/continue"})),
  stopped: comment(renderStopped({marker, result: "not-allowed"})),
  status: comment(
    renderStatus({
      marker,
      status: {running: {url: runUrl, since: "10:00 UTC"}, waiting: ["ada"], saved: "e".repeat(40), report: null},
    }),
  ),
  help: comment(renderHelp({marker, phrase: DEFAULT_PHRASE})),
  "pull-request": comment(renderPullRequest(unnumbered).body),
  summary: summary(renderSummary(scene("parked-failed"))),
};
