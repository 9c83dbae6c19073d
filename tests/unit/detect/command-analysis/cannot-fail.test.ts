/** Which shell lines always end with 0, scripts of the tree included: said only where it is certain. */
import {expect, test} from "vitest";
import {findWeakness} from "../../../../src/detect/command-analysis/cannot-fail.ts";
import {planOf, projectOf} from "../tree.ts";

const scripts = {
  test: "vitest run || true",
  sequence: "vitest run; exit 0",
  last: "vitest run; echo done",
  real: "vitest run",
  pipe: "vitest run | cat",
  around: "echo ok",
  prearound: "tsc",
  leaves: "vitest run || exit 1; echo done",
  after: "vitest run || true",
  postafter: "node check-coverage.js",
};

const swallowedIn = (line: string, tree: Readonly<Record<string, string | object>>) =>
  findWeakness(line, {project: projectOf(tree), cwd: "."}).swallowedIn;

test.each([
  ["npm test || true"],
  ["npm test || :"],
  ["find test -name '*.js' -exec node {} \\;"],
  ["find test -name '*.js' -exec node {} ';'"],
  ["npm test || echo failed"],
  ["npm test || exit 0"],
  ["echo ok"],
  ["true"],
  ["exit 0"],
  ["true; exit 0"],
  ["echo a && echo b"],
  ["pytest &"],
  ["set +e; pytest; true"],
  ["set +e; pytest; exit 0"],
  ["true || pytest"],
  ["exit 0; pytest"],
  ["exit 0\npytest || exit 1"],
  ["pytest || pytest || echo ok"],
  ["pytest || false || exit 0"],
  ["npm test"],
  ["npm run sequence"],
  ["pnpm run last"],
  ["vitest run || npm run last"],
  ["npm run pipe"],
])("%s always ends with 0", (line) => {
  expect(swallowedIn(line, {"package.json": {scripts}})).not.toBeNull();
});

test.each([
  ["npm run real"],
  ["npm run leaves"],
  ["npm run after"],
  ["npm run around"],
  ["pytest; true"],
  ["find test -name '*.js' -exec node {} +"],
  ["find test -name '*.js' | xargs node"],
  ["pytest; exit 0"],
  ["pytest | cat"],
  ["pytest | tee log.txt"],
  ["true && pytest"],
  ["pytest && true"],
  ["pytest || exit 1"],
  ["pytest || vitest run"],
  ["exit 1"],
  ["exit $CODE"],
  ["pytest & vitest run"],
  ["if pytest; then true; fi"],
  ["! pytest"],
  ["(pytest || true)"],
  ["pytest <<X\nX"],
  [""],
  ["npm run nothing"],
])("%s may fail, or is not understood", (line) => {
  expect(swallowedIn(line, {"package.json": {scripts}})).toBeNull();
});

test.each([
  ["the last line", "node --test || true\n", "bash run.sh"],
  ["started by itself", "#!/bin/sh\nnode --test\ntrue\n", "./run.sh"],
  ["a pipe into tee", "#!/usr/bin/env bash\nnode --test | tee log.txt\n", "sh run.sh"],
  ["lines in front", '#!/bin/bash\ncd tests\nif [ -n "$A" ]; then\n  echo a\nfi\nnode --test || :\n', "./run.sh"],
  ["a function", "run() {\n  node --test\n}\nrun || true\n", "./run.sh"],
  ["errors that do not count any more", "#!/bin/sh -e\nset +e\nnode --test\nexit 0\n", "./run.sh"],
  ["comments behind it", "node --test || true # never red\n\n# end\n", "bash ./run.sh"],
])("a shell file hides the exit code: %s", (_, body, line) => {
  expect(swallowedIn(line, {"run.sh": body})).toBe("`run.sh`");
});

