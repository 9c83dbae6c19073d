/** Which faults are injected into a line, and which lines get one. */
import {describe, expect, it} from "vitest";
import type {FailedTests} from "../../../src/diagnostics/failed-tests.ts";
import {chooseFaults} from "../../../src/proof/sensitivity/choose-faults.ts";
import {openCommandStates} from "../../../src/proof/sensitivity/command-states.ts";
import {faultOutcome, faultOutcomeFor} from "../../../src/proof/sensitivity/fault-outcome.ts";
import {faultsIn} from "../../../src/proof/sensitivity/mutations.ts";
import {withoutCommands} from "../../../src/proof/sensitivity/plan-runs.ts";
import {withShortRuns} from "../../../src/proof/sensitivity/short-runs.ts";
import {openTimeBudget, timeForRuns} from "../../../src/proof/sensitivity/time-budget.ts";
import type {LanguageName} from "../../../src/test-code/text/languages.ts";
import {plannedStage} from "../../rig/plans.ts";
import {stage} from "../report/records.ts";
import "../integrity/all-grammars.ts";

const variants = (code: string, language: LanguageName) =>
  faultsIn(code, language).map(
    ({from, to, replacement}) =>
      `${code.slice(0, from)}${replacement.replace("$", () => code.slice(from, to))}${code.slice(to)}`,
  );

describe("a line", () => {
  it.each<[LanguageName, string, string[]]>([
    ["javascript", "if (a < b) {", ["if (a <= b) {", "if (!(a < b)) {"]],
    [
      "javascript",
      "return isReady && count + 1;",
      [
        "return isReady || count + 1;",
        "return isReady && count - 1;",
        "return isReady && count + 2;",
        "return undefined;",
      ],
    ],
    ["javascript", "send(message);", [";"]],
    ["javascript", "const list: Array<string> = [];", []],
    ["javascript", "import {a} from './a.js';", []],
    ["python", "    if not name:", ["    if not (not name):", "    if name:"]],
    ["python", "    return a is None", ["    return a is not None", "    return None"]],
    ["python", "    for x in items:", []],
    ["python", "    raise ValueError(x)", ["    pass"]],
    ["python", "def f(a=1, *, b=True):", []],
    ["go", "if err != nil {", ["if err == nil {", "if !(err != nil) {"]],
    ["go", "return err", ["return nil"]],
    [
      "python",
      "    return a is not None and b not in c",
      [
        "    return a is not None or b not in c",
        "    return a is None and b not in c",
        "    return a is not None and b in c",
        "    return None",
      ],
    ],
    ["javascript", "    isReady &&", ["    isReady ||"]],
    ["python", "    and is_ready", ["    or is_ready"]],
    ["javascript", "this.size = size;", [";"]],
    ["python", "    self.items[key] = step", ["    pass"]],
    ["go", "s.count = n", [""]],
    ["java", "    this.size = size;", []],
    ["rust", "bytes = rest;", [""]],
    ["python", "size = rest", []],
    // A text is blank here.
    ["python", 'x = y.get("    ", [])', ['x = y.get("", [])']],
    ["javascript", "    case '  ':", ["    case '':"]],
    ["javascript", "    kind: '    ';", []],
    ["javascript", "throw new Error('   ');", [";"]],
    ["go", "c := '  '", []],
    ["javascript", "const size = a ?? b;", ["const size = a && b;"]],
    ["rust", "if let Some(x) = y {", []],
    ["rust", "let x: Vec<u8> = a.len() * 2;", ["let x: Vec<u8> = a.len() / 2;", "let x: Vec<u8> = a.len() * 3;"]],
    ["java", "Map<String, Integer> map = new HashMap<>();", []],
    ["java", "    list.add(item);", ["    ;"]],
    ["javascript", "logger.debug(a < b);", []],
    ["python", "raise NotImplementedError()", []],
    ["python", "    stacklevel=2,", []],
    ["rust", "todo!();", []],
    // Names that every object has.
    ["javascript", "constructor(toString, valueOf) {", []],
  ])("of %s: %s", (language, code, expected) => {
    expect(variants(code, language)).toEqual(expected);
  });
});

