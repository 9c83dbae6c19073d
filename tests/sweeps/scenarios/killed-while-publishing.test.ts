/** kill -9 of the bot once its work is on the server: the report says where it is, and it is not parked a second time. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import type {Rig} from "../../rig/world.ts";

const workBranches = (rig: Rig) =>
  rig.origin.refs().then((refs) => Object.keys(refs).filter((ref) => /assay\/(?:parked\/)?issue-1\b/.test(ref)));

const MOMENTS = [
  {name: "with the pull request made, and nobody told", at: "pull request"},
  {name: "while the push is on its way", at: "push"},
] as const;
// The short form of crash.test.ts has a push too.
test.each(MOMENTS)("SIGKILL $name", async ({at}) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const begun = rig.begin("/assay multiply");
  const end = () => void begun.then((run) => run.kill("SIGKILL"));
  // the first push keeps the session
  if (at === "push") rig.git.beforeNextPush(async () => rig.git.beforeNextPush(async () => end()));
  else rig.github.fault({method: "POST", path: /\/pulls$/, does: {kind: "end-asker", isDone: true, end}});
  const outcome = await (await begun).ended;
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(null);
  expect(outcome.record).toMatchObject({
    verdict: {kind: "verified"},
    failures: [{kind: "interrupted"}],
    publication: {kind: "published", ref: "refs/heads/assay/issue-1", withWarning: false},
  });
  expect(await workBranches(rig)).toEqual(["refs/heads/assay/issue-1"]);
  expect(outcome.pullRequests).toMatchObject([{head: "assay/issue-1"}]);
  const number = outcome.pullRequests[0]?.number;
  expect(outcome.record?.publication).toMatchObject({pullRequest: {number}});
  expect(outcome.marks.at(-1)).toMatchObject({conclusion: "failure"});
});
