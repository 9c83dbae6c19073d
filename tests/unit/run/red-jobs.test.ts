/** What is done about a failed job of CI follows from its steps, the workflow, the plan and the base's own run. */
import {expect, test} from "vitest";
import {readWorkflow} from "../../../src/github/workflow-job.ts";
import type {CiCommandReport, Plan} from "../../../src/record/plan.ts";
import {judgeJob} from "../../../src/run/red-jobs.ts";
import {planWith} from "../../rig/plans.ts";

const path = ".github/workflows/ci.yml";
const text = `
jobs:
  check:
    name: Check \${{ matrix.node }}
    steps:
      - uses: actions/checkout@v5
      - uses: golangci/golangci-lint-action@v8
      - run: |
          npm test
          npm run docs
      - name: Build it
        run: make all
      - run: ./deploy.sh $TOKEN
      - run: pip install .
      - run: echo done
      - run: tox -e \${{ matrix.node }}
  called:
    uses: ./.github/workflows/other.yml
`;
const workflow = readWorkflow({path, text});
const ci = (command: string, outcome: CiCommandReport["outcome"]) => ({
  command,
  cwd: ".",
  file: path,
  key: "check",
  outcome,
});
const listed = (fix: string) => ({kind: "listed" as const, role: "check" as const, why: "unknown", fix});
const plan: Plan = {
  ...planWith({}),
  ci: [
    ci("npm test", {kind: "stage", stage: "test"}),
    ci("npm run docs", listed("")),
    ci("make all", listed('"extraStages": [{"name":"all","command":"make all"}]')),
    ci("./deploy.sh $TOKEN", listed("")),
    ci("golangci-lint run", {kind: "covered", by: ["lint"]}),
  ],
};
const judge = (step: string | null, name = "Check 20", more: {plan?: Plan; redOnBase?: ReadonlySet<string>} = {}) => {
  const steps = [
    {name: "Set up job", conclusion: "success"},
    ...(step === null ? [] : [{name: step, conclusion: "failure"}]),
  ];
  const {outcome, entry} = judgeJob(
    {id: 1, name, conclusion: "failure", steps},
    {workflow, path, plan, redOnBase: new Set(), ...more},
  );
  return [outcome, entry];
};

test.each([
  ["Run npm test", "fix", ""],
  ["Run golangci/golangci-lint-action@v8", "fix", ""],
  ["Build it", "not-run", '"extraStages": [{"name":"all","command":"make all"}]'],
  // A value that only CI knows makes no entry.
  ["Run ./deploy.sh $TOKEN", "not-run", ""],
  ["Run actions/checkout@v5", "machine", ""],
  ["Post Run actions/checkout@v5", "machine", ""],
  ["Set up job", "machine", ""],
  ["Run pip install .", "machine", ""],
  // The plan has no such command, but it has others of the job.
  ["Run echo done", "not-run", ""],
  ["Run tox -e 20", "fix", ""],
  [null, "machine", ""],
])("a failed step %j is judged as %j", (step, outcome, entry) => {
  expect(judge(step)).toEqual([outcome, entry]);
});

test("a job that fails on the base, too, is not fixed, unless the machine failed", () => {
  const redOnBase = new Set(["Check 20"]);
  expect(judge("Run npm test", "Check 20", {redOnBase})).toEqual(["on-base", ""]);
  expect(judge("Run npm test", "Check 22", {redOnBase})).toEqual(["fix", ""]);
  expect(judge("Set up job", "Check 20", {redOnBase})).toEqual(["machine", ""]);
});

test("a step of a called workflow is judged by the commands of the file, and a list of the owner by its own", () => {
  expect(judge("Run pytest", "called / test")).toEqual(["fix", ""]);
  const {ci: _, ...ofOwner} = plan;
  expect(judge("Run npm test", "Check 20", {plan: ofOwner})).toEqual(["fix", ""]);
  expect(judge("Build it", "Check 20", {plan: ofOwner})).toEqual([
    "not-run",
    '"stages": [{"name":"Check-20","command":"make all"}]',
  ]);
  expect(judge("Run pytest", "called / test", {plan: {...ofOwner, stages: []}})).toEqual(["not-run", ""]);
});
