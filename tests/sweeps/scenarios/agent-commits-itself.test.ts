/** What the agent committed by itself, deleted and renamed is seen like everything else; its commit is not published. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("the agent's own commit becomes the bot's one commit", async () => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        bash(
          "git mv src/sum.js src/add.js && sed -i 's#src/sum#src/add#' tests/sum.test.js && sed -i 's#src/sum.js#src/add.js#' package.json",
        ),
        bash(
          "git rm -q --cached verify.json; git checkout -q verify.json 2>/dev/null; git add -A && git -c user.name=me -c user.email=me@example.com commit -qm 'my own commit'",
        ),
      ],
      say: "Committed.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.record?.attempts[0]?.changes.map((change) => change.path).sort()).toEqual([
    "src/add.js",
    "src/product.js",
    "tests/sum.test.js",
  ]);
  // The base's stage looks for src/sum.js, which is gone: red, and rightly so.
  expect(outcome.outputs.verdict).toBe("failed");
  const log = JSON.stringify(await rig.origin.facts(`refs/heads/${outcome.outputs.branch}`));
  expect(log).not.toContain("my own commit");
});
