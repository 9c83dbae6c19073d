/** GitHub takes no answer: the job is red, and its annotation is the one place that says what to do. */
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {assay} from "../rig/command-line.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import type {RunOptions} from "../rig/world.ts";
import {isSweep, someOf} from "../sweep.ts";

/** The discard port, on which nothing listens. */
const NOWHERE = "http://127.0.0.1:9";
const cases: readonly (readonly [string, RunOptions, RegExp])[] = [
  [
    "a wrong token",
    {inputs: {"github-token": "ghs_wrongwrongwrongwrongwrongwrongwrong"}},
    /correct the input `github-token`/,
  ],
  ["a server that cannot be reached", {env: {GITHUB_API_URL: NOWHERE}}, /Check that this machine reaches GitHub/],
];

test.each(someOf(cases))("%s", async (_, options, next) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/assay multiply", {by: "will", isStepOnly: true, ...options});
  await assertPromises(rig, outcome, {nothingAsked: true});
  expect(outcome.exitCode).toBe(1);
  expect(rig.model.requests()).toBe(0);
  const errors = outcome.log.match(/^::error.*$/gm) ?? [];
  expect(errors).toEqual([expect.stringMatching(next)]);
  expect(outcome.summary).toContain("could not find out whether you have write access");
});

if (isSweep)
  test("no permission to comment: an outsider's refusal cannot be posted", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const body = JSON.stringify({message: "Resource not accessible by integration"});
    rig.github.fault({method: "POST", path: /comments$/, times: 100, does: {kind: "status", status: 403, body}});
    const outcome = await rig.comment("/assay multiply", {by: "otto", isStepOnly: true});
    await assertPromises(rig, outcome, {nothingAsked: true});
    expect(outcome.exitCode).toBe(1);
    expect(outcome.log).toMatch(/^::error.*Give the job `issues: write`/m);
  });

test("the command line: exit 1 and the next step", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-nowhere-"));
  try {
    const event = join(folder, "event.json");
    const will = {login: "will", id: 7, type: "User"};
    const written = {user: will, created_at: "2026-01-01T00:00:00Z"};
    const payload = {
      action: "created",
      issue: {number: 1, title: "Multiply", body: "", state: "open", ...written},
      comment: {id: 2, body: "/assay multiply", ...written},
      repository: {full_name: "own/repo", default_branch: "main"},
    };
    writeFileSync(event, JSON.stringify(payload));
    const env = {GITHUB_API_URL: NOWHERE, GITHUB_REPOSITORY: "own/repo", GITHUB_TOKEN: "ghs_wrongwrongwrongwrong"};
    const ended = assay(folder, ["run", "--event", event], env);
    expect(ended.stderr).toMatch(/Check that this machine reaches GitHub/);
    expect(ended.status).toBe(1);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});
