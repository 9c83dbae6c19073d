/** The reporters of `assay verify`: what each prints for each kind of result, read by other programs' readers. */
import {createRequire} from "node:module";
import {Ajv} from "ajv";
import addFormats from "ajv-formats";
import {parse as parseJunit, type TestSuites} from "junit2json";
import pc from "picocolors";
import {describe, expect, it} from "vitest";
import {verdictExitCode} from "../../../src/cli/reporters/charged.ts";
import {codeFrame} from "../../../src/cli/reporters/code-frame.ts";
import {annotationsOf} from "../../../src/cli/reporters/github.ts";
import {toJunit} from "../../../src/cli/reporters/junit.ts";
import {lineReporter} from "../../../src/cli/reporters/line.ts";
import {fitColumns} from "../../../src/cli/reporters/plain-text.ts";
import {progressReporter} from "../../../src/cli/reporters/progress.ts";
import type {ReporterOptions} from "../../../src/cli/reporters/reporter.ts";
import {resultText} from "../../../src/cli/reporters/result-text.ts";
import {recordToSarif} from "../../../src/cli/reporters/sarif.ts";
import {treeReporter} from "../../../src/cli/reporters/tree.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import type {Try} from "../../../src/record/tries.ts";
import {attempt, record, stage} from "../report/records.ts";
import {SCENES} from "../report/scenes.ts";
import {openScreen} from "./screen.ts";

const source = 'import {parse} from "../src/parse.ts";\n\ntest("x", () => {\n\tassert.equal(1, 2);\n});\n';
const failure = {
  tool: "vitest",
  message: "boom",
  severity: "error" as const,
  file: "a.test.ts",
  path: "a.test.ts",
  line: 4,
  column: 2,
};
const failed = stage({outcome: "failed", failureKind: "code", reason: "exit code 1", diagnostics: [failure]});
const failedRecord = record({attempts: [attempt({stages: [failed]})], verdict: {kind: "failed", stages: ["test"]}});

/** Every scene, and one record for each way in which a stage can be excused or remain unknown. */
const RECORDS: Readonly<Record<string, RunRecord>> = {
  ...SCENES,
  excused: record({
    attempts: [
      attempt({
        stages: [
          {...failed, baseline: {outcome: "pre-existing", new: [], preexisting: [failure], fixed: 0, why: ""}},
          stage({...failed, name: "lint", kind: "lint", optional: true}),
        ],
      }),
    ],
    verdict: {kind: "verified-with-preexisting", stages: ["test"]},
  }),
  "missing tool": record({
    attempts: [attempt({stages: [stage({outcome: "unavailable", failureKind: "environment", reason: "no `go`"})]})],
    verdict: {kind: "unverified", why: "unavailable", detail: "test"},
  }),
  "hostile names": record({
    attempts: [
      attempt({
        stages: [
          stage({
            ...failed,
            name: "a<b>&\"'\u0007\ud800",
            reason: "]]> ::error::x",
            diagnostics: [{...failure, testId: "a\u001b[31m<x>\n::set-output name=a::b", message: "%0A::error::y,z"}],
          }),
        ],
      }),
    ],
    verdict: {kind: "failed", stages: ["test"]},
  }),
};

function optionsWith(out: ReporterOptions["out"], over: Partial<ReporterOptions> = {}): ReporterOptions {
  const readText = async (path: string) => (path === "a.test.ts" ? source : null);
  return {out, err: {write() {}}, colors: pc.createColors(false), isQuiet: false, readText, ...over};
}

async function lines(of: RunRecord, over: Partial<ReporterOptions> = {}): Promise<string> {
  let text = "";
  const reporter = lineReporter(optionsWith({write: (part) => (text += part)}, over));
  for (const result of of.attempts.at(-1)?.verification?.stages ?? [])
    reporter.onEvent({kind: "stage-finished", result, index: 1, of: 1});
  await reporter.finish(of);
  reporter.close();
  return text;
}

