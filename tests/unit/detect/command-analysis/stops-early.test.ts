/** Where a failing test keeps others from running, and nothing in the output says so. */
import {expect, test} from "vitest";
import {explainEarlyStop} from "../../../../src/detect/command-analysis/stops-early.ts";
import {planOf, projectOf} from "../tree.ts";

type Tree = Readonly<Record<string, string | object>>;
const why = (line: string, tree: Tree = {}) => explainEarlyStop(line, {project: projectOf(tree), cwd: "."});
const TWO = "\tpytest unit\n\tpytest integration\n";

test.each<[string, string, Tree]>([
  ["two lines of a recipe", "make test", {Makefile: `test:\n${TWO}`}],
  ["two targets that one needs", "make test", {Makefile: "test: a b\na:\n\tpytest unit\nb:\n\tpytest integration\n"}],
  ["two targets", "make a b", {Makefile: "a:\n\tpytest unit\nb:\n\tpytest integration\n"}],
  ["a shell file with `set -e`", "bash run.sh", {"run.sh": "set -e\npytest unit\npytest integration\n"}],
  ["a shell file with `&&`", "./run.sh", {"run.sh": "#!/bin/sh\npytest unit && pytest integration\n"}],
  [
    "a script that starts make",
    "npm test",
    {"package.json": {scripts: {test: "make test"}}, Makefile: `test:\n${TWO}`},
  ],
  ["a recipe in front of another command", "make unit && ./check", {Makefile: "unit:\n\tpytest unit\n"}],
  ["mocha", "npx mocha", {".mocharc.json": '{"bail": true}'}],
  ["mocha by package.json", "npm test", {"package.json": {scripts: {test: "mocha"}, mocha: {bail: true}}}],
  ["jest", "jest", {"jest.config.js": "module.exports = {bail: 1};\n"}],
  ["vitest", "vitest run", {"vitest.config.ts": "export default {test: {bail: 1}};\n"}],
  ["rspec", "bundle exec rspec", {".rspec": "--color\n--fail-fast\n"}],
  ["phpunit", "vendor/bin/phpunit", {"phpunit.xml": '<phpunit stopOnFailure="true"/>'}],
  ["integration tests of Maven", "mvn -B verify", {"pom.xml": "<artifactId>maven-failsafe-plugin</artifactId>"}],
])("%s", (_name, line, tree) => {
  expect(why(line, tree)).toMatch(/^(?:`.*` stops at the first failure|what comes after `.*` may not have run)/);
});

test.each<[string, string, Tree?]>([
  ["one runner", "pytest"],
  ["one line of a recipe", "make test", {Makefile: "test: build\n\tpytest\nbuild:\n\tcc a.c\n"}],
  ["words behind it", "make test", {Makefile: "test:\n\tpytest\n\t@echo done\n"}],
  ["lines that may fail", "make test", {Makefile: "test:\n\t-pytest unit\n\tpytest integration\n"}],
  ["a shell file that goes on", "sh run.sh", {"run.sh": "pytest unit\npytest integration\n"}],
  ["a line of its own, which is compared by itself", "pytest unit && pytest integration"],
  ["mocha that goes on", "mocha", {".mocharc.json": '{"bail": false}'}],
  ["settings of another runner", "mocha", {"jest.config.js": "module.exports = {bail: 1};\n"}],
  ["an unknown command", "./run", {}],
  ["tests of Maven", "mvn test", {"pom.xml": "<artifactId>maven-failsafe-plugin</artifactId>"}],
])("not by %s", (_name, line, tree) => {
  expect(why(line, tree)).toBe("");
});

test("the plan says it of the stage", () => {
  const {stages} = planOf({Makefile: `.PHONY: test\ntest:\n${TWO}`});
  expect(stages).toMatchObject([{kind: "test", stopsEarly: "what comes after `pytest unit` may not have run"}]);
});
