/** Which stages start a test runner that counts its tests in each run: said only where it is certain. */
import {expect, test} from "vitest";
import {findCountingRunner} from "../../../../src/detect/command-analysis/counting-runner.ts";
import {planOf, projectOf} from "../tree.ts";

type Tree = Readonly<Record<string, string | object>>;
const runnerOf = (line: string, tree: Tree = {}) =>
  findCountingRunner(line, {project: projectOf(tree), cwd: ".", env: {}});

test.each<[string, string, Tree?]>([
  ["node --test", "node --test"],
  ["tsc && node --test --test-concurrency=1", "node --test"],
  ["npx vitest run", "vitest"],
  ["python3 -m pytest -x tests", "pytest"],
  ["uv run pytest -vv", "pytest"],
  ["cargo test --workspace --quiet", "cargo test"],
  ["go test -race ./...", "go test"],
  ["pytest | tee log.txt", "pytest"],
  ["python -m unittest discover", "unittest"],
  ["npm test", "node --test", {"package.json": {scripts: {test: "node --test"}}}],
  ["npm test", "jest", {"package.json": {scripts: {pretest: "tsc", test: "jest --ci"}}}],
  ["bash run.sh", "mocha", {"run.sh": "#!/bin/bash\nset -e\nmocha\n"}],
  ["make test", "go test", {Makefile: "test: vet\n\tgo test ./...\nvet:\n\tgo vet ./...\n"}],
])("%s: %s", (line, runner, tree) => {
  expect(runnerOf(line, tree)).toBe(runner);
});

test.each<[string, Tree?]>([
  ["node --test --test-reporter=dot"],
  ["node check.js"],
  ["pytest -q"],
  ["pytest --collect-only"],
  ["pytest", {"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-ra -q"\n'}],
  ["pytest", {"setup.cfg": "[tool:pytest]\naddopts =\n    --strict-markers\n    -qq\n"}],
  ["vitest run --reporter=json"],
  ["vitest run", {"vitest.config.ts": "export default {test: {reporters: ['dot']}};\n"}],
  ["jest", {"package.json": {jest: {reporters: ["jest-silent-reporter"]}}}],
  ["mocha -R min"],
  ["cargo test --no-run"],
  ["cargo test --benches"],
  ["go test -c ./..."],
  ["go test -run=XXX ./..."],
  ["node --test > log.txt"],
  ["node --test | tap-spec"],
  ["tsc || node --test"],
  ["if [ -d tests ]; then node --test; fi"],
  ["cd sub && node --test"],
  ["NODE_OPTIONS=--import=./x.js node --test"],
  ["node --test $FILES"],
  ["npm test --workspaces", {"package.json": {scripts: {test: "node --test"}}}],
  ["bash run.sh", {"run.sh": "if true; then\n  mocha\nfi\n"}],
])("%s is not certain to count", (line, tree) => {
  expect(runnerOf(line, tree)).toBeNull();
});

test("the stage's own variables may change what a runner prints", () => {
  const where = {project: projectOf({}), cwd: "."};
  expect(findCountingRunner("node --test", {...where, env: {NODE_OPTIONS: "--test-reporter=dot"}})).toBeNull();
  expect(findCountingRunner("node --test", {...where, env: {CI: "1"}})).toBe("node --test");
});

test("the plan names it for test stages alone", () => {
  const {stages} = planOf({"package.json": {scripts: {test: "node --test", build: "tsc"}}});
  expect(stages.map(({kind, countedBy}) => [kind, countedBy])).toContainEqual(["test", "node --test"]);
  expect(stages.filter(({kind}) => kind !== "test").every(({countedBy}) => countedBy === undefined)).toBe(true);
});
