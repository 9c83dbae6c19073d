/** What the workflow's file says of Assay's own job, and that nothing is claimed where it says nothing. */
import {expect, test} from "vitest";
import {jobMinutes, lackingPermissions, readWorkflow, workflowPath} from "../../../src/github/workflow-job.ts";
import {separatedWorkflow} from "../../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../../../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../../../src/request/default-phrase.ts";

function read(text: string) {
  const workflow = readWorkflow({path: "assay.yml", text});
  if (workflow === null) throw new Error("no workflow");
  return workflow;
}
const job = (lines: string) => read(`jobs:\n  assay:\n    ${lines}\n`);

test.each([
  ["octo/x/.github/workflows/a.yml@refs/heads/main", ".github/workflows/a.yml"],
  ["other/x/.github/workflows/a.yml@refs/heads/main", null],
  ["octo/x/other/a.yml@refs/heads/main", null],
  ["", null],
])("the path in %j is %j", (ref, path) => {
  expect(workflowPath({ref, repository: "octo/x"})).toBe(path);
});

test.each([
  ["timeout-minutes: 45", 45],
  ["runs-on: x", 360],
  ["timeout-minutes: ${{ fromJSON(vars.LIMIT) }}", null],
])("%s: %s minutes", (lines, minutes) => {
  expect(jobMinutes(job(lines), "assay", 60)).toBe(minutes);
});

test("a job of the called workflow has the minutes that the caller gives, or those of Assay", () => {
  const caller = (lines: string) => job(`uses: assay-run/assay/.github/workflows/separated.yml@v1\n    ${lines}`);
  expect(jobMinutes(caller("with: {agent: pi}"), "work", 60)).toBe(60);
  expect(jobMinutes(caller("with: {timeout-minutes: 120}"), "work", 60)).toBe(120);
  expect(jobMinutes(caller("with: {timeout-minutes: '${{ vars.LIMIT }}'}"), "work", 60)).toBeNull();
});

test.each([
  ["runs-on: x", null],
  ["permissions: write-all", null],
  ["permissions: {contents: write, issues: write, pull-requests: write}", null],
  ["permissions: {contents: write, issues: read}", ["issues", "pull-requests"]],
  ["permissions: {}", ["contents", "issues", "pull-requests"]],
  ["permissions: read-all", ["contents", "issues", "pull-requests"]],
])("%s lacks %j", (lines, lacking) => {
  expect(lackingPermissions(job(lines), "assay")?.permissions ?? null).toEqual(lacking);
});

test("rights of the whole workflow count where the job has none", () => {
  const workflow = read("permissions: {contents: read}\njobs:\n  assay:\n    runs-on: x\n");
  expect(lackingPermissions(workflow, "assay")?.permissions).toContain("contents");
});

test("the workflows that `assay init` writes lack nothing, whichever job asks", () => {
  const separated = read(separatedWorkflow([]));
  for (const name of separated.jobs.keys()) expect(lackingPermissions(separated, name)).toBeNull();
  expect(jobMinutes(separated, "work", 5)).toBe(60);
  const single = read(singleWorkflow([], DEFAULT_PHRASE));
  expect([lackingPermissions(single, "assay"), jobMinutes(single, "assay", 5)]).toEqual([null, 60]);
  expect(lackingPermissions(read(callerWorkflow(DEFAULT_PHRASE)), "work")).toBeNull();
  const without = read(separatedWorkflow([]).replaceAll("contents: write", "contents: read"));
  expect(lackingPermissions(without, "work")).toEqual({job: "publish", permissions: ["contents"]});
});

test("what is no workflow says nothing", () => {
  expect([readWorkflow({path: "x", text: "a: ["}), readWorkflow({path: "x", text: "a: 1"})]).toEqual([null, null]);
});