it("shows a setup that passes on the base and on the candidate once, and a failure after a success", async () => {
  const setup = stage({name: "setup", kind: "check", command: "npm ci"});
  const broken = {...setup, outcome: "failed" as const, failureKind: "code" as const, reason: "exit code 1"};
  for (const [first, second, lines] of [
    [setup, setup, 1],
    [setup, broken, 2],
    [broken, broken, 1],
    [broken, setup, 1],
  ] as const) {
    let text = "";
    const reporter = lineReporter(optionsWith({write: (part) => (text += part)}, {}));
    for (const result of [first, second]) reporter.onEvent({kind: "setup-finished", result});
    await reporter.finish(record({attempts: [attempt({setup: [second]})]}));
    expect(text.match(/^\S+ +setup /gm)).toHaveLength(lines);
  }
});

it("labels the setup of the change, if the base was set up, too", async () => {
  const setup = stage({name: "setup", kind: "check", command: "npm ci"});
  let errors = "";
  const err = {write: (part: string) => (errors += part)};
  const progress = progressReporter(optionsWith({write() {}}, {err}), () => "");
  const screen = openScreen({columns: 60, rows: 20});
  const tree = treeReporter(optionsWith(screen));
  for (const reporter of [progress, tree])
    for (const kind of ["setup-started", "setup-finished", "setup-started", "setup-finished"] as const)
      reporter.onEvent(kind === "setup-started" ? {kind, command: "npm ci"} : {kind, result: setup});
  expect(errors).toMatch(/^✅ setup .*\n✅ setup \(change\) .*\n$/);
  await expect.poll(() => screen.text(), {timeout: 60_000}).toMatch(/^✅ setup \(change\) /);
  tree.close();
});

it("annotates failures in files that the change did not touch, because they fail through the change", () => {
  expect(failedRecord.attempts[0]?.changes.map(({path}) => path)).not.toContain("a.test.ts");
  expect(annotationsOf(failedRecord).shown).toContainEqual(expect.objectContaining({file: "a.test.ts", line: 4}));
});

describe.each(Object.entries(RECORDS))("%s", (_, scene) => {
  const isGood = verdictExitCode(scene.verdict) === 0;

  it("is valid JUnit with a failure or an error exactly when the exit code is not 0", async () => {
    const suites = (await parseJunit(toJunit(scene))) as TestSuites;
    expect((suites.failures ?? 0) + (suites.errors ?? 0) === 0).toBe(isGood);
    const cases = suites.testsuite?.flatMap(({testcase}) => testcase ?? []) ?? [];
    expect(cases).toHaveLength(suites.tests ?? 0);
    expect(cases.filter((one) => one.failure || one.error).length === 0).toBe(isGood);
  });

  it("is valid SARIF with a place for each result", () => {
    const sarif = recordToSarif(scene);
    expect(validateSarif(sarif) || validateSarif.errors).toBe(true);
    const {runs} = sarif as {runs: {results: {locations: unknown[]}[]; invocations: {exitCode: number}[]}[]};
    expect(runs[0]?.invocations[0]?.exitCode).toBe(verdictExitCode(scene.verdict));
    for (const {locations} of runs[0]?.results ?? []) expect(locations).toHaveLength(1);
  });

  it("has an error annotation exactly when the exit code is not 0", () => {
    const annotations = annotationsOf(scene).shown;
    expect(annotations.some(({level}) => level === "error")).toBe(!isGood);
    for (const level of ["error", "warning"])
      expect(annotations.filter((one) => one.level === level).length).toBeLessThanOrEqual(10);
  });
});

it("counts as many failed tests in JUnit as the record, whatever their names and places are", async () => {
  const at = (message: string) => ({...failure, testId: "adds", message});
  const counts = async (messages: readonly string[], failedCount: number) => {
    const tests = {passed: 2, failed: failedCount, skipped: 0};
    const stages = [stage({...failed, diagnostics: messages.map(at), tests})];
    const scene = record({attempts: [attempt({stages})], verdict: {kind: "failed", stages: ["test"]}});
    const passed = {file: null, title: "other", outcome: "passed" as const};
    const listed = new Map([[stages[0]?.name ?? "", [passed, passed]]]);
    const suites = (await parseJunit(toJunit(scene, listed))) as TestSuites;
    const suite = suites.testsuite?.find(({name}) => name === stages[0]?.name);
    return {all: suite?.tests, failures: suite?.failures};
  };
  expect(await counts(["-1 == 3", "-10 == 30", "-1 == 11"], 4)).toEqual({all: 6, failures: 4});
  expect(await counts(["-1 == 3", "-10 == 30"], 1)).toEqual({all: 3, failures: 1});
});

