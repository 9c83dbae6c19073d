/** Two versions of a configuration are compared as values: what checks less is a flag, and what is not known a note. */
import {expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import {loadParsers} from "../../../src/integrity/load-parsers.ts";
import {readSettings} from "../../../src/integrity/settings/read-settings.ts";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";

const fileAt = (path: string, before: string | null, after: string | null): InspectedFile => ({
  ...{path, basePath: path, before, after, isExecutable: false},
  status: before === null ? "added" : after === null ? "deleted" : "modified",
});

async function findingsIn(...files: readonly InspectedFile[]): Promise<string[]> {
  const change = {files, relatedTests: [], plan: null};
  await loadParsers(change);
  return inspectChange(change).map(({level, message}) => `${level} ${message}`);
}

it.each([
  // a key that is gone, a list, a number, a level
  [
    "tsconfig.json",
    '{"compilerOptions": {"noEmitOnError": true}}',
    "{}",
    "flag `compilerOptions.noEmitOnError` checks less",
  ],
  [".coveragerc", "[run]\nomit = a.py\n", "[run]\nomit =\n    a.py\n    b.py\n", "flag `run.omit` checks less"],
  [
    "pyproject.toml",
    "[tool.mypy]\nfiles = ['a', 'b']\n",
    "[tool.mypy]\nfiles = ['a']\n",
    "flag `tool.mypy.files` checks less",
  ],
  ["codecov.yml", "coverage: {target: 90%}\n", "coverage: {target: 80%}\n", "flag `coverage.target` checks less"],
  [
    ".eslintrc.yml",
    "rules: {max-depth: [error, 3]}\n",
    "rules: {max-depth: [error, 9]}\n",
    "flag `rules.max-depth` checks less",
  ],
  [
    "ty.toml",
    "[rules]\nunresolved = 'error'\n",
    "[rules]\nunresolved = 'warn'\n",
    "flag `rules.unresolved` checks less",
  ],
  [
    "pom.xml",
    "<project/>",
    "<project><properties><skipTests>true</skipTests></properties></project>",
    "block `project.properties.skipTests`",
  ],
  // the opposite direction, and what decides nothing
  ["tsconfig.json", "{}", '{"compilerOptions": {"noEmitOnError": true}}', undefined],
  ["codecov.yml", "coverage: {target: 80%}\n", "coverage: {target: 90%}\n", undefined],
  [".mocharc.yml", "timeout: 1\n", "timeout: 2\n", undefined],
  [
    "pyproject.toml",
    "[project]\nname = 'a'\n[tool.mypy]\nstrict = true\n",
    "[project]\nname = 'b'\n[tool.mypy]\nstrict = true\n",
    undefined,
  ],
  // not known
  [
    ".mocharc.yml",
    "ui: bdd\n",
    "ui: tdd\n",
    "note Settings with an unknown effect changed: `ui` (`bdd` before, `tdd` now)",
  ],
  ["tsconfig.json", '{"compilerOptions": {"strict": true}}', null, "flag The configuration is deleted"],
])("%s: %s, then %s", async (path, before, after, expected) => {
  const [finding, ...others] = await findingsIn(fileAt(path, before, after));
  expect(finding?.slice(0, expected?.length)).toBe(expected);
  expect(others).toEqual([]);
});

it.each([
  ["infection.json.dist", '{"minMsi": 90}'],
  ["checks.xml.dist", "<minMsi>90</minMsi>"],
  ["checks.yml.dist", "minMsi: 90\n"],
])("reads %s by the ending before `.dist`", (path, text) => {
  expect(Object.fromEntries(readSettings(path, text))).toEqual({minMsi: ["90"]});
});

it("knows a setting that moves to another file of the change", async () => {
  const [before, after] = [
    "[tool.ruff]\nline-length = 99\n[tool.ruff.lint]\nselect = ['E']\n",
    "[project]\nname = 'a'\n",
  ];
  const moved = fileAt("ruff.toml", null, "line-length = 99\n[lint]\nselect = ['E']\n");
  expect(await findingsIn(fileAt("pyproject.toml", before, after), moved)).toEqual([]);
});

it("reads the literal values of a program, and names what it cannot read", async () => {
  const path = "vitest.config.ts";
  const text = `
    import base from "./base";
    const LIMIT = 80;
    const shared = {retry: 1, include: ["a", ...base]};
    export default defineConfig(() => ({test: {...shared, coverage: {thresholds: {lines: LIMIT}}, exclude: list()}}));
    config.test.bail = 2;
  `;
  await loadParsers({relatedTests: [], plan: null, files: [fileAt(path, null, text)]});
  expect(Object.fromEntries(readSettings(path, text))).toEqual({
    "test retry": ["1"],
    "test include": ["a", "...base"],
    "test coverage thresholds lines": ["80"],
    "test exclude": ["list()"],
    "test bail": ["2"],
  });
});
