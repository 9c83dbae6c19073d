/** The workflow asks for signed commits: GitHub makes them, and what it makes is proposed only if it is what was verified. */
import {expect, onTestFailed, test, vi} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** The first GraphQL request of a run asks whose token it is. */
const AFTER_WHOAMI = 2;
const inputs = {"sign-commits": "true"};

test("what GitHub makes is the verified tree, signed, also on a branch that moved meanwhile", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const number = await rig.openPullRequest({
    title: "Docs",
    branch: "docs",
    files: {"NOTES.md": "notes\n"},
    by: "will",
  });
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const run = await rig.begin("/assay multiply too", {by: "will", on: number, inputs});
  await run.saw(/The agent starts/);
  const before = await rig.origin.commit({branch: "docs", files: {"NOTES.md": "more notes\n"}});
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.record?.publication).toMatchObject({kind: "published", parent: before, signed: true});
  expect(await rig.origin.facts("refs/heads/docs")).toMatchObject({
    committer: "GitHub <noreply@github.com>",
    parents: [before],
  });
  expect(outcome.comments.at(-1)?.body).toContain("signed by GitHub");
});

test("another tree than the verified one never reaches the branch, and the work is parked", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.github.fault({path: /^\/graphql$/, from: AFTER_WHOAMI, does: {kind: "lie", lie: "other-tree"}});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const outcome = await rig.comment("/assay multiply", {inputs});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toMatchObject([{kind: "signing-refused"}]);
  expect(outcome.outputs).toMatchObject({verdict: "verified", branch: "assay/parked/issue-1"});
  expect(rig.git.updates.map(({ref}) => ref)).not.toContain("refs/heads/assay/issue-1");
  expect(outcome.comments.at(-1)?.body).toContain("GitHub cannot sign this change");
});

test("SIGKILL while GitHub makes the commit leaves no branch behind, and the work is parked", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.github.fault({path: /^\/graphql$/, from: AFTER_WHOAMI, does: {kind: "hang"}});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const run = await rig.begin("/assay multiply", {inputs});
  await vi.waitUntil(
    () => rig.github.requests.some(({path, body}) => path === "/graphql" && body.includes("createCommitOnBranch")),
    {timeout: 60_000, interval: 50},
  );
  expect(Object.keys(await rig.origin.refs())).toContainEqual(expect.stringContaining("refs/heads/assay/signing/"));
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
  expect(outcome.record?.publication).toMatchObject({kind: "parked", ref: "refs/heads/assay/parked/issue-1"});
});
