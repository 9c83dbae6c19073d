/** A stage runs as the script of CI runs it: with its input, its pipe, and what earlier lines change in the shell. */
import {expect, test} from "vitest";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const FILES = {
  "package.json": {scripts: {test: "node --test"}},
  "check.js": "",
  "data.txt": "1\n",
  "env.sh": "export FEATURE=on\n",
  "test/a.test.js": "",
};

/** A project whose only job has steps with these scripts. */
function treeOf(...scripts: readonly string[]) {
  const steps = scripts.map((script) => `      - run: |\n${script.replace(/^/gm, " ".repeat(10))}\n`);
  const job = `on: pull_request\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps.join("")}`;
  return {...FILES, ".github/workflows/ci.yml": job};
}

const stagesOf = (tree: ReturnType<typeof treeOf>): string[] =>
  planOf(tree)
    .stages.filter(({origin}) => origin.why.startsWith("CI runs it"))
    .map(({command, env}) => [...Object.entries(env).map((one) => one.join("=")), command].join(" "));

test.each([
  ["a here-document", "node - <<'E'\nprocess.exit(1)\nE", "node - <<'E'\nprocess.exit(1)\nE"],
  ["a file", "node check.js < data.txt", "node check.js < data.txt"],
  ["the file of a group", "(node check.js) < data.txt", "node check.js < data.txt"],
  ["a here-string", 'node check.js <<< "2"', 'node check.js <<< "2"'],
  ["a script as input", "bash -e <<'E'\nnpm test\nE", "npm test"],
  ["an exported value", "export FEATURE=on\nnpm test", "FEATURE=on npm test"],
  ["a value that is exported later", "FEATURE=on\nexport FEATURE && npm test", "FEATURE=on npm test"],
  [
    "a declared value",
    "declare -x NODE_OPTIONS=--throw-deprecation\nnpm test",
    "NODE_OPTIONS=--throw-deprecation npm test",
  ],
  ["a value for another shell", "export FEATURE=on\nbash -c 'npm test'", "FEATURE=on npm test"],
  ["a value of a subshell", "(export FEATURE=on)\nnpm test", "npm test"],
  ["a value that is unset again", "export FEATURE=on\nunset FEATURE\nnpm test", "npm test"],
  ["a value after a file", ". ./env.sh\nexport FEATURE=off\nnpm test", ". ./env.sh; export FEATURE=off && npm test"],
  ["a value of CI's machine", "export PATH=/opt/bin:$PATH\nnpm test", "npm test"],
  ["a value that any shell computes", "export JOBS=$(nproc)\nnpm test", "export JOBS=$(nproc) && npm test"],
  ["a file of variables", "set -a\n. ./env.sh\nset +a\nnpm test", "set -a && . ./env.sh; set +a && npm test"],
  ["a file that is not in the tree", "source .venv/bin/activate\nnpm test", "npm test"],
  [
    "options of the shell",
    "shopt -s globstar\nnode --test test/**/*.test.js",
    "shopt -s globstar && node --test test/**/*.test.js",
  ],
  ["options that change nothing", "set -euxo pipefail\nshopt -s globstar\nnpm test", "npm test"],
  ["a mask", "umask 022\nnpm test", "umask 022 && npm test"],
])("a stage with %s", (_, script, expected) => {
  expect(stagesOf(treeOf(script))).toEqual([expected]);
});

const COMPUTED = "the script of CI computes `FEATURE` before it";

test.each([
  ["node check.js | grep -q good", "its output goes to `grep`"],
  ["node check.js | tee out.log | (! cat)", "its output goes to `cat`"],
  ["echo 'process.exit(1)' | node -", "its output goes to `node`"],
  ["grep -q '## Usage' README.md", "`grep` only reads files, which earlier steps of CI may have made"],
  [
    "node check.js > out.log\n! grep -q Deprecat out.log",
    "`grep` only reads files, which earlier steps of CI may have made",
  ],
  ["jq empty data.json", "`jq` only reads files, which earlier steps of CI may have made"],
  ["awk '/x/ {exit 1}' data.txt", "`awk` only reads files, which earlier steps of CI may have made"],
  ["node check.js | tee log.txt || true", "CI goes on when it fails"],
  ["node check.js --help", "its option `--help` shows something"],
  ["FEATURE=$(./feature)\nexport FEATURE\nnpm test", COMPUTED],
  ["if test -f x; then export FEATURE=on; fi\nnpm test", COMPUTED],
  ["source ./env.sh\ncd test\nnode --test", "the script of CI changes its shell before it: `source ./env.sh`"],
])("%s is listed", (script, why) => {
  const tree = treeOf(script);
  expect(stagesOf(tree)).toEqual([]);
  expect(accountOf(tree)).toContain(`check ${script.split("\n").at(-1)}: ${why}`);
});
