/** A red type check, linter or build of the base excuses the same failures only where it looked at everything (P15). */
import {expect, test} from "vitest";
import {compareWithBase} from "../../../src/diagnostics/compare.ts";
import {distill} from "../../../src/diagnostics/distill.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import {stage} from "../report/records.ts";

const red = (log: string, kind: StageResult["kind"] = "build"): StageResult =>
  stage({
    kind,
    outcome: "failed",
    failureKind: "code",
    reason: "exit code 1",
    exit: {kind: "exited", code: 1},
    output: {head: log, tail: "", droppedBytes: 0},
    diagnostics: distill({log, maxChars: 1000}).items,
  });
const same = (log: string, line: string) =>
  compareWithBase({candidate: red(log), base: red(log), line}).outcome.toString();

const TYPES = "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n";
const SYNTAX = "src/a.ts(1,7): error TS1005: ';' expected.\n";
const GCC = "a.c:1:21: error: 'missing' undeclared (first use in this function)\n";
const RUSTC = "error[E0425]: cannot find value `x`\n --> src/lib.rs:1:5\n\n";
const MYPY = "a.py:1: error: Incompatible types in assignment  [assignment]\n";

test.each<[string, string, string]>([
  ["make, which stops at the first file", `${TYPES}make: *** [Makefile:3: types] Error 1\n`, "make types"],
  ["a C compiler", GCC, "gcc -c a.c b.c"],
  ["a crate that others need", `${RUSTC}error: could not compile \`a\` (lib) due to 1 previous error\n`, "cargo check"],
  ["a Go package that others need", "vet: ./a.go:2:13: undefined: f\n", "go vet ./..."],
  ["more errors than Go prints", "./a.go:2:13: undefined: f\n./a.go:9:2: too many errors\n", "go vet ./..."],
  ["a file that tsc cannot parse", SYNTAX, "tsc --noEmit"],
  [
    "types that tsc does not find at all",
    "error TS2688: Cannot find type definition file for 'node'.\n",
    "tsc --noEmit",
  ],
  ["a configuration that tsc refuses", "tsconfig.json(3,5): error TS5101: Option 'baseUrl' is deprecated.\n", "tsc"],
  ["a file that mypy cannot parse", `${MYPY}Found 1 error in 1 file (errors prevented further checking)\n`, "mypy ."],
  ["a command in front of another", TYPES, "tsc --noEmit && node check.js"],
  ["the same tool twice", TYPES, "tsc --noEmit && tsc --noEmit -p bench"],
  ["commands in a row", TYPES, "run-s types docs"],
  ["the build mode of tsc", TYPES, "tsc -b"],
  ["packages in a row", TYPES, "turbo run types"],
  ["a line that cannot be read", TYPES, "tsc 'x"],
])("%s: not comparable", (_name, log, line) => {
  expect(same(log, line)).toBe("not-comparable");
});

test.each<[string, string, string]>([
  ["types, one command", TYPES, "tsc --noEmit"],
  ["types next to a syntax error", TYPES + SYNTAX, "tsc --noEmit"],
  ["types by the last command", TYPES, "node prepare.js && tsc --noEmit"],
  ["mypy", MYPY, "mypy ."],
  ["what only prints comes last", TYPES, "tsc --noEmit | tee log; echo done"],
  ["packages that all run", TYPES, "turbo run types --continue"],
])("%s: as on the base", (_name, log, line) => {
  expect(same(log, line)).toBe("pre-existing");
});

test("a new complaint is charged, whatever else the base could not show", () => {
  const candidate = red(`${GCC}b.c:1:9: error: expected expression\n`);
  expect(compareWithBase({candidate, base: red(GCC), line: "make"})).toMatchObject({outcome: "new"});
});