test.each([
  ["errors end it", "#!/bin/bash\nset -euo pipefail\nnode --test\ntrue\n", "bash run.sh"],
  ["errors end it by its first line", "#!/bin/bash -e\nnode --test\ntrue\n", "./run.sh"],
  ["errors end it by the caller", "node --test\ntrue\n", "bash -e run.sh"],
  ["pipes fail", "set -o pipefail\nnode --test | tee log.txt\n", "bash run.sh"],
  ["the tests are last", "echo tests\nnode --test\n", "bash run.sh"],
  ["it leaves in a block", "node --test\nif [ $? -ne 0 ]; then\n  exit 1\nfi\necho done\n", "bash run.sh"],
  ["it leaves after a failure", "node --test || exit 1\necho done\n", "bash run.sh"],
  ["a trap", "trap 'exit 1' ERR\nnode --test\ntrue\n", "bash run.sh"],
  ["a block is last", "for one in *.test.js; do\n  node $one || true\ndone\n", "bash run.sh"],
  ["another language", "#!/usr/bin/env python3\nprint('x')\n", "./run.sh"],
  ["no such file", "true\n", "bash other.sh"],
])("a shell file that may fail, or is not understood: %s", (_, body, line) => {
  expect(swallowedIn(line, {"run.sh": body})).toBeNull();
});

test.each([
  ["test:\n\t-node --test\n", "make test"],
  ["test:\n\t@-node --test\n", "make test"],
  ["test: unit\nunit:\n\tnode --test || true\n", "make -s test"],
  ["test:\n\t$(MAKE) unit\nunit:\n\t- node --test\n", "make test"],
  ["RUN = node --test || true\ntest:\n\t$(RUN)\n", "make test"],
  [".IGNORE:\ntest:\n\tnode --test\n", "make test"],
  ["test:\n\tnode --test\n", "make -i test"],
  [".ONESHELL:\ntest:\n\tnode --test\n\ttrue\n", "make test"],
])("a makefile hides the exit code: %j", (text, line) => {
  expect(swallowedIn(line, {Makefile: text})).toMatch(/^target `(?:test|unit)` of Makefile$/);
});

test.each([
  ["test:\n\tnode --test\n\ttrue\n", "make test"],
  ["test:\n\t-rm -f log\n\tnode --test\n", "make test"],
  ["test: build\n\t-node --test\n", "make test"],
  ["test: build\n\t-node --test\nbuild:\n\ttsc\n", "make test"],
  ["SHELL = /bin/bash\n.SHELLFLAGS = -eo pipefail -c\ntest:\n\tnode --test | tee log\n", "make test"],
  ["test:\n\t-node --test\n", "make -f other.mk test"],
])("a makefile that may fail, or is not understood: %j", (text, line) => {
  expect(swallowedIn(line, {Makefile: text})).toBeNull();
});

test("a script of package.json, a shell file and a makefile behind each other", () => {
  const tree = {
    "package.json": {scripts: {test: "./scripts/test.sh"}},
    "scripts/test.sh": "#!/bin/sh\nmake unit\n",
    Makefile: "unit:\n\t-node --test\n",
  };
  expect(swallowedIn("npm test", tree)).toBe("target `unit` of Makefile");
  expect(swallowedIn("npm test", {...tree, Makefile: "unit:\n\tnode --test\n"})).toBeNull();
});

test("the plan says where the exit code is lost, and which filter rewrites a test's output", () => {
  const {stages, notes} = planOf({Makefile: "test:\n\t-node --test\n"});
  expect(stages[0]).toMatchObject({command: "make test", swallowedIn: "target `test` of Makefile"});
  expect(notes.map(({text}) => text)).toContainEqual(
    expect.stringContaining("exit code 0 (target `test` of Makefile)"),
  );
  const piped = planOf({"package.json": {scripts: {test: "node --test | sed s/failed/passed/"}}});
  expect(piped.stages[0]).toMatchObject({rewrittenBy: "sed", swallowedIn: "script `test` of package.json"});
  expect(piped.notes.map(({text}) => text)).toContainEqual(expect.stringContaining("goes through `sed`"));
  const plain = planOf({"package.json": {scripts: {test: "ls | sed s/a/b/ >list && node --test"}}});
  expect(plain.stages[0]).not.toHaveProperty("rewrittenBy");
});
