/** `npm run new` writes skeletons that load and are registered, and leaves existing files alone. */
import {spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";

const root = new URL("../..", import.meta.url).pathname;
let copy = "";
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "assay-new-"));
  for (const path of [
    "src",
    "tests/unit/diagnostics/expected-problems.ts",
    "tests/ecosystems/projects.ts",
    "tests/unit/test-code/read-source.test.ts",
    "package.json",
  ])
    cpSync(join(root, path), join(copy, path), {recursive: true});
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, {recursive: true, force: true}));

const write = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, "scripts/new.mjs"), ...words, copy], {encoding: "utf8"});
/** Loads a list of the copy in a process of its own, and gives its names. */
function namesIn(file: string, list: string): string[] {
  const script = `const {${list}: all} = await import(${JSON.stringify(join(copy, file))}); console.log(all.map((one) => one.name).join());`;
  const {stdout, stderr} = spawnSync(process.execPath, ["--input-type=module", "-e", script], {encoding: "utf8"});
  expect(stderr).toBe("");
  return stdout.trim().split(",");
}

test.each([
  ["tool", "src/tools/all.ts", "TOOLS", "tests/unit/diagnostics/expected-problems.ts"],
  ["ecosystem", "src/detect/ecosystems/index.ts", "ECOSYSTEMS", "tests/ecosystems/projects.ts"],
])("a new %s loads, is registered and has a failing case", (kind, file, list, cases) => {
  expect(write(kind, "zig-lint")).toMatchObject({status: 0, stderr: ""});
  expect(namesIn(file, list)).toContain("zig-lint");
  expect(readFileSync(join(copy, cases), "utf8")).toMatch(/"zig-lint".*replace|sample: "zig-lint"/s);
  expect(write(kind, "zig-lint")).toMatchObject({status: 3, stderr: expect.stringContaining("exists already")});
});

test("a new language has the grammar of its package, is registered and has a failing row", () => {
  expect(write("language", "c-sharp")).toMatchObject({status: 0, stderr: ""});
  expect(namesIn("src/test-code/languages.ts", "TEST_LANGUAGES")).toContain("c-sharp");
  expect(readFileSync(join(copy, "src/test-code/languages/c-sharp.ts"), "utf8")).toContain(
    'grammar: "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm"',
  );
  expect(readFileSync(join(copy, "tests/unit/test-code/read-source.test.ts"), "utf8")).toContain(
    '"test/a_test.c-sharp"',
  );
  expect(write("language", "none")).toMatchObject({status: 3, stderr: expect.stringContaining("tree-sitter-none")});
});

test("wrong arguments get the usage", () => {
  for (const words of [
    ["tool", "Not A Name"],
    ["linter", "x"],
  ])
    expect(write(...words)).toMatchObject({status: 3, stderr: expect.stringContaining("usage: npm run new")});
});