const schema = createRequire(import.meta.url)("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
// Its draft is older than what the validator knows, but it uses no other keyword that changed.
const {$schema: _, id: __, ...draftless} = schema;
const validateSarif = addFormats.default(new Ajv({strict: false, unicodeRegExp: false})).compile(draftless);

it("the schema refuses what is not SARIF", () => {
  const {runs} = recordToSarif(failedRecord) as {runs: object[]};
  expect(validateSarif({version: "2.1.0", runs: [{...runs[0], results: [{level: "fatal"}]}]})).toBe(false);
});

describe("text", () => {
  it("has the test, its message, the place and the code there, and nothing twice", async () => {
    const named = {...failure, testId: "adds", message: "expected 1 to be 2"};
    const scene = record({
      attempts: [attempt({stages: [{...failed, diagnostics: [named]}]})],
      verdict: {kind: "failed", stages: ["test"]},
    });
    const text = await lines(scene);
    expect(text).toContain(
      [
        "  adds",
        "    expected 1 to be 2",
        "    a.test.ts:4:2",
        "      2 |",
        '      3 | test("x", () => {',
        "    > 4 |   assert.equal(1, 2);",
        "        |   ^",
        "      5 | });",
      ].join("\n"),
    );
    for (const once of ["expected 1 to be 2", "npm test", "Tests failed"]) expect(text.split(once)).toHaveLength(2);
    expect(text).toMatch(/❌ Tests failed · [\d.]+ .* · 2 changed files · snapshot 777777777777\n/);
  });

  it("shows the output only if no failure with a place was read from it", async () => {
    const excerpt = "something broke";
    const unplaced = {tool: "make", message: "it broke", severity: "error" as const};
    const withStage = (over: object) =>
      lines(record({attempts: [attempt({stages: [{...failed, excerpt, ...over}]})]}), {isQuiet: true});
    expect(await withStage({})).not.toContain("│ something broke");
    expect(await withStage({diagnostics: [unplaced]})).toContain("  it broke\n  │ something broke");
    expect(await withStage({diagnostics: []})).toContain("  │ something broke");
  });

  it("is empty after a plain success with --quiet, and has the failures otherwise", async () => {
    expect(await lines(SCENES["verified-first-try"] ?? record(), {isQuiet: true})).toBe("");
    const text = await lines(failedRecord, {isQuiet: true});
    expect(text).toMatch(/^❌ test: failed: exit code 1 \(npm test\)\n {2}boom\n {2}a\.test\.ts:4:2\n/);
  });

  it("has the values of exactly this failure", async () => {
    const message = "Expected values to be strictly equal:";
    const scene = (testId: string, detail: string) =>
      record({attempts: [attempt({stages: [{...failed, diagnostics: [{...failure, testId, message, detail}]}]})]});
    expect(await lines(scene("one", "1 !== 2"))).toContain(`${message} 1 !== 2\n`);
    expect(
      annotationsOf({...scene("two", "13 !== 12"), verdict: {kind: "failed", stages: ["test"]}}).shown,
    ).toMatchObject([
      {title: "Assay: Tests failed"},
      {title: "test: two", message: `${message} 13 !== 12`, file: "a.test.ts", line: 4, column: 2},
    ]);
  });
});

it("a code frame has only lines that exist", () => {
  expect(codeFrame("one\ntwo", {line: 3})).toEqual([]);
  expect(codeFrame("one\ntwo\n", {line: 2, column: 99})).toEqual(["  1 | one", "> 2 | two"]);
  expect(codeFrame("\u001b[2Jx", {line: 1, column: 1})).toEqual(["> 1 | [2Jx"]);
});

it("a line is cut to the columns of the terminal", () => {
  expect(fitColumns("abcdef", 7)).toBe("abcdef");
  expect(fitColumns("abcdef", 4)).toBe("abc…");
  expect(fitColumns("✅ abcdef", 6)).toBe("✅ ab…");
  expect(fitColumns("\u001b[2mabcdef\u001b[22m", 4)).toBe("\u001b[2mabc…\u001b[22m");
});

describe("the tree", () => {
  const planned = [stage({name: "lint"}), stage({name: "test"})].map(({name}) => ({name}) as never);

  it("shows each stage, keeps the results, and prints failures above", async () => {
    const screen = openScreen({columns: 60, rows: 20});
    const reporter = treeReporter(optionsWith(screen));
    expect(screen.text()).toMatch(/^⠋ {2}Preparing a clean checkout · 0\.0 s$/);
    reporter.onEvent({kind: "planned", stages: planned});
    reporter.onEvent({kind: "setup-started", command: "npm ci"});
    reporter.onEvent({kind: "stage-started", stage: {name: "test"} as never, index: 2, of: 2});
    await expect
      .poll(() => screen.text(), {timeout: 60_000})
      .toMatch(/^. {2}setup +\d+\.\d s\n· {2}lint\n. {2}test +\d+\.\d s\n. {2}0 of 3 · /u);
    reporter.onEvent({kind: "stage-finished", result: failed, index: 2, of: 2});
    await expect
      .poll(() => screen.text(), {timeout: 60_000})
      .toMatch(/^❌ test .*\n {2}boom\n[\s\S]*\n\n. {2}setup .*\n· {2}lint\n❌ test /u);
    await reporter.finish(failedRecord);
    reporter.close();
    expect(screen.text()).toMatch(/boom[\s\S]*\n✅ setup .*\n\n❌ Tests failed/);
    expect(screen.text().match(/❌ test\b/g)).toHaveLength(1);
    expect(screen.text().split("boom")).toHaveLength(2);
    expect(screen.isCursorVisible()).toBe(true);
  });

  it("fits into a small window, and leaves nothing if nothing could start", () => {
    const screen = openScreen({columns: 20, rows: 6});
    const reporter = treeReporter(optionsWith(screen));
    const stages = Array.from({length: 30}, (_, i) => ({name: `a long name of stage ${i}`}) as never);
    reporter.onEvent({kind: "planned", stages});
    return expect
      .poll(() => screen.text(), {timeout: 60_000})
      .toMatch(/^…28 more lines\n· {2}a long name of s…\n· .*\n. {2}0 of 30 · \d+\.\d s$/u)
      .finally(() => {
        reporter.close();
        expect(screen.text()).toBe("");
      });
  });
});

it("the error of a partial run does not say that checks passed", () => {
  const partial = SCENES["partial-request"] as RunRecord;
  const title = "Other required checks were not run";
  expect(annotationsOf(partial).shown[0]).toMatchObject({level: "error", title: `Assay: ${title}`});
  expect(toJunit(partial)).toContain(`<error message="${title}">`);
});

it("names each try at the end with its result, and the tests of another session", () => {
  const usage = {input: 1, output: 1, cacheRead: 0, cacheWrite: 0, costUsd: 0.01};
  const tryOf = (number: number, more: Partial<Try> = {}): Try => ({
    ...{number, candidate: null, verdict: {kind: "verified"}, findings: 0, lines: 3, usage, durationMs: 1, ...more},
  });
  const rows = [
    tryOf(1, {
      heldOut: {part: 1, all: 2},
      findings: 1,
      executed: {part: 2, all: 3},
      ref: "refs/heads/assay/parked/run-1",
    }),
    tryOf(2, {heldOut: {part: 2, all: 2}, foreignFailed: {part: 0, all: 0}}),
    tryOf(3, {verdict: {kind: "failed", stages: ["test"]}, unsaved: "secret"}),
  ];
  const test = {path: "a.test.js", name: "a", line: 1, text: "", about: [], uncounted: null};
  const tests = [
    {...test, onCandidate: "passes" as const},
    {...test, onCandidate: "fails" as const},
  ];
  const heldOut = {commit: "c".repeat(40), tests, problem: "", usage, durationMs: 1};
  const text = resultText(record({tries: {mode: "best", chosen: 2, ties: [], rows}, heldOut}), pc.createColors(false));
  expect(text).toContain("before the work: 2 written, 2 used, 1 passed ($0.01).");
  expect(text.split("\n").filter((line) => line.startsWith("Try "))).toEqual([
    "Try 1: ✅ verified (tests: 1/2) · 3 lines · 1 finding · 2/3 changed lines executed · $0.01 · saved on assay/parked/run-1",
    "Try 2: ✅ verified (tests: 2/2) · 3 lines · $0.01 · chosen",
    "Try 3: ❌ failed · 3 lines · $0.01 · ⚠️ not saved: it may contain a secret",
  ]);
  expect(resultText(record(), pc.createColors(false))).not.toContain("Try ");
});
