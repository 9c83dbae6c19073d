/** A stage looks for tokens and keys in its environment and finds none. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("no secret in a stage", async () => {
  const stages = [
    {
      name: "odd",
      kind: "build",
      command:
        "env | sort; tr '\\0' '\\n' < /proc/self/environ; for f in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $f 2>/dev/null || true; done; exit 1",
      timeout: 60,
    },
  ];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome, {isHostile: true});
  const stage = outcome.record?.attempts[0]?.verification?.stages[0];
  const seen = `${stage?.output?.head}${stage?.output?.tail}`;
  expect(seen).toContain("CI=true");
  expect(seen).not.toMatch(/INPUT_|OPENAI_API_KEY|GITHUB_TOKEN|ACTIONS_RUNTIME/);
  for (const secret of outcome.secrets) expect(seen).not.toContain(secret);
  // Redaction would hide a leak from the record; what the stage printed needed none.
  expect(seen).not.toContain("***");
});
