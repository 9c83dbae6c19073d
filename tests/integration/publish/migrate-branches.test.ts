/** Sessions and baseline of former versions go from branches to hidden refs, whole, and only where nobody is in between. */
import {afterEach, beforeEach, expect, test} from "vitest";
import {migrateBranches} from "../../../src/publish/migrate-branches.ts";
import {makePlace, type Place} from "../changes/place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace({files: {"a.ts": "a\n"}});
});
afterEach(() => place[Symbol.asyncDispose]());

const SESSIONS = "refs/heads/assay/session/issue";

/** Every branch of a former version has a history of two commits. */
async function formerBranch(branch: string): Promise<string> {
  await place.origin.commit({branch, files: {"meta.json": "{}"}});
  return place.origin.commit({branch, files: {"session.jsonl": `${branch}\n`}});
}

test("each goes to the same commit, with its history, and nothing else is touched", async () => {
  const one = await formerBranch("assay/session/issue-1");
  const twelve = await formerBranch("assay/session/issue-12");
  const baseline = await formerBranch("assay/baseline");
  await formerBranch("assay/baseline-of-mine");
  await formerBranch("assay/session/mine");
  const others = await place.origin.refs();
  const commits = await place.origin.commitsSince([]);
  const moved = await migrateBranches(place.repository);
  expect(moved.sort()).toEqual(["refs/heads/assay/baseline", `${SESSIONS}-1`, `${SESSIONS}-12`]);
  for (const ref of moved) delete others[ref];
  expect(await place.origin.refs()).toEqual({
    ...others,
    "refs/assay/baseline": baseline,
    "refs/assay/session/issue-1": one,
    "refs/assay/session/issue-12": twelve,
  });
  expect((await place.origin.commitsSince([])).sort()).toEqual(commits.sort());
  const updates = place.server.updates.length;
  expect(await migrateBranches(place.repository)).toEqual([]);
  expect(place.server.updates).toHaveLength(updates);
});

test("a ref that went on is not moved back, and its branch stays until both are one", async () => {
  const former = await formerBranch("assay/session/issue-1");
  const newer = await place.origin.commit({branch: "scratch", files: {"session.jsonl": "newer\n"}});
  await place.origin.setRef("refs/assay/session/issue-1", newer);
  const two = await formerBranch("assay/session/issue-2");
  expect(await migrateBranches(place.repository)).toEqual([`${SESSIONS}-2`]);
  expect(await place.origin.refs()).toMatchObject({
    "refs/assay/session/issue-1": newer,
    [`${SESSIONS}-1`]: former,
    "refs/assay/session/issue-2": two,
  });
});

test("a move that was cut short between its two pushes ends later", async () => {
  const former = await formerBranch("assay/session/issue-1");
  await place.origin.setRef("refs/assay/session/issue-1", former);
  expect(await migrateBranches(place.repository)).toEqual([`${SESSIONS}-1`]);
  expect((await place.origin.refs())["refs/assay/session/issue-1"]).toBe(former);
});

test("a branch that went on meanwhile stays, and so does one that may not be deleted", async () => {
  await formerBranch("assay/session/issue-1");
  place.server.beforeNextPush(async () => {
    place.server.beforeNextPush(async () => void (await formerBranch("assay/session/issue-1")));
  });
  expect(await migrateBranches(place.repository)).toEqual([]);
  const baseline = await formerBranch("assay/baseline");
  await place.origin.refusePushes("refs/heads/*", "GH013: Repository rule violations found");
  expect(await migrateBranches(place.repository)).toEqual([]);
  expect(await place.origin.refs()).toMatchObject({
    "refs/assay/baseline": baseline,
    "refs/heads/assay/baseline": baseline,
  });
});
