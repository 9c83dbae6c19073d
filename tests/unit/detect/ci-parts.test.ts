/** The parts that reading CI files is made of: expressions, matrices, lines, names, known actions. */
import {describe, expect, it} from "vitest";
import {evaluate, fillIn, mayHold} from "../../../src/detect/ci/expression.ts";
import {commandOfAction} from "../../../src/detect/ci/known-actions.ts";
import {combinationsOf, isElsewhere} from "../../../src/detect/ci/matrix.ts";
import {notACheck} from "../../../src/detect/proposals/other-jobs.ts";
import {commandsOf} from "../../../src/detect/scripts/shell-lines.ts";
import {enter} from "../../../src/detect/scripts/shell-values.ts";

const KNOWN: Record<string, unknown> = {
  "matrix.os": "ubuntu-latest",
  "matrix.task": "lint",
  "github.event_name": "pull_request",
  "runner.os": "Linux",
  "env.FLAG": "",
};
const lookup = (path: readonly string[]): unknown => KNOWN[path.join(".")];

describe("expressions", () => {
  it.each<[string, unknown]>([
    ["matrix.task", "lint"],
    ["matrix['task']", "lint"],
    ["'it''s'", "it's"],
    ["matrix.os == 'UBUNTU-LATEST'", true],
    ["matrix.os != 'ubuntu-latest'", false],
    ["4 == '4.0'", true],
    ["4 == ''", false],
    ["matrix.os == 'windows-latest' && 'a' || 'b'", "b"],
    ["!(github.event_name == 'push')", true],
    ["startsWith(matrix.os, 'ubuntu') && contains(matrix.task, 'in')", true],
    ["env.FLAG || 'default'", "default"],
    ["github.repository == 'a/b'", undefined],
    ["false && github.repository", false],
    ["github.repository || true", undefined],
    ["format('py{0}', fromJSON('3.13'))", "py3.13"],
    ["matrix.none || format('{0}-{1}', matrix.task, matrix.os)", undefined],
    ["join(fromJSON('[\"a\", \"b\"]'), ' ')", "a b"],
    ['contains(fromJSON(\'["lint", "test"]\'), matrix.task)', true],
    ["fromJSON('{\"a\": [1, 2]}').a[1]", 2],
    ["2 > 1", true],
    ["toJSON(github)", undefined],
    ['fromJSON(\'{"__proto__": {"a": 1}}\').a', undefined],
    [Array.from({length: 20}).reduce((inner) => `format('${"{0}".repeat(9)}', ${inner})`, "'a'") as string, undefined],
    ["always() && failure()", false],
    ["fromJSON(matrix.task)", undefined],
    ["matrix.task ==", undefined],
    ["((((", undefined],
    ["a b", undefined],
    ["matrix.task; rm", undefined],
    [`${"(".repeat(600)}1${")".repeat(300)}`, undefined],
  ])("%s", (text, value) => expect(evaluate(text, lookup)).toEqual(value));

  it("fills in what is known and leaves the rest as it is written", () => {
    expect(fillIn("npm run ${{ matrix.task }} ${{ secrets.X }}", lookup)).toBe("npm run lint ${{ secrets.X }}");
  });
  it.each<[unknown, boolean]>([
    ["github.event_name == 'push'", false],
    ["${{ github.event_name == 'push' }}", false],
    ["failure()", false],
    ["runner.os == 'Windows'", false],
    ["github.repository_owner == 'me'", true],
    ["github.event_name != 'push' || github.repository == 'x'", true],
    ["!(github.repository || true)", false],
    ["github.event_name == 'push' && github.repository == 'x'", false],
    ["github.repository == 'x' && github.event_name == 'push'", false],
    [false, false],
    [undefined, true],
    [{}, true],
  ])("if %j may hold: %j", (condition, may) => expect(mayHold(condition, lookup)).toBe(may));
});

describe("matrix", () => {
  it.each<[string, unknown, unknown]>([
    ["none", undefined, [{}]],
    ["one axis", {a: [1, 2]}, [{a: 1}, {a: 2}]],
    [
      "two axes, one excluded",
      {a: [1, 2], b: ["x", "y"], exclude: [{a: 1, b: "y"}]},
      [
        {a: 1, b: "x"},
        {a: 2, b: "x"},
        {a: 2, b: "y"},
      ],
    ],
    ["include adds to what fits", {a: [1, 2], include: [{a: 2, c: 3}]}, [{a: 1}, {a: 2, c: 3}]],
    ["include adds one", {a: [1], include: [{a: 9}]}, [{a: 1}, {a: 9}]],
    ["only include", {include: [{t: "x"}, {t: "y"}]}, [{t: "x"}, {t: "y"}]],
    ["an expression", {a: "${{ fromJSON(x) }}"}, [{}]],
  ])("%s", (_, matrix, expected) => expect(combinationsOf(matrix)).toEqual(expected));

  it("bounds what would be millions of combinations", () => {
    const many = Array.from({length: 50}, (_, i) => i);
    expect(combinationsOf({a: many, b: many, c: many, d: many, e: many}).length).toBeLessThanOrEqual(256);
  });
  it.each<[unknown, boolean]>([
    ["windows-latest", true],
    ["macos-14", true],
    ["ubuntu-24.04", false],
    [["self-hosted", "linux"], false],
    ["${{ matrix.os }}", false],
  ])("%j is elsewhere: %j", (label, elsewhere) => expect(isElsewhere(label)).toBe(elsewhere));
});

