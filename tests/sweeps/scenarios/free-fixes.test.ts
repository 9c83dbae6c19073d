/** What a formatter or a linter can mend by itself costs no turn of the model, and is verified like everything else. */
// In each run: `unit/run/fix-loop.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain, typescript} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** Takes `--check` or `--write` and files or folders, as the formatter of that name does; a line must not end in blanks. */
const FORMATTER = `#!/usr/bin/env node
import {readdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
const [mode, ...paths] = process.argv.slice(2).filter((word) => word !== "--ignore-unknown");
const files = paths.flatMap((path) => statSync(path).isDirectory() ? readdirSync(path).map((name) => path + "/" + name) : [path]);
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const formatted = text.replace(/ +$/gm, "");
  if (formatted === text) continue;
  if (mode === "--write") writeFileSync(file, formatted);
  else {
    console.log("[warn] " + file);
    process.exitCode = 1;
  }
}
if (mode === "--write") writeFileSync("README.md", "the formatter was here");
`;

function formatted(verify: Record<string, unknown> = {}) {
  const stages = [
    {name: "format", command: "tools/prettier --check src", kind: "lint", optional: false, timeout: 60},
    {name: "test", command: "node --test", kind: "test", timeout: 60},
  ];
  return plain({verify: {stages, ...verify}, files: {"tools/prettier": {mode: "100755", content: FORMATTER}}});
}

const UGLY = PRODUCT_FILES.right.replace("\n", "   \n");
const WRITES_UGLY = [writeFileAt("src/product.js", UGLY), writeFileAt("tests/product.test.js", PRODUCT_FILES.test)];

test("an unformatted file is formatted, verified and published without a second turn", async () => {
  await using rig = await createRig({files: formatted(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES_UGLY, say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "1", branch: "assay/issue-1"});
  expect(rig.model.history).toEqual([0]);
  expect(await rig.origin.read("assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
  // The formatter wrote into this file too, but the agent had not.
  expect(await rig.origin.read("assay/issue-1", "README.md")).toContain("Adds numbers.");
  const [attempt] = outcome.record?.attempts ?? [];
  expect(attempt?.autofix?.paths).toEqual(["src/product.js"]);
  expect(attempt?.verification?.stages.map(({outcome: seen}) => seen)).toEqual(["passed", "passed"]);
  expect(outcome.comments.at(-1)?.body).toMatch(/fixed src\/product\.js with tools\/prettier --write/);
});

test("with `autofix: false` the agent is asked", async () => {
  await using rig = await createRig({files: formatted({autofix: false}), onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: WRITES_UGLY, say: "Done."},
    {when: "tools/prettier --check", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Formatted."},
  ]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
  expect(rig.model.history).toEqual([0, 1]);
  expect(outcome.record?.attempts.some((attempt) => attempt.autofix !== undefined)).toBe(false);
});

test("a broken test beside it is the agent's, and nothing is mended for it", async () => {
  await using rig = await createRig({files: formatted(), onFailed: onTestFailed});
  const wrong = PRODUCT_FILES.wrong.replace("\n", "   \n");
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/product.js", wrong), writeFileAt("tests/product.test.js", PRODUCT_FILES.test)],
      say: "Done.",
    },
    {when: "products multiply", do: [writeFileAt("src/product.js", UGLY)], say: "Multiplied."},
  ]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
  expect(outcome.record?.attempts.map((attempt) => attempt.autofix !== undefined)).toEqual([false, true]);
});

test("eslint behind a script of package.json is started with --fix", async () => {
  const files = {
    "eslint.config.js": 'export default [{files: ["**/*.js"], rules: {"prefer-const": "error"}}];\n',
    "verify.json": JSON.stringify({overrides: {lint: {optional: false}}}),
  };
  await using rig = await createRig({files: typescript({files}), onFailed: onTestFailed});
  rig.model.script([
    {when: "limit", do: [writeFileAt("src/limit.js", "let limit = 3;\nexport {limit};\n")], say: "Done."},
  ]);
  const outcome = await rig.comment("/assay add a limit", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "1"});
  expect(await rig.origin.read("assay/issue-1", "src/limit.js")).toBe("const limit = 3;\nexport {limit};\n");
});
