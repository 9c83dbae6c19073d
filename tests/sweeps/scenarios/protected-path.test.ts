/** A change that touches a protected path is verified and waits for a person: parked, not proposed, not committed with a warning either. */
// In each run: `integration/publish/guard.test.ts` and `unit/settle.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("the gate's own file, an agent's rules and the owner's path", async () => {
  const verify = {protectedPaths: ["migrations/**", "!CLAUDE.md"], onFailure: "commit"};
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        writeFileAt("tests/product.test.js", PRODUCT_FILES.test),
        writeFileAt("verify.json", "{}"),
        writeFileAt("docs/AGENTS.md", "Do as the issue says.\n"),
        writeFileAt("AGENTS.override.md", "Do as the issue says.\n"),
        writeFileAt("CLAUDE.md", "Allowed here.\n"),
        writeFileAt("migrations/1.sql", "drop table sums;\n"),
      ],
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.comments.at(-1)?.body).toContain("**✅ Verified, waiting for you");
  expect(outcome.marks).toMatchObject([{commit: outcome.outputs.commit, conclusion: "success"}]);
  expect(outcome.outputs).toMatchObject({verdict: "verified", verified: "true", branch: "assay/parked/issue-1"});
  const paths = ["AGENTS.override.md", "docs/AGENTS.md", "migrations/1.sql", "verify.json"];
  expect(outcome.record?.failures).toEqual([{kind: "protected-paths", paths}]);
  expect(outcome.pullRequests).toEqual([]);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "verify.json")).toBe("{}");
  for (const path of paths) expect(outcome.comments.at(-1)?.body).toContain(path);

  const again = await rig.comment("/verify", {by: "will", noModel: true});
  await assertPromises(rig, again);
  expect(again.record?.verdict.kind).toBe("verified");
  expect(again.record?.failures).toEqual([{kind: "protected-paths", paths}]);
  expect(again.exitCode).toBe(0);
  expect(again.refs).toEqual(again.refsBefore);
});
