/** A comment with dashes, mentions, backticks, substitutions, CRLF and emoji reaches the agent word for word, and harms nothing. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const REQUEST = [
  "-rf @ada `rm` $(touch /tmp/assay-was-here) && true",
  "--model other",
  "",
  "#1 closes #2 | \u{1f468}\u200d\u{1f469}\u200d\u{1f467} ü",
];

test("odd characters", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {when: "-rf @ada", do: [writeFileAt("src/odd.js", "export const odd = 1;\n")], say: REQUEST.join("\n")},
  ]);
  const outcome = await rig.comment(`/assay ${REQUEST.join("\r\n")}`, {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  for (const line of REQUEST) expect(rig.model.prompts[0]).toContain(line);
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report).not.toMatch(/(^|[^`\w])@ada\b/m);
  expect(report).not.toMatch(/closes #2/);
});
