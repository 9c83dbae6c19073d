/** The request is the failing check: as long as that fails in the same way, nothing is verified. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const WRONG = {"src/sum.js": "export const sum = (one, other) => one - other;\n"};

test("an agent that leaves the failing test as it is gets no pass", async () => {
  await using rig = await createRig({files: plain({files: WRONG}), onFailed: onTestFailed});
  rig.model.script([{when: "failing", do: WRITES.right, say: "The tests are green now."}]);
  const outcome = await rig.comment("/assay fix the failing tests");
  await assertPromises(rig, outcome);
  expect([outcome.exitCode, outcome.pullRequests]).toEqual([1, []]);
  expect(outcome.record?.verdict).toEqual({kind: "unverified", why: "still-failing", detail: "test"});
  // The old failure is not charged to the change, so it starts no fix attempt (P15).
  expect(outcome.outputs).toMatchObject({attempts: "1", branch: "assay/parked/issue-1"});
  expect(outcome.comments.at(-1)?.body).toContain("The check that the request asks to fix still fails");
});

test("an agent that repairs it gets one, and another request is not concerned", async () => {
  await using rig = await createRig({files: plain({files: WRONG}), onFailed: onTestFailed});
  const repair = writeFileAt("src/sum.js", WRONG["src/sum.js"].replace("-", "+"));
  rig.model.script([
    {when: "multiply", do: WRITES.right, say: "Products are there."},
    {when: "failing", do: [repair], say: "It adds."},
  ]);
  const other = await rig.comment("/assay multiply");
  await assertPromises(rig, other);
  expect(other.record?.verdict.kind).toBe("verified-with-preexisting");
  const repaired = await rig.comment("/assay fix the failing tests");
  await assertPromises(rig, repaired);
  expect(repaired.record?.verdict.kind).toBe("verified");
});
