/** Somebody pushes to the branch while the run works: their commit stays, and ours goes on top once the two are verified together. */
import {expect, onTestFailed, test} from "vitest";
import type {Action} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {someOf} from "../sweep.ts";

const right: readonly Action[] = WRITES.right;

/** Passes on their branch, and fails once ours is there. */
const NO_PRODUCT = `import assert from "node:assert/strict";
import {existsSync} from "node:fs";
import {test} from "node:test";
test("there are no products", () => assert.equal(existsSync("src/product.js"), false));
`;

const RACES = [
  {
    name: "what fits is put on top and verified again",
    theirs: {"NOTES.md": "more notes\n"},
    exitCode: 0,
    verdicts: ["verified", "verified"],
    failures: [],
    publication: "published",
  },
  {
    name: "what breaks the two together is parked",
    theirs: {"tests/no-product.test.js": NO_PRODUCT},
    exitCode: 1,
    verdicts: ["verified", "failed"],
    failures: [],
    publication: "parked",
  },
  {
    name: "what changes the same lines is parked",
    theirs: {"src/product.js": PRODUCT_FILES.wrong},
    exitCode: 1,
    verdicts: ["verified"],
    failures: [{kind: "push-lost", message: expect.stringContaining("src/product.js")}],
    publication: "parked",
  },
];

test.each(someOf(RACES))("$name", async ({theirs, exitCode, verdicts, failures, publication}) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const number = await rig.openPullRequest({title: "Docs", branch: "docs", files: {"NOTES.md": "notes\n"}, by: "will"});
  rig.model.script([{when: "multiply", do: right, say: "Products are there."}]);
  const run = await rig.begin("/assay multiply too", {by: "will", on: number});
  await run.saw(/The agent starts/);
  const before = await rig.origin.commit({branch: "docs", files: theirs});
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  const {record} = outcome;
  expect(record?.attempts.map(({verdict}) => verdict.kind)).toEqual(verdicts);
  expect(record?.failures).toMatchObject(failures);
  expect(record?.publication.kind).toBe(publication);
  expect(outcome.exitCode).toBe(exitCode);
  const isOut = publication === "published";
  expect(outcome.outputs.branch).toBe(isOut ? "docs" : `assay/parked/issue-${number}`);
  if (!isOut) return expect(outcome.refs["refs/heads/docs"]).toBe(before);
  expect((await rig.origin.facts("refs/heads/docs")).parents).toEqual([before]);
  expect(outcome.comments.at(-1)?.body).toContain("moved to");
});
