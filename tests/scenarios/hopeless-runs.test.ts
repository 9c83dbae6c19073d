/** What no agent can help against is reported before a turn is paid for, with the next step: the page to open, the lines to paste. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

const WORKFLOW = ".github/workflows/assay.yml";
const workflow = (permissions: string) =>
  `on: issue_comment\njobs:\n  assay:\n    runs-on: x\n${permissions}    steps: []\n`;

/** Where GitHub says that the run's workflow is. */
async function startedBy(rig: Rig): Promise<Record<string, string>> {
  const commit = await rig.origin.resolve("refs/heads/main");
  return {
    GITHUB_WORKFLOW_REF: `${rig.origin.name}/${WORKFLOW}@refs/heads/main`,
    GITHUB_WORKFLOW_SHA: commit ?? "",
  };
}

test("mistakes in verify.json: all of them, and no turn", async () => {
  const broken = '{"overrides": {"tset": false, "test": {"comand": "x", "timeout": "long"}}, "publsh": "branch"}';
  await using rig = await createRig({files: plain({files: {"verify.json": broken}}), onFailed: onTestFailed});
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect([outcome.exitCode, rig.model.requests()]).toEqual([1, 0]);
  const report = outcome.comments.at(-1)?.body ?? "";
  for (const mistake of ["tset", "comand", "timeout", "publsh"]) expect(report).toContain(mistake);
  expect(report).toContain("**⚠️ Not started**");
  expect(report).not.toContain("/verify`");
});

if (isSweep)
  test("no check: the report says what to add, unless unverified work is wanted", async () => {
    await using rig = await createRig({files: {"README.md": "# Nothing\n", "a.xyz": "1\n"}, onFailed: onTestFailed});
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    expect([outcome.exitCode, rig.model.requests()]).toEqual([1, 0]);
    expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "no-stages"});
    const report = outcome.comments.at(-1)?.body ?? "";
    expect(report).toContain("so the agent was not started. Add `stages` to `verify.json`");
    expect(report).toContain("then comment your request again.");

    await rig.origin.commit({files: {"verify.json": '{"onFailure": "commit"}'}, message: "Commit all the same"});
    rig.model.script([{when: "divide", do: [], say: "Done."}]);
    await rig.comment("/assay divide", {on: await rig.openIssue({title: "Quotients"})});
    expect(rig.model.requests()).toBeGreaterThan(0);
  });

if (isSweep)
  test("a workflow whose token may not publish: the lines to add", async () => {
    const permissions = "    permissions:\n      contents: read\n      issues: write\n";
    await using rig = await createRig({
      files: plain({files: {[WORKFLOW]: workflow(permissions)}}),
      onFailed: onTestFailed,
    });
    const outcome = await rig.comment("/assay multiply", {env: await startedBy(rig)});
    await assertPromises(rig, outcome);
    expect([outcome.exitCode, rig.model.requests()]).toEqual([1, 0]);
    const report = outcome.comments.at(-1)?.body ?? "";
    expect(report).toContain("`.github/workflows/assay.yml, job assay`");
    expect(report).toContain("```yaml\npermissions:\n  contents: write\n  pull-requests: write\n```");
  });

if (isSweep)
  test("a token that may not comment: the summary is the report", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const body = JSON.stringify({message: "Resource not accessible by integration"});
    rig.github.fault({method: "POST", path: /\/comments$/, times: 99, does: {kind: "status", status: 403, body}});
    const outcome = await rig.comment("/assay multiply");
    expect([outcome.exitCode, rig.model.requests()]).toEqual([1, 0]);
    expect(outcome.summary).toContain("Not started");
    expect(outcome.summary).toContain("permissions");
  });

test("a program of a required check is missing: its name, how to get it, and no turn", async () => {
  const ci = "on: push\njobs: {test: {runs-on: ubuntu-latest, steps: [{run: zig build test}]}}\n";
  await using rig = await createRig({
    files: {"build.zig": "pub fn build() void {}\n", ".github/workflows/ci.yml": ci},
    onFailed: onTestFailed,
  });
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect([outcome.exitCode, rig.model.requests()]).toEqual([1, 0]);
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report).toContain("**⚠️ Not started**");
  expect(report).toContain("- `zig`: needed by test: add the step `mlugg/setup-zig` before Assay");
});

test("no key: the page to open, the line to paste, and one annotation", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/assay multiply", {noModel: true, inputs: {provider: "anthropic"}});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toEqual([
    {kind: "missing-key", provider: "anthropic", variable: "ANTHROPIC_API_KEY"},
  ]);
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report).toContain(`${rig.origin.name}/settings/secrets/actions/new)`);
  expect(report).toContain("```yaml\nANTHROPIC_API_KEY: ${{ secrets.ANTHROPIC_API_KEY }}\n```");
  expect(report).not.toContain("/verify`");
  expect(outcome.log.match(/^::error.*$/gm)).toEqual([expect.stringMatching(/^::error title=Assay::Not started\. /)]);
});
