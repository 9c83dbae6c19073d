/** A dry run in separate jobs: the jobs that could write do not, also when the work is saved. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {SEPARATED} from "../../rig/separated.ts";

test.each(["right", "wrong"] as const)("separate jobs write nothing in a dry run: %s", async (which) => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES[which], say: "Done."}]);
  const options = {separated: {text: SEPARATED}, inputs: {"dry-run": "true"}};
  const outcome = await rig.comment("/assay multiply, please", options);
  await assertPromises(rig, outcome);
  expect(rig.git.updates).toEqual([]);
  expect(rig.github.requests.filter((one) => one.method !== "GET" && one.path !== "/graphql")).toEqual([]);
  expect(outcome.record?.publication).toMatchObject({
    kind: "withheld",
    instead: which === "right" ? "published" : "parked",
  });
});
