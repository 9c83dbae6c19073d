/** Two runs compared: lost tests, and what failures of the base's tests mean. */
import {describe, expect, it} from "vitest";
import {notRun} from "../../../src/engine/stage/stage.ts";
import type {InspectedChange, InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {judgeReplay, judgeUnchanged} from "../../../src/proof/gate-runs/judge-replay.ts";
import {lostTests} from "../../../src/proof/gate-runs/lost-tests.ts";
import {ranTests} from "../../../src/proof/gate-runs/ran-tests.ts";
import {withSecondWitness} from "../../../src/proof/gate-runs/second-witness.ts";
import type {Reported, StageResult} from "../../../src/record/evidence.ts";
import type {IntegrityFinding} from "../../../src/record/finding.ts";
import {plannedStage} from "../../rig/plans.ts";
import "../integrity/all-grammars.ts";

const stage = plannedStage({name: "test", kind: "test", command: "npm test"});
const PATH = "tests/a.test.ts";
const testsOf = (...names: string[]) =>
  names.map((name) => `it("${name}", () => { expect(f("${name}")).toBe(1); });\n`).join("\n");

function resultOf(
  tests: Readonly<Record<string, "passed" | "failed" | "skipped">>,
  message = "expected 1, got 2",
): StageResult {
  const entries = Object.entries(tests).map(([key, outcome]) => {
    const [file = "", title = ""] = key.includes("|") ? key.split("|") : [PATH, key];
    return {file: file === "" ? null : file, title, outcome};
  });
  const counted = (wanted: string) => entries.filter(({outcome}) => outcome === wanted).length;
  const reported: Reported = {
    tool: "vitest",
    counts: {passed: counted("passed"), failed: counted("failed"), skipped: counted("skipped")},
    failed: entries
      .filter(({outcome}) => outcome === "failed")
      .map(({file, title}) => ({file, name: title, title, message})),
    others: entries.flatMap(({file, title, outcome}) => (outcome === "failed" ? [] : [{file, title, outcome}])),
  };
  const outcome = counted("failed") > 0 ? "failed" : "passed";
  return {
    ...notRun(stage, {outcome: "unavailable", reason: ""}),
    ...{outcome, failureKind: outcome === "failed" ? "code" : null, exit: {kind: "exited", code: counted("failed")}},
    ...{reported, tests: reported.counts},
  };
}

const file = (path: string, before: string | null, after: string | null): InspectedFile => ({
  ...{path, basePath: path, before, after, isExecutable: false},
  status: before === null ? "added" : after === null ? "deleted" : "modified",
});
const changeOf = (...files: InspectedFile[]): InspectedChange => ({files, relatedTests: [], plan: null});
const SETTINGS = file("vitest.config.ts", "a", "b");

const lost = (reference: StageResult, candidate: StageResult, change: InspectedChange) =>
  lostTests({reference, candidate, change, isWhole: true, path: "vitest.config.ts"}).map(
    ({level, path, message}) => `${level} ${path}: ${message}`,
  );

describe("lost tests", () => {
  const both = resultOf({a: "passed", b: "passed"});

  it("matches a test with the types of its parameters", () => {
    const before = resultOf({"|org.HallTest.refuses": "passed"});
    const after = resultOf({
      "|org.HallTest.refuses(int, int)[1]": "passed",
      "|org.HallTest.refuses(int, int)[2]": "passed",
    });
    expect(lost(before, after, changeOf(SETTINGS))).toEqual([]);
    const other = resultOf({"|org.HallTest.accepts(int)[1]": "passed"});
    expect(
      lost(
        resultOf({"|org.HallTest.refuses": "passed", "|org.HallTest.accepts(int)[1]": "passed"}),
        other,
        changeOf(SETTINGS),
      ),
    ).toHaveLength(1);
  });

  it("says nothing about the tests of code that the change removes too", () => {
    const removed = (path: string, before: string): InspectedFile => ({
      ...file(path, before, ""),
      status: "deleted",
      after: null,
    });
    const source = removed("src/dead.ts", "export const dead = 1;\n");
    const testing = (imports: string) => removed(PATH, `${imports}\nfor (const name of names) it(name, check);\n`);
    const dead = testing('import {dead} from "../src/dead.ts";');
    expect(lost(both, resultOf({"tests/b.test.ts|c": "passed"}), changeOf(source, dead))).toEqual([]);
    const alive = testing('import {dead} from "../src/dead.ts";\nimport {alive} from "../src/alive.ts";');
    expect(lost(both, resultOf({"tests/b.test.ts|c": "passed"}), changeOf(source, alive))).toHaveLength(1);
  });

  it("names a test that is not run any more, and blocks if the whole file is not", () => {
    expect(lost(both, resultOf({a: "passed"}), changeOf(SETTINGS))).toEqual([
      `flag ${PATH}: 1 test of the default branch is not run any more: \`b\``,
    ]);
    expect(lost(both, resultOf({"tests/c.test.ts|c": "passed"}), changeOf(SETTINGS))).toEqual([
      `block ${PATH}: 2 tests of the default branch are not run any more: \`a\`, \`b\``,
    ]);
  });

  it("reports newly skipped tests, and not those that were skipped before", () => {
    const skipped = resultOf({a: "passed", b: "skipped"});
    expect(lost(both, skipped, changeOf(SETTINGS))).toEqual([
      `flag ${PATH}: 1 test of the default branch is skipped now: \`b\``,
    ]);
    expect(lost(skipped, skipped, changeOf(SETTINGS))).toEqual([]);
  });

  it("knows moved, renamed and parametrized tests, and new tests of a runner that names no file", () => {
    expect(lost(both, resultOf({a: "passed", "tests/b.test.ts|b": "passed"}), changeOf(SETTINGS))).toEqual([]);
    expect(lost(both, resultOf({a: "passed", "b again": "passed"}), changeOf(SETTINGS))).toEqual([]);
    expect(lost(both, resultOf({a: "passed", "b[1]": "passed", "b[2]": "passed"}), changeOf(SETTINGS))).toEqual([]);
    expect(lost(both, resultOf({a: "passed", b: "passed", c: "passed"}), changeOf(SETTINGS))).toEqual([]);
  });

  it("knows a package whose tests moved to another folder", () => {
    const moved = {...file("kv/a_test.go", "package a", "package a"), basePath: "internal/a_test.go"} as InspectedFile;
    const [before, after] = ["internal", "kv"].map((name) =>
      resultOf({[`example.com/${name}|example.com/${name}`]: "passed"}),
    );
    const renamed = changeOf({...moved, status: "renamed"});
    expect(lost(before ?? both, after ?? both, renamed)).toEqual([]);
    expect(lost(before ?? both, after ?? both, changeOf(SETTINGS))).toHaveLength(1);
  });

  it("leaves removed tests to the checks of the source", () => {
    const change = changeOf(file(PATH, testsOf("a", "b"), testsOf("a")));
    expect(lost(both, resultOf({a: "passed"}), change)).toEqual([]);
  });

  it("expects no test of a deleted file whose tests use deleted code, not even the file as a test", () => {
    const code = file("src/a.ts", "export function render() {}\nexport const b = 1;\n", "export const b = 1;\n");
    const tests = (name: string) =>
      `import {${name}} from "../src/a";\nit("a", () => {\n  expect(${name}(1)).toBe(2);\n});\n`;
    const before = resultOf({a: "passed", "made in a loop": "passed", [`|${PATH}`]: "passed", "b.test.ts|c": "passed"});
    const after = resultOf({"b.test.ts|c": "passed"});
    expect(lost(before, after, changeOf(code, file(PATH, tests("render"), null)))).toEqual([]);
    expect(lost(before, after, changeOf(code, file(PATH, tests("parse"), null)))).toHaveLength(2);
  });

  it("compares counts where a run names no tests", () => {
    const bare = (passed: number): StageResult => {
      const {reported: _, ...result} = resultOf({});
      return {...result, tests: {passed, failed: 0, skipped: 0}};
    };
    expect(lost(bare(3), bare(2), changeOf(SETTINGS))).toEqual([
      "flag vitest.config.ts: 1 test is not run any more: 3 ran on the default branch, 2 run now",
    ]);
    expect(lost(bare(2), bare(3), changeOf(SETTINGS))).toEqual([]);
    const uncounted: StageResult = {...bare(0), tests: null};
    expect(lost(bare(2), uncounted, changeOf(SETTINGS))).toEqual([
      "flag vitest.config.ts: 2 tests are not run any more: 2 ran on the default branch, 0 run now",
    ]);
    expect(lost(uncounted, bare(2), changeOf(SETTINGS))).toEqual([]);
    expect(lost(bare(2), bare(1), changeOf(file(PATH, testsOf("a", "b"), testsOf("a"))))).toEqual([]);
  });

  it("reads the tests that Cargo lists, if all of them are there", () => {
    const output = (tail: string) => ({...both, reported: undefined, output: {head: "", tail, droppedBytes: 0}});
    const text =
      "     Running tests/a.rs (target/debug/deps/a-1)\n\nrunning 2 tests\ntest adds ... ok\ntest tests::zero ... ignored\n";
    const {reported: _, ...listed} = output(text);
    expect(ranTests(listed)).toEqual([
      {file: "tests/a.rs", title: "adds", outcome: "passed"},
      {file: "tests/a.rs", title: "tests::zero", outcome: "skipped"},
    ]);
    const {reported: __, ...cut} = output("running 2 tests\ntest adds ... ok\n");
    expect(ranTests(cut)).toBeNull();
  });

  it("does not take a module of unittest that could not be loaded for a test", () => {
    const {reported: _, ...result} = both;
    const listed = (name: string) => {
      const tail = `test_b (tests.test_b.B.test_b) ... ok\ntest_a (${name}) ... ERROR\n\nRan 2 tests in 0.001s\n`;
      return ranTests({...result, output: {head: "", tail, droppedBytes: 0}})?.map(({title}) => title);
    };
    expect(listed("unittest.loader._FailedTest.test_a")).toEqual(["test_b"]);
    expect(listed("unittest.loader._FailedTest")).toEqual(["test_b"]);
    expect(listed("tests.test_a.A.test_a")).toEqual(["test_b", "test_a"]);
  });
});

describe("the base's tests on the change", () => {
  const weakened: IntegrityFinding = {
    ...{check: "weakened-tests", level: "flag", path: PATH, line: 3, message: "", fix: ""},
  };
  const loosened: IntegrityFinding = {...weakened, check: "settings", path: "vitest.config.ts"};
  const test = file(PATH, testsOf("a"), testsOf("a").replace("toBe(1)", "toBe(2)"));
  const judge = (result: StageResult, findings: IntegrityFinding[], ...gate: InspectedFile[]) =>
    judgeReplay({
      result,
      findings,
      change: changeOf(test, ...gate),
      touched: {tests: [test], gate, data: [], checks: [], dependencies: []},
    }).map(({level, path}) => `${level} ${path}`);

  it("a failure is a note if the tests of the change assert as much, and a flag if they assert less", () => {
    expect(judge(resultOf({a: "failed"}), [])).toEqual([`note ${PATH}`]);
    expect(judge(resultOf({a: "failed"}), [{...weakened, level: "note"}])).toEqual([`note ${PATH}`]);
    expect(judge(resultOf({a: "failed"}), [weakened])).toEqual([`flag ${PATH}`]);
    expect(judge(resultOf({a: "passed"}), [weakened])).toEqual([]);
  });

  it("a failed test that the change skips under a condition is a flag, whatever the condition says", () => {
    const skipped = file(PATH, testsOf("a"), testsOf("a").replace("it(", 'it.skipIf(process.platform === "win32")('));
    const replay = {
      findings: [],
      change: changeOf(skipped),
      touched: {tests: [skipped], gate: [], data: [], checks: [], dependencies: []},
    };
    expect(judgeReplay({...replay, result: resultOf({a: "failed"})})).toMatchObject([{level: "flag", path: PATH}]);
  });

  it("a deleted test whose code is gone too cannot run, and compares nothing", () => {
    const gone = file("src/a.test.js", testsOf("a"), null);
    const error = {
      tool: "node-test",
      severity: "error",
      testId: "src/a.test.js: test failed",
      message: "exit 1",
    } as const;
    const {reported: _, ...result} = resultOf({});
    const replayed: StageResult = {...result, outcome: "failed", failureKind: "code", diagnostics: [error]};
    const touched = {tests: [gone], gate: [SETTINGS], data: [], checks: [], dependencies: []};
    const judged = judgeReplay({result: replayed, findings: [], change: changeOf(gone, SETTINGS), touched});
    expect(judged).toMatchObject([{level: "note", message: expect.stringContaining("cannot run on this change")}]);
  });

  it("a failed shell test without names is a flag if the change only adds to it", () => {
    const before = 'fail=0\n[ "$(./sum 1 2)" = 3 ] || fail=1\nexit $fail\n';
    const judgeShell = (after: string) => {
      const shellTest = file("tests/sum.sh", before, after);
      const replay = {
        findings: [],
        change: changeOf(shellTest),
        touched: {tests: [shellTest], gate: [], data: [], checks: [], dependencies: []},
      };
      return judgeReplay({...replay, result: {...resultOf({}), outcome: "failed", failureKind: "code"}})[0]?.level;
    };
    expect(judgeShell(before.replace("exit", "fail=$((fail * 0))\nexit"))).toBe("flag");
    expect(judgeShell(before.replace("1 2", "1 3"))).toBe("note");
    expect(judgeShell(before.replace("1 2", "1 3").replace("exit", "# sum 1 2 = 3\nexit"))).toBe("note");
  });

  it("a failure that the request may ask for is one sentence, with what takes the place of the tests", () => {
    const [a, c] = [testsOf("a"), testsOf("c").replace("f(", "g(").replace("toBe(1)", "toEqual([3])")];
    const changed = file(PATH, `${a}\n${testsOf("b")}`, `${a.replace("toBe(1)", "toBe(2)")}\n${testsOf("b")}\n${c}`);
    const touched = {tests: [changed], gate: [], data: [], checks: [], dependencies: []};
    const result = resultOf({a: "failed", b: "passed"});
    expect(judgeReplay({result, findings: [], change: changeOf(changed), touched})).toMatchObject([
      {
        level: "note",
        message:
          "Tests of the default branch fail on this change: `a`; in their place the change has `a` (changed), `c` (new)",
      },
    ]);
  });

  it("a failed test whose data the change only removes is a flag, and a note if the data expects something else", () => {
    const judgeData = (after: string) => {
      const data = file("tests/cases.json", "[[1, 2], [3, 4]]", after);
      const touched = {tests: [], gate: [], data: [data], checks: [], dependencies: []};
      return judgeReplay({result: resultOf({a: "failed"}), findings: [], change: changeOf(data), touched})[0]?.level;
    };
    expect(judgeData("[[1, 2]]")).toBe("flag");
    expect(judgeData("[[1, 2], [3, 5]]")).toBe("note");
  });

  it("an unchanged test that needs the new helper is a flag, and blocks if the configuration was loosened", () => {
    const other = resultOf({"tests/b.test.ts|b": "failed"});
    expect(judge(other, [], SETTINGS)).toEqual(["flag vitest.config.ts"]);
    const judged = judgeReplay({
      ...{result: other, findings: [loosened], change: changeOf(test, SETTINGS)},
      touched: {tests: [test], gate: [SETTINGS], data: [], checks: [], dependencies: []},
    });
    expect(withSecondWitness(judged, [loosened]).map(({level, path}) => `${level} ${path}`)).toEqual([
      "block vitest.config.ts",
    ]);
  });

  it("a test that fails as on the base is a flag, because only its expectation is changed", () => {
    const judged = (replay: StageResult, base: StageResult) =>
      judgeUnchanged(
        {
          result: replay,
          findings: [],
          change: changeOf(test),
          touched: {tests: [test], gate: [], data: [], checks: [], dependencies: []},
        },
        {base, candidate: resultOf({a: "passed"})},
      )?.message ?? null;
    const [failed, other] = [resultOf({a: "failed"}), resultOf({a: "failed"}, "expected 1, got 3")];
    expect(judged(failed, failed)).toMatch(/`a`$/);
    expect(judged(failed, other)).toBeNull();
    const [atLine, alsoAtLine] = ["got 2\n  at tests/a.test.ts:4:5", "got 3\n  at tests/a.test.ts:4:5"];
    const [there, elsewhere] = [atLine, "got 2\n  at tests/a.test.ts:9:5"].map((text) => resultOf({a: "failed"}, text));
    expect(judged(resultOf({a: "failed"}, alsoAtLine), there ?? failed)).toMatch(/`a`$/);
    expect(judged(resultOf({a: "failed"}, alsoAtLine), elsewhere ?? failed)).toBeNull();
    expect(judged(failed, resultOf({b: "failed", a: "passed"}))).toBeNull();
    expect(judged(failed, resultOf({a: "passed"}))).toBeNull();
    const missing = resultOf({a: "failed"}, "TypeError: f is not a function");
    expect(judged(missing, missing)).toBeNull();
    // A name of a file may have the signs of a regular expression.
    const odd = (text: string) => resultOf({"tests/(a+)+c++.test.ts|a": "failed"}, text);
    const frame = "at tests/(a+)+c++.test.ts:4:5";
    expect(judged(odd(`got 2\n  ${frame}`), odd(`got ${"a".repeat(60)}\n  ${frame}`))).toMatch(/`a`$/);
    // Without names, the base must print the same failed cases.
    const printed = (text: string): StageResult => {
      const {reported: _, ...rest} = resultOf({a: text.includes("FAIL") ? "failed" : "passed"});
      return {...rest, output: {head: text, tail: "", droppedBytes: 0}};
    };
    const unnamed = (base: string) =>
      judgeUnchanged(
        {
          result: printed("cc a.c\nFAIL a\n-1\n+2\n"),
          findings: [],
          change: changeOf(test),
          touched: {tests: [test], gate: [], data: [], checks: [], dependencies: []},
        },
        {base: printed(base), candidate: printed("cc a.c\nok\n")},
      );
    expect(unnamed("cc b.c\nFAIL a\n-1\n+2\n")?.level).toBe("flag");
    expect(unnamed("FAIL a\n-1\n+3\n")?.level).toBe("flag");
    expect(unnamed("FAIL b\n-1\n+2\n")).toBeNull();
  });

  it("a test that lacks code compares nothing", () => {
    const missing = resultOf({"tests/b.test.ts|b": "failed", a: "failed"}, "TypeError: f is not a function");
    expect(judge(missing, [weakened, loosened], SETTINGS)).toEqual([`note ${PATH}`]);
  });

  it("a test that asserts the same, but with other code around it, is a flag", () => {
    const title = "a";
    const tests = `import {f} from "./f.js";\nconst want = "x";\nbeforeEach(() => reset());\n${testsOf(title)}`;
    const judged = (find: string, replacement: string, ...gate: InspectedFile[]) => {
      const changed = file(PATH, tests, tests.replace(find, replacement));
      const code = file("src/f.ts", "export const f = 1;\n", "export const f = (strict: boolean) => 2;\n");
      const touched = {tests: [changed], gate, data: [], checks: [], dependencies: []};
      const replayed = {result: resultOf({[title]: "failed"}), findings: [], change: changeOf(changed, code, ...gate)};
      return judgeReplay({...replayed, touched}).map(({level, path, line}) => `${level} ${path}:${line}`);
    };
    const helper = file("tests/support.ts", "export const a = 1;\n", "export const a = 2;\n");
    expect(judged("./f.js", "./f.stable.js")).toEqual([`flag ${PATH}:1`]);
    expect(judged("reset()", "accept()")).toEqual([`flag ${PATH}:3`]);
    expect(judged('expect(f("a"))', 'const expect = quiet;\n  expect(f("a"))')).toEqual([`flag ${PATH}:4`]);
    expect(judged('"x"', '"y"', helper)).toEqual(["flag tests/support.ts:null"]);
    // Other values, words of the changed code, and new imports and helpers can follow the requested behavior.
    expect(judged('"x"', '"y"')).toEqual([`note ${PATH}:null`]);
    expect(judged('"a")).toBe', '"b")).toBe', helper)).toEqual([`note ${PATH}:null`]);
    expect(judged('expect(f("a"))', 'const strict = true;\n  expect(f("a"))')).toEqual([`note ${PATH}:null`]);
    expect(judged("{f}", "{f, g}")).toEqual([`note ${PATH}:null`]);
    expect(judged("beforeEach", "function more() {\n  g();\n}\nbeforeEach")).toEqual([`note ${PATH}:null`]);
  });
});