const file = (path: string, before: string | null, after: string) => ({
  ...{path, basePath: path, before, after, isExecutable: false},
  status: "modified" as const,
});

describe("a change", () => {
  const lines = (count: number) =>
    Array.from({length: count}, (_, at) => `if (a < ${at}) {\n  x(${at});\n}`).join("\n");

  it("gets at most 12 faults, spread over its new lines, none in strings, comments, tests, examples, settings and old lines", () => {
    const old = "const keep = a < b;\n";
    const change = {
      files: [
        file("src/a.ts", old, `${old}// if (a < b) {\nconst text = "a < b";\n${lines(20)}\n`),
        file("test/a.test.ts", null, lines(3)),
        ...["examples/a.ts", "eslint.config.mjs", ".babelrc.js", "src/tests.rs"].map((path) =>
          file(path, null, lines(3)),
        ),
      ],
      relatedTests: [],
      plan: null,
    };
    const faults = chooseFaults(change);
    expect(faults.length).toBe(12);
    expect(new Set(faults.map(({path}) => path))).toEqual(new Set(["src/a.ts"]));
    expect(new Set(faults.map(({line}) => line)).size).toBe(12);
    expect(Math.min(...faults.map(({line}) => line))).toBeGreaterThan(3);
    expect(chooseFaults(change)).toEqual(faults);
  });

  it("gets faults in a package of Java that is named after samples", () => {
    const path = "src/main/java/org/springframework/samples/petclinic/owner/Owner.java";
    const faultsIn = (name: string) =>
      chooseFaults({files: [file(name, "", "if (age < 2) {\n}\n")], relatedTests: [], plan: null});
    expect(faultsIn(path)).not.toEqual([]);
    expect(faultsIn(`samples/${path}`)).toEqual([]);
  });

  it("in Rust gets none in the tests inside of a source", () => {
    const tests = "#[cfg(test)]\nmod tests {\n    fn a() { if x < 2 {} }\n}\n";
    expect(chooseFaults({files: [file("src/lib.rs", "", tests)], relatedTests: [], plan: null})).toEqual([]);
  });
});

it("counts a fault only if the tests could run", () => {
  const failed = {outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 1}} as const;
  const output = (head: string) => ({output: {head, tail: "", droppedBytes: 0}});
  const counted = {tests: {passed: 2, failed: 0, skipped: 0}};
  const uncounted = {tests: null};
  expect(faultOutcome(stage(), uncounted)).toBe("not-noticed");
  expect(faultOutcome(stage({...failed, ...output("1 failed")}), uncounted)).toBe("noticed");
  expect(faultOutcome(stage({outcome: "timed-out", failureKind: "timeout"}), uncounted)).toBe("noticed");
  expect(faultOutcome(stage({...failed, ...output("error[E0308]: mismatched types")}), uncounted)).toBe("invalid");
  expect(faultOutcome(stage({...failed, failureKind: "environment"}), uncounted)).toBe("invalid");
  expect(faultOutcome(stage({outcome: "unavailable"}), uncounted)).toBe("invalid");
  // A linter in the same command found the fault.
  expect(faultOutcome(stage(failed), counted)).toBe("invalid");
  expect(faultOutcome(stage({...failed, tests: {passed: 1, failed: 1, skipped: 0}}), counted)).toBe("noticed");
  const diagnostic = {tool: "vitest", severity: "error", message: "cannot be loaded"} as const;
  expect(faultOutcome(stage({...failed, diagnostics: [{...diagnostic, file: "a.test.ts"}]}), counted)).toBe("noticed");
  expect(faultOutcome(stage({...failed, diagnostics: [{...diagnostic, file: "a.ts"}]}), counted)).toBe("invalid");
});

