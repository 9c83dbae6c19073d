/** Coverage reports as the tools write them, and the commands that request them. */
import {expect, test} from "vitest";
import {joinLineRuns, readLineRuns} from "../../../src/diagnostics/reports/line-coverage.ts";
import {coverageRequestFor} from "../../../src/diagnostics/reports/request-report.ts";
import type {CoverageFormat} from "../../../src/tools/tool.ts";

const read = (format: CoverageFormat, text: string) => {
  const runs = readLineRuns(format, text, (name) => (name.includes("other") ? null : name));
  return runs && Object.fromEntries(runs);
};

// pytest-cov 7.0, coverage 7.12.
const LCOV = `SF:cli.py
DA:4,1
DA:6,1
DA:8,0
DA:9,2,checksum
LF:4
LH:3
FN:4,9,f
FNDA:1,f
end_of_record
SF:other.py
DA:1,0
end_of_record
`;

// go 1.26
const GO = `mode: set
example.org/shop/calc/calc.go:3.22,4.11 1 1
example.org/shop/calc/calc.go:4.11,6.3 1 0
example.org/shop/calc/calc.go:7.2,7.10 1 1
example.org/shop/calc/calc.go:7.2,7.10 1 0
`;

// JaCoCo 0.8.13, shortened
const JACOCO = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="shop"><sessioninfo id="a" start="1" dump="2"/><package name="org/example"><class name="org/example/Calc" sourcefilename="Calc.java"><counter type="LINE" missed="1" covered="2"/></class><sourcefile name="Calc.java"><line nr="5" mi="0" ci="3" mb="1" cb="1"/><line nr="6" mi="2" ci="0" mb="0" cb="0"/></sourcefile></package></report>`;

test("a line ran if the report of any test program says so", () => {
  expect(read("lcov", LCOV)).toEqual({"cli.py:4": true, "cli.py:6": true, "cli.py:8": false, "cli.py:9": true});
  const go = [true, true, false, false, true].map((ran, at) => [`example.org/shop/calc/calc.go:${at + 3}`, ran]);
  expect(read("goProfile", GO)).toEqual(Object.fromEntries(go));
  expect(read("jacoco", JACOCO)).toEqual({"org/example/Calc.java:5": true, "org/example/Calc.java:6": false});
  const [one, other] = [new Map([["a:1", false]]), new Map([["a:1", true]])];
  expect([joinLineRuns([one, other]), joinLineRuns([other, one])]).toEqual([other, other]);
});

test.each<[CoverageFormat, string]>([
  ["lcov", LCOV.slice(0, 40)],
  ["lcov", ""],
  ["goProfile", GO.slice(0, -3)],
  ["goProfile", LCOV],
  ["jacoco", JACOCO.slice(0, -9)],
  ["jacoco", "<testsuite/>"],
  ["jacoco", "no xml"],
])("a report that is cut off or of another kind proves nothing: %s", (format, text) => {
  expect(read(format, text)).toBeNull();
});

test("a line that no file can have is ignored, and so is a range without an end", () => {
  expect(read("lcov", "SF:a.py\nDA:0,1\nDA:x,1\nDA:-3,1\nend_of_record\n")).toEqual({});
  expect(read("goProfile", "mode: set\na.go:1.1,900000000.1 1 1\na.go\n")).toEqual({});
});

const scripts = {test: "vitest run", unit: "node --test", hooked: "node --test", prehooked: "true"};
test.each([
  ["pytest -q tests", "pytest -q tests", {PYTEST_ADDOPTS: "--cov=. --cov-report=lcov:/t/r --cov-fail-under=0"}],
  ["go test ./calc", "go test ./calc -coverprofile=/t/r -coverpkg=./src,./lib", {}],
  [
    "cd a && node --test x.js",
    "cd a && node --enable-source-maps --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=/t/r --test x.js",
    {},
  ],
  ["cargo test --lib -- a", "cargo llvm-cov --lcov --output-path=/t/r test --lib -- a", {}],
  ["mvn -q test", "mvn -q test jacoco:report", {}],
])("the lines of `%s` are recorded with the runner's own options", (command, expected, variables) => {
  const request = coverageRequestFor({command, scripts, file: "/t/r", paths: ["src/a.x", "lib/b.x"]});
  expect(request).toMatchObject({command: expected, variables});
});

test("a script's own line runs if words at its end would be files", () => {
  const request = coverageRequestFor({command: "npm run unit", scripts, file: "/t/r", paths: ["src/a.ts"]});
  expect(request?.command).toMatch(/^node --enable-source-maps .* --test$/);
});

test("the words reach the runner through a script", () => {
  const request = coverageRequestFor({command: "npm test", scripts, file: "/t/r", paths: ["src/a.ts"]});
  expect(request?.command).toMatch(/^npm test -- --coverage\.enabled=true .*--coverage\.include=src\/a\.ts/);
});

test.each([
  "npm run hooked",
  "cd a && npm run unit",
  "make test",
  "cargo +nightly test",
  "go test -cover ./...",
  "npx jest",
  "pytest --no-cov",
  "pytest | tee log",
])("no lines are recorded where the options could mean something else: %s", (command) => {
  expect(coverageRequestFor({command, scripts, file: "/t/r", paths: ["src/a.x"]})).toBeNull();
});

test("a report that repeats huge ranges is not read", () => {
  const text = `mode: set\n${"a.go:1.1,99999.1 1 1\n".repeat(1_000)}`;
  expect(readLineRuns("goProfile", text, (name) => name)).toBeNull();
});
