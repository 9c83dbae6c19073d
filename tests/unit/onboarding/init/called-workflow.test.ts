/** What Assay's own workflow of separate jobs accepts from a caller, and gives to its jobs. */
import {readFileSync} from "node:fs";
import {dirname} from "node:path";
import {data} from "@actions/expressions";
import {expect, test} from "vitest";
import {parse} from "yaml";
import {INPUTS} from "../../../../src/github/inputs.ts";
import {reusableWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {SETUP_ACTION} from "../../../../src/onboarding/init/setup-action.ts";
import {callerWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {evaluate} from "../../../rig/workflow/expressions.ts";

test("a caller gives exactly what the called jobs need", () => {
  const {permissions, jobs} = parse(callerWorkflow(DEFAULT_PHRASE));
  expect(permissions).toEqual({});
  const levels = ["none", "read", "write"];
  const needed: Record<string, string> = {};
  for (const job of Object.values<{permissions: Record<string, string>}>(parse(reusableWorkflow()).jobs))
    for (const [scope, level] of Object.entries(job.permissions))
      if (levels.indexOf(level) > levels.indexOf(needed[scope] ?? "none")) needed[scope] = level;
  expect(jobs.assay.permissions).toEqual(needed);
  const {inputs, secrets} = parse(reusableWorkflow()).on.workflow_call;
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(jobs.assay.with)));
  expect(Object.keys(secrets)).toEqual(expect.arrayContaining(Object.keys(jobs.assay.secrets)));
});

test("a caller may set every input, except those that the called workflow decides", () => {
  // A secret is no input of a called workflow, and without `id-token` it cannot sign.
  const decided = [
    "github-token",
    "session-key",
    "attest",
    "policy",
    "policy-token",
    "telemetry-headers",
    "job",
    "admission",
    "digest",
    "try",
    "try-digests",
    "opinion",
    "set",
    "second-digest",
    "shard",
  ];
  const {inputs} = parse(reusableWorkflow()).on.workflow_call;
  expect(INPUTS.map(({name}) => name).filter((name) => !(name in inputs))).toEqual(decided);
});

test.each([
  ["ubuntu-latest", "ubuntu-latest", "ubuntu-latest", "ubuntu-latest"],
  ["large", "large", "large", "ubuntu-latest"],
  ['["self-hosted", "linux"]', ["self-hosted", "linux"], ["self-hosted", "linux"], "ubuntu-latest"],
  ['{"work": "large"}', "large", "ubuntu-latest", "ubuntu-latest"],
  ['{"verify": ["a", "b"], "others": "small"}', "ubuntu-latest", ["a", "b"], "small"],
])("with `runs-on: %s`, the agent's job runs on %j, the checks on %j, and the others on %j", (given, ...expected) => {
  const {jobs} = parse(reusableWorkflow());
  const inputs = {"runs-on": given, "timeout-minutes": 90, container: '"node:24"'};
  const contexts = JSON.parse(JSON.stringify({inputs}));
  const valueIn = (text: string) => {
    const [, expression = ""] = /^\$\{\{ (.*) \}\}$/.exec(text) ?? [];
    return JSON.parse(JSON.stringify(evaluate(expression, {contexts, status: "success"}), data.replacer));
  };
  const machines = ["work", "verify", "answer", "admit", "publish", "progress"];
  const [work, verify, ...others] = machines.map((name) => valueIn(jobs[name]["runs-on"]));
  expect(["work-again", "verify-again"].map((name) => valueIn(jobs[name]["runs-on"]))).toEqual([work, verify]);
  expect([work, verify]).toEqual(expected.slice(0, 2));
  expect(new Set(others)).toEqual(new Set(expected.slice(2)));
  for (const {"timeout-minutes": minutes, container} of [jobs.work, jobs.verify])
    expect([minutes, container].map(valueIn)).toEqual([90, "node:24"]);
});

test("the steps that admit, load a conversation and encrypt it know the same agent", () => {
  const {jobs, on} = parse(reusableWorkflow());
  const withOf = (job: string) => {
    const steps = Object.values<{steps: {with?: Record<string, string>}[]}>(jobs).flatMap((one) => one.steps);
    return steps.find((step) => step.with?.["job"] === job)?.with;
  };
  for (const job of ["admit", "work", "hand-over"]) expect(withOf(job)).toMatchObject({agent: "${{ inputs.agent }}"});
  for (const job of ["admit", "work"])
    expect(withOf(job)).toMatchObject({"agent-config": "${{ inputs.agent-config }}"});
  expect(on.workflow_call.inputs.agent.default).toBe("pi");
});

test("the repository's own set-up comes from the base, before a candidate and without a secret", () => {
  const {jobs, env} = parse(reusableWorkflow());
  expect(env).toBeUndefined();
  for (const name of ["work", "verify", "work-again", "verify-again"]) {
    const {steps, env: ofJob} = jobs[name];
    const at = steps.findIndex(({uses = ""}) => uses.startsWith("assay-run/assay/setup@"));
    expect(Object.keys(steps[at])).toEqual(["uses"]);
    expect(ofJob).toBeUndefined();
    // nothing but the checkout of the base comes before
    expect(steps.slice(0, at)).toMatchObject([
      {with: {ref: "${{ needs.admit.outputs.base }}", "persist-credentials": false}},
    ]);
    expect(at).toBeLessThan(
      steps.findIndex(({uses = ""}) => uses.includes("download-artifact") || uses.includes("assay@")),
    );
  }
  for (const name of ["admit", "publish"]) expect(JSON.stringify(jobs[name].steps)).not.toMatch(/\.\/|setup@/);
  const action = readFileSync(new URL("../../../../setup/action.yml", import.meta.url), "utf8");
  expect(parse(action).runs.steps).toEqual([
    {
      name: "Set up the repository's tools",
      if: `hashFiles('${SETUP_ACTION}') != ''`,
      uses: `./${dirname(SETUP_ACTION)}`,
    },
  ]);
});