it("counts a fault for new tests only if one of them is seen to fail", () => {
  const test = {
    ...{path: "a.test.js", name: "is new", groups: [], line: 1, lastLine: 1},
    isNew: true,
    mayBeSkipped: false,
    hasComputedName: false,
  };
  const run = (failed: readonly string[], count = failed.length) =>
    stage({
      ...{outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 1}},
      reported: {
        tool: "node-test",
        counts: {passed: 1, failed: count, skipped: 0},
        failed: failed.map((name) => ({file: "a.test.js", name, title: name, message: "1 !== 2"})),
      },
    });
  expect(faultOutcomeFor([test], {result: run(["is new"]), verified: {tests: null}})).toBe("noticed");
  expect(faultOutcomeFor([test], {result: run(["is old"]), verified: {tests: null}})).toBe("not-noticed");
  // The runner does not say which test failed or hung: it can be an older one.
  expect(faultOutcomeFor([test], {result: run([], 1), verified: {tests: null}})).toBe("invalid");
  expect(
    faultOutcomeFor([test], {result: stage({outcome: "timed-out", failureKind: "timeout"}), verified: {tests: null}}),
  ).toBe("invalid");
});

it("counts a fault only if the command that failed with it passes later", () => {
  const command = (line: string) => ({key: line, line, expectedMs: 0});
  const run = {stage: plannedStage({name: "test", kind: "test", command: "all"}), verified: stage()};
  const named = (...names: string[]) => ({
    tool: "unittest",
    tests: names.map((name) => ({file: null, name})),
    isComplete: false,
  });
  const fail = (line: string, failed: FailedTests | null = null) =>
    states.failWithFault({run: {...run, commands: [command(line)]}, command: command(line), failed}).failed;
  const states = openCommandStates();
  const seen = () => [states.noticed(), states.unproven().map(({faults}) => faults)];
  fail("near");
  fail("near");
  fail("far");
  expect([states.passes(command("near")), ...seen()]).toEqual([undefined, 0, [2, 1]]);
  states.pass(command("near"));
  states.failWithoutFault(command("far"));
  expect([states.passes(command("near")), states.passes(command("far")), ...seen()]).toEqual([true, false, 2, []]);
  // One later run of all tests that failed is enough, if they are known.
  expect(fail("near", named("a"))).toEqual(named("a"));
  expect(fail("near", named("b", "a"))).toEqual(named("a", "b"));
  expect(fail("near")).toBeNull();
  expect(seen()).toEqual([2, [3]]);
});

it("runs the whole stage in place of chosen tests that fail without a fault, unless it takes long", () => {
  const plannedRun = (durationMs: number) => ({
    stage: plannedStage({name: "test", kind: "test", command: "all"}),
    verified: stage({durationMs}),
    commands: [
      {key: "near", line: "near", expectedMs: 0},
      {key: "far", line: "far", expectedMs: 0},
    ] as const,
  });
  const linesWithout = (broken: readonly string[], durationMs = 5000) =>
    withoutCommands(plannedRun(durationMs), ({line}) => broken.includes(line))?.commands.map(({line}) => line);
  expect([linesWithout([]), linesWithout(["far"]), linesWithout(["near", "far"])]).toEqual([
    ["near", "far"],
    ["near", "all"],
    ["all"],
  ]);
  expect([linesWithout(["far"], 40_000), linesWithout(["near", "all"])]).toEqual([undefined, undefined]);
});

it("adds options for short runs to those of the environment", () => {
  const options = (variables: Record<string, string>) => withShortRuns(variables)["MAVEN_OPTS"];
  expect(options({MAVEN_OPTS: "-Xmx1g"})).toBe("-Xmx1g -XX:TieredStopAtLevel=1");
  expect(options({})).toBe("-XX:TieredStopAtLevel=1");
});

it("predicts that runs take as long as the last one that passed", async () => {
  let now = 0;
  const budget = openTimeBudget(10_000, () => now);
  const [suite, chosen] = [
    {key: "suite", expectedMs: 9000},
    {key: "chosen", expectedMs: 0},
  ];
  expect([budget.msBefore([suite]), budget.msBefore([chosen]), budget.msBefore([suite, suite])]).toEqual([
    1000, 10_000, -8000,
  ]);
  const measure = (ms: number, outcome: "passed" | "failed") =>
    budget.measure(chosen, async () => {
      now += ms;
      return stage({outcome});
    });
  await measure(100, "failed");
  expect(budget.msBefore([chosen])).toBe(9800);
  await measure(3000, "passed");
  await measure(100, "failed");
  expect(budget.msBefore([chosen])).toBe(3800);
  expect([1000, 10_000, 100_000].map(timeForRuns)).toEqual([500, 9500, 97_000]);
});
