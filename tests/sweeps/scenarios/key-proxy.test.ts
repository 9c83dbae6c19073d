/** P11: the agent works, fails and fixes without the model's key, and a search of all that it can read does not find the key. */
// In each run: `integration/agent/key-proxy.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {DEFAULT_PHRASE} from "../../../src/request/default-phrase.ts";
import {HUNT} from "../../rig/hunting-program.ts";
import {LEVELS} from "../../rig/levels.ts";
import {bash, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {oneJob, SEPARATED} from "../../rig/separated.ts";

const MODES = [
  {mode: "separate jobs", text: SEPARATED},
  {mode: "one job", text: oneJob(DEFAULT_PHRASE)},
];
const CASES = MODES.flatMap((mode) =>
  LEVELS.flatMap((level) => [true, false].map((isProtected) => ({...mode, ...level, isProtected}))),
);

/** Searches its environment, other processes, and the folders of the agent's home, settings and program. */
const SEARCH = [
  `echo ${Buffer.from(HUNT).toString("base64")} | base64 -d > "$TMPDIR/search.cjs"`,
  'node "$TMPDIR/search.cjs" "$PI_CODING_AGENT_DIR" "$PI_CODING_AGENT_DIR/.." > search.txt',
  'if (echo > "$PI_CODING_AGENT_DIR/../planted") 2> /dev/null; then echo "the program can be replaced" >> search.txt; fi',
].join("\n");

const WRONG = [
  writeFileAt("src/product.js", PRODUCT_FILES.wrong),
  writeFileAt("tests/product.test.js", PRODUCT_FILES.test),
];
const RIGHT = writeFileAt("src/product.js", PRODUCT_FILES.right);

for (const {mode, text, name, isThere, under, isProtected} of CASES)
  test.skipIf(!isThere)(`${mode}, ${name}, protect-key: ${isProtected}`, async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const finish = {when: "products multiply", do: [bash(SEARCH), RIGHT], say: "Fixed."};
    rig.model.script([{when: "multiply, please", do: WRONG, say: "Done."}, finish]);
    const outcome = await rig.comment("/assay products multiply, please", {
      separated: {text, under: () => under},
      inputs: {"agent-config": "", provider: "openai", model: "gpt-5-mini", "protect-key": String(isProtected)},
      env: {OPENAI_BASE_URL: `${rig.model.url}/v1`},
    });
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({
      verdict: "verified",
      attempts: "2",
      branch: "assay/issue-1",
    });
    expect(await rig.origin.read("assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
    const report = await rig.origin.read("assay/issue-1", "search.txt");
    expect(report).toMatch(isProtected ? /^the hunt found 0: \n/ : /^the hunt found [1-9].*process environ/);
    expect(report).not.toContain("can be replaced");
    expect(outcome.record?.attempts[0]?.turn?.usage.output).toBeGreaterThan(0);
  });
