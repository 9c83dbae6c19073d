/** Linters of two projects run at the same time, and what one of them rewrites is charged to that one. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** Passes only while the other project's stage runs too. */
const meet = (other: string) =>
  `touch here; for i in $(seq 200); do [ -e ../${other}/here ] && break; sleep 0.1; done; [ -e ../${other}/here ]`;

test("two projects side by side", async () => {
  const stages = [
    {name: "one:lint", kind: "lint", optional: false, cwd: "one", command: `${meet("two")}; sleep 1`},
    {name: "two:lint", kind: "lint", optional: false, cwd: "two", command: `${meet("one")}; echo 2 > a.js`},
  ];
  const files = plain({verify: {stages}, files: {"one/a.js": "1\n", "two/a.js": "1\n"}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toEqual({kind: "failed", stages: ["two:lint"]});
  const results = outcome.record?.attempts[0]?.verification?.stages;
  expect(results).toMatchObject([
    {name: "one:lint", outcome: "passed"},
    {name: "two:lint", outcome: "failed"},
  ]);
  expect(results?.[1]?.reason).toContain("it rewrote tracked files: two/a.js");
});