describe("lines", () => {
  const lines = (text: string) =>
    commandsOf({text, cwd: ".", values: new Map([["FLAGS", "--all"]])}).map(
      (c) => `${c.cwd === "." ? "" : `${c.cwd}$ `}${c.raws.join(" ")}${c.trouble === null ? "" : " !"}`,
    );
  it.each<[string, string, string[]]>([
    ["plain", "npm ci\nnpm test", ["npm ci", "npm test"]],
    ["continuation", "pytest \\\n  -q \\\n  tests", ["pytest -q tests"]],
    ["comments and set -e", "set -e # strict\n# don't\nmake test", ["set -e", "make test"]],
    ["folders", "cd web\nnpm test\ncd ..\nmake test", ["web$ npm test", "make test"]],
    ["folder within a group", "(cd web && npm test)\nmake test", ["web$ npm test", "make test"]],
    ["a folder that only CI knows", "cd $HOME/x\nmake test", ["make test !"]],
    ["known variables", "cargo test $FLAGS", ["cargo test --all"]],
    ["variables set on the way", "export T=unit\nmake $T", ["make unit"]],
    ["unknown variables", "pytest $X", ["pytest $X !"]],
    ["a dollar in single quotes", "grep 'a$' x", ["grep 'a$' x"]],
    ["what the shell makes equally everywhere", "make -j$(nproc) test", ["make -j$(nproc) test"]],
    ["conditions are not always run", "if [ -f x ]; then\n  npm test\nfi\nmake lint", ["make lint"]],
    ["loops", "for i in a b; do npm test; done\nmake lint", ["make lint"]],
    ["a failure that is ignored", "npm test || true", ["npm test !"]],
    ["a failure that is told", "npm test || exit 1", ["npm test"]],
    ["output for a reader", "go test ./... | tee log", ["go test ./..."]],
    ["output for another check", "gofmt -l . | wc -l | xargs test 0 -eq", ["gofmt -l . !"]],
    ["a server", "npm start &\nnpm test", []],
    ["here-documents", "cat <<EOF > x\nnpm publish\nEOF\nnpm test", ["cat", "npm test"]],
    ["an open quote costs its own line", "echo 'oh\nnpm test", ["npm test"]],
    ["an expression", "npm run ${{ needs.x.outputs.y }}", ["npm run ${{ needs.x.outputs.y }} !"]],
  ])("%s", (_, text, expected) => expect(lines(text)).toEqual(expected));

  it.each<[string, string, string | null]>([
    [".", "a/b", "a/b"],
    ["a", "../b", "b"],
    ["a", "../..", null],
    ["a", "/etc", null],
    ["a", "$GITHUB_WORKSPACE/b", "b"],
    ["a", "~/x", null],
  ])("from %s into %s", (from, to, there) => expect(enter(from, to)).toBe(there));
});

describe("names", () => {
  it.each<[string, boolean]>([
    ["CI", false],
    ["Continuous Integration", false],
    ["Tests", false],
    ["build-and-publish", false],
    ["Test and deploy", false],
    ["release", true],
    ["Publish to npm", true],
    ["integration-tests", false],
    ["e2e", false],
    ["nightly.yml", true],
    ["docs.yml", false],
    ["security", false],
    ["release.yml", true],
    ["Node ${{ matrix.nightly }}", false],
  ])("%s is no check: %j", (name, out) => expect(notACheck(name) !== null).toBe(out));
});

describe("known actions", () => {
  it.each<[string, object, string | null]>([
    ["golangci/golangci-lint-action@v8", {args: "--timeout=5m"}, "golangci-lint run --timeout=5m"],
    ["astral-sh/ruff-action@v3", {}, "ruff check"],
    ["astral-sh/ruff-action@v3", {args: "format --check"}, "ruff format --check"],
    ["pre-commit/action@v3.0.1", {}, "pre-commit run --all-files"],
    ["nick-fields/retry@v3", {command: "npm test"}, "npm test"],
    ["actions/checkout@v4", {}, null],
    ["biomejs/setup-biome@v2", {}, null],
  ])("%s", (uses, inputs, command) => expect(commandOfAction(uses, inputs)).toBe(command));
});
