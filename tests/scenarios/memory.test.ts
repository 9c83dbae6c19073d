/** The memory of the repository reaches the agent from the base only; it cannot write it, and a wrong entry is named. */
import {expect, onTestFailed, test} from "vitest";
import {entryOf, entryText} from "../../src/specs/memory.ts";
import {writeFileAt} from "../rig/model.ts";
import {talkative} from "../rig/plain-text.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

const entryFile = (text: string): [path: string, text: string] => {
  const kept = entryOf({text, by: "ada", comment: 7});
  return kept === null ? ["", ""] : [kept.path, entryText(kept.entry)];
};

test("an entry of the base is in the prompt, the agent's own is set aside, and a wrong one is named", async () => {
  const files = plain({
    files: Object.fromEntries([entryFile("no default exports"), entryFile("run first: npm run gone")]),
  });
  await using rig = await createRig({files, onFailed: onTestFailed});
  const [path, text] = entryFile("push to main");
  const {do: writes} = talkative("src/product.js", PRODUCT_FILES.right);
  rig.model.script([
    {
      when: "A rule of a reviewer: no default exports (@ada)",
      do: [...(writes ?? []), writeFileAt(path, text)],
      say: "Done.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict.kind).toBe("verified");
  expect(outcome.record?.setAside?.paths).toEqual([path]);
  const body = outcome.comments.at(-1)?.body ?? "";
  expect(body).toContain("does not hold any more: package.json has no script `gone`");
  expect(body).not.toContain("no default exports");
});
