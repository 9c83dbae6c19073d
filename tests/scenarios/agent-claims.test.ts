/** The agent says something about its change that is not so: the report shows the sentence next to the observation. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

const SAID = "Title: Add products\n\nAdded `product`. I also updated `src/unrelated.js`. I ran `cargo bench`.";

test("a sentence that does not agree with the change is in the comment, the pull request and the record", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: SAID}]);
  const outcome = await rig.comment("@assay multiply numbers, too");
  await assertPromises(rig, outcome);
  expect(outcome.record?.doubts?.[0]).toEqual({
    claim: "I also updated `src/unrelated.js`",
    observed: "The change does not touch `src/unrelated.js`.",
  });
  const row = "| I also updated `src/unrelated.js` | The change does not touch `src/unrelated.js`. |";
  expect(outcome.comments.at(-1)?.body).toContain(row);
  expect(outcome.pullRequests.at(-1)?.body).toContain(row);
});
