/** Runs that claim more than they saw (P6, P7), or whose colours disagree (P14): how each is made of a good run. */
import type {IntegrityFinding} from "../../src/record/finding.ts";
import {type Spoilt, set} from "./good-run.ts";

/** What it is about, the sentence that the checker has to say, and what spoils the good run. */
export type Lie = [string, RegExp, (it: Spoilt) => void | Promise<void>];

const FINDING: IntegrityFinding = {
  check: "disabled-tests",
  level: "block",
  path: "a.test.js",
  line: 1,
  message: "Test `a` is skipped",
  fix: "Run it.",
};

export const CLAIMS: readonly Lie[] = [
  ["no stage ran", /^P6: the run is verified, but no required/, (it) => set(it.verification, {stages: []})],
  ["a verdict from nowhere", /^P6: .*without a verification/, (it) => set(it.attempt, {verification: null})],
  [
    "a required stage was skipped",
    /^P6: .*test is skipped/,
    (it) => set(it.stage, {outcome: "skipped", reason: "not now"}),
  ],
  ["a required stage was flaky", /^P6: .*test is flaky/, (it) => set(it.stage, {outcome: "flaky", reason: "twice"})],
  [
    "a stage that nobody requested is missing from the verdict",
    /^P6: .*test is skipped/,
    (it) => {
      set(it.record, {request: {kind: "verify", only: ["build"]}});
      set(it.stage, {outcome: "skipped", reason: "not requested"});
    },
  ],
  [
    "a stage is skipped for its `when`, which matches a rename's former path",
    /^P6: .*test is skipped/,
    (it) => {
      set(it.planned, {when: ["website/**"]});
      set(it.attempt, {changes: [{path: "a.js", status: "renamed", from: "website/a.js"}]});
      set(it.stage, {outcome: "skipped", reason: "no change matches"});
    },
  ],
  [
    "a requested stage failed",
    /^P6: .*partial, but .*test is failed/,
    (it) => {
      const verdict = {kind: "partial" as const, notRun: ["build"], preexisting: []};
      set(it.attempt, {verdict});
      set(it.stage, {outcome: "failed", reason: "exit code 1"});
    },
  ],
  ["no test ran", /^P6: .*no test ran/, (it) => set(it.stage, {tests: {passed: 0, failed: 0, skipped: 3}})],
  [
    "setup failed",
    /^P6: .*setup failed/,
    (it) => set(it.verification, {setup: [{...it.stage, outcome: "failed", reason: "no network"}]}),
  ],
  ["passed with another code", /^P7: stage test passed/, (it) => set(it.stage, {exit: {kind: "exited", code: 1}})],
  [
    "passed by a signal",
    /^P7: stage test passed/,
    (it) => set(it.stage, {exit: {kind: "signaled", signal: "SIGTERM"}}),
  ],
  ["passed without an exit", /^P7: stage test passed/, (it) => set(it.stage, {exit: null})],
  ["failed without a reason", /^P7: .*without a reason/, (it) => set(it.stage, {outcome: "failed"})],
  ["a finding that blocks", /^P16: attempt 1 is verified, and/, (it) => set(it.verification, {findings: [FINDING]})],
  [
    "a finding that nobody is told of",
    /^P16: the headline says nothing/,
    (it) => {
      const findings = [{...FINDING, level: "flag" as const}];
      set(it.verification, {findings});
      set(it.record, {integrity: findings});
    },
  ],
  [
    "tampered without a finding",
    /^P16: tampered, but no finding/,
    (it) => set(it.record, {verdict: {kind: "tampered", findings: ["a.test.js"]}}),
  ],
  [
    "an approval that nobody gave",
    /^P16: attempt 1 has an approval that nobody gave/,
    (it) => set(it.verification, {findings: [FINDING], approval: {by: "ada", tree: it.publication.tree}}),
  ],
  [
    "green job, red record",
    /^P14: the exit code is 0/,
    (it) => set(it.record, {verdict: {kind: "failed", stages: ["test"]}}),
  ],
  ["red job, green record", /^P14: the exit code is 1/, (it) => set(it.outcome, {exitCode: 1})],
  [
    "a failure beside a good verdict",
    /^P14: the exit code is 0/,
    (it) => set(it.record, {failures: [{kind: "internal", message: "x"}]}),
  ],
  [
    "an output that differs",
    /^P14: the output verified/,
    (it) => set(it.outcome, {outputs: {...it.outcome.outputs, verified: "false"}}),
  ],
  [
    "a red comment for a green run",
    /^P14: the comment shows ❌/,
    (it) => set(it.comment, {body: it.comment.body.replace("✅", "❌")}),
  ],
  [
    "a red check for a green run",
    /^P14: assay\/verified on [0-9a-f]+ is failure, not success/,
    (it) => set(it.outcome, {marks: it.outcome.marks.map((mark) => ({...mark, conclusion: "failure"}))}),
  ],
  [
    "a neutral check, which satisfies a required one",
    /^P14: assay\/verified on [0-9a-f]+ is neutral, not success/,
    (it) => set(it.outcome, {marks: it.outcome.marks.map((mark) => ({...mark, conclusion: "neutral"}))}),
  ],
  [
    "a check although only a part was requested",
    /^P14: assay\/verified on [0-9a-f]+ is success, not left out/,
    (it) => set(it.record, {verdict: {kind: "partial", notRun: ["build"], preexisting: []}}),
  ],
  [
    "a check although publishing failed",
    /^P14: assay\/verified on [0-9a-f]+ is success, not left out/,
    (it) => set(it.record, {failures: [{kind: "push-refused", ref: "x", message: "no"}]}),
  ],
  [
    "a red job although the change only waits for a person",
    /^P14: the exit code is 1, the record is green/,
    (it) => {
      set(it.record, {failures: [{kind: "protected-paths", paths: ["CODEOWNERS"]}]});
      set(it.outcome, {exitCode: 1});
    },
  ],
  ["a summary without a verdict", /^P14: the summary has no/, (it) => set(it.outcome, {summary: "Hello"})],
  [
    "the attempt says otherwise",
    /^P14: the run is verified, its last attempt failed/,
    (it) => set(it.attempt, {verdict: {kind: "failed", stages: []}}),
  ],
];
