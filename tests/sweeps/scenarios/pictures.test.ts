/** Pictures of the issue and of the request are files for the agent; only GitHub's own, and only those that a reader sees. */
// In each run: `integration/github/pictures.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {DEFAULT_PHRASE} from "../../../src/request/default-phrase.ts";
import {bash, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {oneJob, SEPARATED} from "../../rig/separated.ts";

const idOf = (digit: string) => `${digit.repeat(8)}-1111-2222-3333-${digit.repeat(12)}`;
const picture = (digit: string) => `![shot](https://github.com/user-attachments/assets/${idOf(digit)})`;

const WORKFLOWS = [
  ["one job", oneJob(DEFAULT_PHRASE)],
  ["separate jobs", SEPARATED],
] as const;

test.each(WORKFLOWS)("%s", async (_, text) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const copy = bash('mkdir shots && cp "$PI_CODING_AGENT_DIR"/../pictures/* shots');
  rig.model.script([{when: "multiply", do: [copy, writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const body = `It looks wrong: ${picture("a")}\n\n<!-- ${picture("b")} -->\n\n![x](https://example.com/x.png)`;
  const on = await rig.openIssue({title: "Products", body});
  const outcome = await rig.comment(`/assay multiply, as in ${picture("c")}`, {
    on,
    separated: {text},
    inputs: {"agent-config": "", provider: "openai", model: "gpt-5-mini"},
    env: {OPENAI_BASE_URL: `${rig.model.url}/v1`},
  });
  await assertPromises(rig, outcome);
  expect(outcome.outputs["verdict"]).toBe("verified");
  for (const [name, digit] of [
    ["1.gif", "a"],
    ["2.gif", "c"],
  ] as const)
    expect(await rig.origin.read("assay/issue-1", `shots/${name}`)).toBe(
      `GIF89a /pictures/1-${idOf(digit)}.gif?jwt=a&b without a token`,
    );
  expect(rig.model.prompts[0]).toMatch(
    /\/pictures\/1\.gif \(in the issue\)\n.*\/pictures\/2\.gif \(in the request\)\n/,
  );
  expect(rig.model.prompts[0]).not.toContain("/pictures/3");
});
