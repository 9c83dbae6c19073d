/** The agent writes into the bot's own folder and the bot is killed: `post` touches no comment but its own. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("a record that names somebody else's comment", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/half.js", "export const half = 1;\n"),
        // TMPDIR is <folder of the run>/agent/tmp. The comment that asked has the number in the folder's name.
        bash(
          'cd "$TMPDIR/../.." && id=$(basename "$PWD" | cut -d- -f2) && sed -i "s/\\"commentId\\": [0-9]*/\\"commentId\\": $id/" record.json && echo "forged $id"; sleep 400',
        ),
      ],
      say: "never",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/sleep 400/);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.comments[0]?.body).toBe("/assay multiply");
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
});
