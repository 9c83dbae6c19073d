/** A configured tool that no stage runs is listed with the reason and the fix, and one that runs is not. */
import {expect, test} from "vitest";
import {planTable} from "../../../../src/detect/plan-table.ts";
import {planOf} from "../tree.ts";

type Tree = Record<string, string | object>;
const plain = {bold: (text: string) => text, dim: (text: string) => text};
const HOOKS = "repos:\n- repo: https://github.com/pycqa/pylint\n  rev: '3'\n  hooks:\n  - id: pylint\n";
const scripts = {test: "node --test"};
const ESLINT = {"eslint.config.js": "export default [];\n"};

test.each<[string, Tree, string, RegExp]>([
  [
    "eslint, undeclared",
    {...ESLINT, "package.json": {scripts}},
    "eslint.config.js",
    /package.json does not declare `eslint`/,
  ],
  ["eslint without a manifest", ESLINT, "eslint.config.js", /no package.json that declares `eslint`/],
  [
    "tsc, undeclared",
    {"tsconfig.json": "{}", "package.json": {scripts}},
    "tsconfig.json",
    /does not declare `typescript`/,
  ],
  [
    "eslint beside the linter that runs",
    {...ESLINT, "package.json": {scripts: {lint: "biome check ."}, devDependencies: {"@biomejs/biome": "2"}}},
    "eslint.config.js",
    /does not declare `eslint`/,
  ],
  [
    "phpstan, undeclared",
    {"phpstan.neon": "", "composer.json": {require: {}}},
    "phpstan.neon",
    /composer.json does not declare/,
  ],
  [
    "playwright, which nothing starts",
    {"playwright.config.ts": "", "package.json": {scripts}},
    "playwright.config.ts",
    /playwright/,
  ],
  ["pylint without a project", {".pylintrc": ""}, ".pylintrc", /no stage is known to run `pylint`/],
  ["golangci-lint without a module", {".golangci.yml": "version: 2\n"}, ".golangci.yml", /no stage is known to run/],
  ["rubocop without a Gemfile", {".rubocop.yml": "AllCops: {}\n"}, ".rubocop.yml", /no stage is known to run/],
  [
    "in a folder",
    {"web/eslint.config.js": "", "web/package.json": {scripts}},
    "web/eslint.config.js",
    /web\/package.json does not/,
  ],
])("%s: listed", (_, tree, about, why) => {
  const made = planOf(tree);
  const entry = made.notRun.find((one) => one.about === about);
  expect(entry).toMatchObject({why: expect.stringMatching(why), fix: expect.stringContaining("verify.json")});
  expect(planTable(made, plain)).toContain(`Not run\n`);
  expect(planTable(made, plain)).toContain(`${about}: ${entry?.why}`);
});

test.each<[string, Tree]>([
  ["nothing configured", {"package.json": {scripts}}],
  ["eslint, declared", {...ESLINT, "package.json": {scripts, devDependencies: {eslint: "9"}}}],
  ["eslint in a script", {...ESLINT, "package.json": {scripts: {...scripts, lint: "eslint src"}}}],
  ["tsc in the script of a build", {"tsconfig.json": "{}", "package.json": {scripts: {build: "tsc -p ."}}}],
  ["vue-tsc", {"tsconfig.json": "{}", "package.json": {scripts: {typecheck: "vue-tsc --noEmit"}}}],
  ["a tsconfig that names no file", {"tsconfig.json": '{"files": []}', "package.json": {scripts}}],
  ["a runner that may start it", {...ESLINT, "package.json": {scripts: {lint: "nx run-many -t lint"}}}],
  ["hooks that may start it", {".pylintrc": "", ".pre-commit-config.yaml": HOOKS}],
  [
    "the root runs it for the folder",
    {
      ...ESLINT,
      "package.json": {scripts: {lint: "eslint ."}},
      "web/package.json": {scripts},
      "web/eslint.config.js": "",
    },
  ],
])("%s: not listed", (_, tree) => {
  expect(planOf(tree).notRun).toEqual([]);
});

test("a configuration that the packages below extend, and check with their own scripts", () => {
  const tree = {
    "package.json": {private: true},
    "tsconfig.json": "{}",
    "packages/a/package.json": {scripts: {tsc: "tsc"}, devDependencies: {typescript: "*"}},
    "packages/a/tsconfig.json": '{"extends": "../../tsconfig.json"}',
  };
  expect((planOf(tree).notRun ?? []).map(({about}) => about)).toEqual([]);
});
