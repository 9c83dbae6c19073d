/** What the owner sets, how a change is counted, and that hostile files take bounded time. */
import {expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {changedTests} from "../../../src/integrity/changed-tests/new-tests.ts";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import {toSarif} from "../../../src/integrity/sarif.ts";
import type {InspectedChange, InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {loadYaml} from "../../../src/integrity/source/yaml.ts";
import {cutLongLines} from "../../../src/test-code/text/mask.ts";
import {everyNth} from "../../sweep.ts";
import "./all-grammars.ts";

await loadYaml({
  files: [{path: "a.yml", basePath: "a.yml", status: "added", before: null, after: "", isExecutable: false}],
});

function changed(path: string, before: string | null, after: string | null): InspectedFile {
  const status = before === null ? "added" : after === null ? "deleted" : "modified";
  return {path, basePath: path, status, before, after, isExecutable: false};
}

const changeWith = (...files: InspectedFile[]): InspectedChange => ({files, relatedTests: [], plan: null});
const suppressed = changeWith(changed("src/a.py", "import os\n", "import os  # noqa\n"));

it("applies the owner's levels and allowed paths", () => {
  const rules = DEFAULT_CONFIG.integrity;
  expect(inspectChange(suppressed, rules)).toMatchObject([{check: "suppressions", level: "flag", line: 1}]);
  expect(inspectChange(suppressed, {...rules, level: {suppressions: "block"}})).toMatchObject([{level: "block"}]);
  expect(inspectChange(suppressed, {...rules, level: {suppressions: "off"}})).toEqual([]);
  expect(inspectChange(suppressed, {...rules, allow: ["src/**"]})).toEqual([]);
  expect(inspectChange(suppressed, {...rules, enabled: false})).toEqual([]);
});

it("counts suppressions as added minus removed, so moved code has none", () => {
  const line = "import os  # noqa: F401\n";
  const moved = changeWith(changed("src/a.py", line, ""), changed("src/b.py", "x = 1\n", `x = 1\n${line}`));
  expect(inspectChange(moved)).toEqual([]);
});

it("counts the commands of all shell tests, so moved ones have none", () => {
  const [one, other] = ["sh bin/slug Ada | grep ada\n", "sh bin/slug Bob | grep bob\n"];
  const shorter = changed("tests/slug.sh", one + other, one);
  expect(inspectChange(changeWith(shorter))).toMatchObject([{check: "weakened-tests", level: "note"}]);
  expect(inspectChange(changeWith(shorter, changed("tests/bob.sh", null, other)))).toEqual([]);
});

it("reads the signs of tests and suppressions in code only, not in strings and comments", () => {
  const before = 'const a = 1;\nit("a", () => {\n  expect(a).toBe(1);\n});\n';
  const after = `${before}// it.only("b")\nconst text = "process.exit(0)";\n`;
  expect(inspectChange(changeWith(changed("a.test.ts", before, after)))).toEqual([]);
});

it("compares the rows of a table that is longer than 3,000 characters", () => {
  const row = (index: number) => `        (${index}, "text of the row with the number ${index}"),\n`;
  const table = (count: number) =>
    `@pytest.mark.parametrize(\n    ("a", "b"),\n    [\n${Array.from({length: count}, (_, index) => row(index)).join("")}    ],\n)\ndef test_a(a, b):\n    assert f(a) == b\n`;
  expect(inspectChange(changeWith(changed("test_a.py", table(80), table(81))))).toEqual([]);
  expect(inspectChange(changeWith(changed("test_a.py", table(81), table(80))))).toMatchObject([{level: "flag"}]);
});

it("flags a condition around a check, and none around another command", () => {
  const steps = (text: string) => `jobs:\n  ci:\n    steps:\n      - run: |\n${text.replace(/^/gm, "          ")}\n`;
  const before = steps("npm run lint");
  const findings = (after: string) =>
    inspectChange(changeWith(changed(".github/workflows/ci.yml", before, steps(after))));
  expect(findings('case "$OS" in\n  linux) echo a ;;\nesac\nnpm run lint')).toEqual([]);
  expect(findings('if [ -n "$FULL" ]; then\n  npm run lint\nfi')).toMatchObject([{check: "scripts", level: "flag"}]);
});

it("flags tests and configuration that it could not read, and not lock files and generated code", () => {
  const unread = ["tests/a.test.ts", "package.json", "src/a.ts", "package-lock.json", "dist/a.js"];
  const findings = inspectChange({...changeWith(), unread});
  expect(findings.map(({path, level}) => `${level} ${path}`)).toEqual([
    "flag tests/a.test.ts",
    "flag package.json",
    "note src/a.ts",
  ]);
});

it("names what differs in lists that are too long to be shown whole", () => {
  const codes = Array.from({length: 20}, (_, index) => `W${100 + index}`);
  const file = (ignored: readonly string[]) => `[lint]\nignore = ${JSON.stringify(ignored)}\n`;
  const change = changeWith(changed("ruff.toml", file(codes), file(["E501", ...codes.slice(1)])));
  expect(inspectChange(change)).toMatchObject([
    {message: "`lint.ignore` checks less: it loses `W100` and it gets `E501`"},
  ]);
});

const manifest = JSON.stringify({scripts: {bench: "jest --bail"}, jest: {bail: true, forbidOnly: true}}, null, 2);
const tables = '[project]\nlicense-files = ["a"]\n[tool.mypy]\nstrict = true\nfiles = ["src"]\n';
const objects = 'export default {\n  build: {exclude: ["a"]},\n  test: {\n    exclude: ["a"],\n  },\n};\n';

it.each([
  [5, "pyproject.toml", tables, '["src"]', '["src/a"]'],
  [2, "pyproject.toml", "[tool]\nmypy.strict = true\n", "true", "false"],
  [4, "setup.cfg", "[metadata]\nfiles = a\n[mypy]\nfiles = src\n", "= src", "= src/a"],
  [7, "package.json", manifest, '"forbidOnly": true', '"forbidOnly": false'],
  [4, "vitest.config.ts", objects, '["a"],', '["a", "b"],'],
])("names line %i of the key in %s", (line, path, before, find, to) => {
  const after = before.replace(find, () => to);
  expect(inspectChange(changeWith(changed(path, before, after)))).toMatchObject([{check: "settings", line}]);
});

it("writes SARIF", () => {
  const document = toSarif(inspectChange(suppressed), "1.2.3");
  expect(document).toMatchObject({
    version: "2.1.0",
    runs: [{results: [{ruleId: "suppressions", level: "warning", locations: [{}]}]}],
  });
});

it.each([
  ["a b/c#d?.ts", "a%20b/c%23d%3F.ts"],
  ["javascript:alert(1)", "javascript%3Aalert(1)"],
  ["/etc/passwd", "file:///etc/passwd"],
  ["src/\ud800.ts", "src/%EF%BF%BD.ts"],
])("writes the path %j as a relative reference", (path, uri) => {
  const finding = {check: "settings", level: "flag", path, line: null, message: "a", fix: "b"} as const;
  const runs = [{results: [{locations: [{physicalLocation: {artifactLocation: {uri}}}]}]}];
  expect(toSarif([finding], "1.2.3")).toMatchObject({runs});
});

it("notes recorded output that changes with the code, in any language", () => {
  const level = (path: string) =>
    inspectChange(changeWith(changed("testdata/a.html", "<p>a</p>\n", "<p>b</p>\n"), changed(path, "a\n", "b\n")))[0]
      ?.level;
  expect(["list.go", "list.awk", "src/list.php"].map(level)).toEqual(["note", "note", "note"]);
  expect(["notes.txt", "tests/run.sh", "testdata/b.html"].map(level)).toEqual(["flag", "flag", "flag"]);
});

// Each command once with each other one takes quadratic time.
it("compares equal commands in linear time", () => {
  const lines = (count: number) => "\tpytest tests\n".repeat(count);
  const secondsFor = (count: number) => {
    const from = process.cpuUsage().user;
    expect(inspectChange(changeWith(changed("check.sh", lines(count), lines(count - 1000))))).toBeInstanceOf(Array);
    return (process.cpuUsage().user - from) / 1e6;
  };
  secondsFor(2000);
  const short = secondsFor(5000);
  expect(secondsFor(20_000)).toBeLessThan(6 * short + 0.5);
});

it("flags a script with too many commands to compare", () => {
  const lines = (name: string) => Array.from({length: 600}, (_, at) => `pytest ${name}${at}\n`).join("");
  expect(inspectChange(changeWith(changed("check.sh", lines("a"), lines("b"))))).toMatchObject([{level: "flag"}]);
});

const GO_TEST = "package a\n\nfunc TestX(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal()\n\t}\n}\n";

it.each([
  ["a.test.ts", "test('a', () => { expect(1)\n"],
  ["src/a.ts", "`${\n"],
  ["tests/test_a.py", "def test_a(\n"],
  ["a_test.go", "if x {\n t.Error(1)\n"],
  ["src/test/ATest.java", "@A "],
  ["src/lib.rs", "#[a] "],
  ["Makefile", "a:\\\n"],
  ["b.test.ts", ",async\n", "describe(a"],
  ["src/b.ts", "f(a as B);\n"],
  ["c.test.ts", "import {a} \n"],
  ["src/a.go", "fn (\n"],
])("reads a hostile %s in bounded time", (path, part, start = "") => {
  const secondsFor = (size: number) => {
    const text = cutLongLines(start + part.repeat(size / part.length));
    const from = process.cpuUsage().user;
    const removed = changed("z_test.go", GO_TEST, null);
    expect(inspectChange(changeWith(changed(path, "x", text), removed))).toBeInstanceOf(Array);
    return (process.cpuUsage().user - from) / 1e6;
  };
  secondsFor(5000);
  // Four times the text may not take sixteen times as long.
  const short = secondsFor(12_500);
  expect(secondsFor(50_000)).toBeLessThan(8 * short + 0.3);
});

it("takes no test that is named like its call for one with a computed name", () => {
  const code = 'test("test", () => {});\ntest("e", () => {});\ntest("a name", () => {});\ntest(title, () => {});\n';
  const tests = changedTests(changeWith(changed("a.test.js", null, code)));
  expect(tests.map(({hasComputedName}) => hasComputedName)).toEqual([false, false, false, true]);
});

// Each line once with each other one would take minutes.
it.each(everyNth(["Makefile", "phpunit.xml", ".github/workflows/ci.yml", "spec/a_spec.rb"], 2))(
  "compares many changed lines of %s in bounded time",
  (path) => {
    const lines = (value: string) => Array.from({length: 40_000}, (_, at) => `k${at}: ${value}`).join("\n");
    expect(inspectChange(changeWith(changed(path, lines("1"), lines("a b"))))).toBeInstanceOf(Array);
  },
  60_000,
);

it.each(everyNth([",;", "a", "'\"[", " ", "-", "max"], 2))(
  "compares long lines of %j in bounded time",
  (part) => {
    const line = part.repeat(200_000 / part.length);
    const files = ["phpunit.xml", "CMakeLists.txt", "spec/a_spec.rb"];
    const change = files.map((path) => changed(path, `x: false${line}y`, `x: false${line}z`));
    expect(inspectChange(changeWith(...change))).toBeInstanceOf(Array);
  },
  60_000,
);

it("does not take a moved helper for a copy of the product, or the name of a field for a call", () => {
  const imports = 'const {wait} = require("./toolkit");\ntest("a", async () => { await wait(); });\n';
  const defines = 'function wait() {}\ntest("a", async () => { await wait(); });\n';
  expect(inspectChange(changeWith(changed("test/a.test.js", imports, defines)))).toEqual([]);
  const ofProduct = imports.replace("./toolkit", "../lib/toolkit");
  expect(inspectChange(changeWith(changed("test/a.test.js", ofProduct, defines)))).toMatchObject([{level: "flag"}]);
  const helpers = (field: string) =>
    `fn stdout() { assert!(ready()); }\n\nfn output() -> Out {\n    let stdout = read();\n    Out { ${field} }\n}\n`;
  const shorter = changed("tests/a.rs", helpers("stdout: stdout"), helpers("stdout"));
  expect(inspectChange(changeWith(shorter))).toEqual([]);
});

it("finds the packages of the workspace in a lock file of pnpm", () => {
  const manifest = (version: string) => JSON.stringify({dependencies: {"@a/b": version}});
  const lock = (version: string, resolved: string) =>
    `lockfileVersion: '9.0'\n\nimporters:\n\n  docs:\n    dependencies:\n      '@a/b':\n        specifier: ${version}\n        version: ${resolved}\n\npackages: {}\n`;
  const released = (resolved: string) =>
    inspectChange(
      changeWith(
        changed("docs/package.json", manifest("^1.0.0"), manifest("^1.0.1")),
        changed("pnpm-lock.yaml", lock("^1.0.0", resolved), lock("^1.0.1", resolved)),
      ),
    );
  expect(released("link:../packages/b")).toEqual([]);
  expect(released("1.0.1")).toMatchObject([{check: "dependencies", level: "flag"}]);
});

it("has a fix that fits the owner's configuration", () => {
  const change = changeWith(changed("verify.json", '{"onFailure": "park"}', '{"onFailure": "commit"}'));
  expect(inspectChange(change)).toMatchObject([{check: "settings", fix: "Restore the setting, or have it approved."}]);
});
