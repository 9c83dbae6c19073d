/** Which tests of a change are new, how a command is limited to them, and why a test fails on the base. */
import {describe, expect, it} from "vitest";
import {chooseTests} from "../../../src/diagnostics/rerun.ts";
import {altersSources, changedTests, withInlineTestsOf} from "../../../src/integrity/changed-tests/new-tests.ts";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {biteReason} from "../../../src/proof/bite/failure-reason.ts";
import {judgeBite} from "../../../src/proof/bite/judge-bite.ts";
import {stage} from "../report/records.ts";
import "../integrity/all-grammars.ts";

const file = (path: string, before: string | null, after: string | null): InspectedFile => ({
  ...{path, basePath: path, before, after, isExecutable: false},
  status: before === null ? "added" : after === null ? "deleted" : "modified",
});
const change = (...files: InspectedFile[]) => ({files, relatedTests: [], plan: null});

describe("the tests of a change", () => {
  it("are those with another body, not those with another format", () => {
    const before = 'test("a", () => {\n  expect(1).toBe(1);\n});\ntest("b", () => { expect(2).toBe(2); });\n';
    const after = `test("a", () => { expect(1).toBe(1) });\ntest("b", () => { expect(2).toBe(3); });\ndescribe("g", () => {\n  test("c", () => { expect(f()).toBe(1); });\n});\n`;
    expect(changedTests(change(file("a.test.ts", before, after)))).toMatchObject([
      {name: "c", groups: ["g"], isNew: true, line: 4},
      {name: "b", groups: [], isNew: false, line: 2},
    ]);
  });

  it("are also those with other values in a decorator", () => {
    const text = (rows: string) => `@pytest.mark.parametrize("n", [${rows}])\ndef test_a(n):\n    assert f(n)\n`;
    const tests = (...rows: [string, string]) => changedTests(change(file("test_a.py", text(rows[0]), text(rows[1]))));
    expect([tests("1", "1, 2"), tests("1, 2", "1,  2,")]).toMatchObject([[{name: "test_a", isNew: false}], []]);
  });

  it("are in Python also those of a mixin, and those next to a class with a constructor", () => {
    const inClass = (head: string, body: string) => `class ${head}:\n    def test_a(self):\n${body}`;
    const double = "        class Double:\n            def __init__(self): pass\n";
    const text = `${inClass("Mixin", "        assert f()\n")}\n${inClass("TestOne(Mixin)", "        pass\n")}\n`;
    const other = `${inClass("TestTwo", `${double}        assert f(Double())\n`)}\n${inClass("Helper", "        pass\n")}`;
    const tests = changedTests(change(file("test_a.py", null, text + other)));
    expect(tests.map(({groups}) => groups[0])).toEqual(["Mixin", "TestOne", "TestTwo"]);
  });

  it("come with a change of sources, unless only tests, data and documents differ", () => {
    expect(altersSources(change(file("test/a.test.ts", "a", "b"), file("README.md", "a", "b")))).toBe(false);
    expect(altersSources(change(file("test/a.test.ts", "a", "b"), file("src/a.html", "a", "b")))).toBe(true);
  });

  it("are moved to the base's source in Rust", () => {
    const tests = (body: string) => `#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { ${body} }\n}\n`;
    const rust = file("src/lib.rs", `fn f() {}\n\n${tests("f()")}`, `fn f() { g() }\n\n${tests("assert!(true)")}`);
    expect(withInlineTestsOf(rust)).toBe(`fn f() {}\n\n${tests("assert!(true)")}`);
    const testsOnly = file("src/lib.rs", `fn f() {}\n${tests("f()")}`, `fn f() {}\n${tests("f(); f()")}`);
    expect([altersSources(change(rust)), altersSources(change(testsOnly))]).toEqual([true, false]);
  });
});

it.each([
  ["npm test", {test: "vitest run"}, /^npm test -- \S+ test\/a\.test\.ts$/],
  ["npm test", {test: "mocha"}, "npm test -- --grep '^(?:group does it)$'"],
  ["python3 -m pytest -q", {}, "python3 -m pytest -q test/a.test.ts"],
  ["python -m unittest", {}, "python -m unittest -k 'group.does it'"],
  ["go test ./...", {}, "go test -v -count=1 ./test"],
  ["cargo test --workspace", {}, "cargo test --workspace -- 'does it'"],
  ["./mvnw -B verify", {}, /^\.\/mvnw -B verify -Dtest=a\.test -Dsurefire\S+ \S+$/],
  ["mvn test -Dtest=Other", {}, null],
  ["bash run-tests.sh", {}, null],
])("%s is limited to chosen tests", (command, scripts, expected) => {
  const tests = [{file: "test/a.test.ts", groups: ["group"], name: "does it"}];
  const chosen = chooseTests({command, files: ["test/a.test.ts"], tests, scripts});
  if (expected instanceof RegExp) expect(chosen).toMatch(expected);
  else expect(chosen).toBe(expected);
});

it.each([
  ["mvn test", 60, /^mvn test -Dtest=ATest -D/],
  ["cargo test", 50, /^cargo test -- 't 0' /],
  ["cargo test", 60, null],
])("%s with %i chosen tests of one file", (command, count, expected) => {
  const tests = Array.from({length: count}, (_, at) => ({file: "src/ATest.java", groups: [], name: `t ${at}`}));
  const chosen = chooseTests({command, files: ["src/ATest.java"], tests, scripts: {}});
  if (expected === null) expect(chosen).toBeNull();
  else expect(chosen).toMatch(expected);
});

it.each([
  ["npm test", {test: "vitest run"}, / test\/a\.test\.ts --bail=1$/],
  ["npm test", {test: "jest"}, / --bail=1$/],
  ["npm test", {test: "mocha"}, "npm test -- --grep '^(?:group does it)$' --bail"],
  ["python3 -m pytest -q", {}, "python3 -m pytest -q test/a.test.ts -x"],
  ["python -m unittest", {}, "python -m unittest -k 'group.does it' --failfast"],
  ["go test ./...", {}, "go test -v -count=1 -failfast ./test"],
  ["mvn test", {}, / -Dsurefire\.skipAfterFailureCount=1$/],
  ["cargo test", {}, "cargo test -- 'does it'"],
])("%s ends at the first failure of chosen tests", (command, scripts, expected) => {
  const tests = [{file: "test/a.test.ts", groups: ["group"], name: "does it"}];
  const chosen = chooseTests({command, files: ["test/a.test.ts"], tests, scripts, endsEarly: true});
  if (expected instanceof RegExp) expect(chosen).toMatch(expected);
  else expect(chosen).toBe(expected);
});

it.each([
  [["src/lib.rs", "src/a/b.rs", "tests/a.rs", "tests/b/main.rs"], "cargo test --lib --test=a --test=b -- --nocapture"],
  [["src/main.rs", "src/bin/a.rs"], "cargo test --bins -- --nocapture"],
  [["src/lib.rs", "tests/common/mod.rs"], null],
  [["crates/a/src/lib.rs"], null],
])("cargo builds only the targets with the files %j", (files, expected) => {
  expect(chooseTests({command: "cargo test -- --nocapture", files, tests: [], scripts: {}})).toBe(expected);
  expect(chooseTests({command: "cargo test --doc", files, tests: [], scripts: {}})).toBeNull();
});

it.each([
  ["AssertionError: expected 1 to be 2", "assertion"],
  ["assert 'undefined: x' == 1", "assertion"],
  ["panicked at src/lib.rs:1:1: assertion `left == right` failed", "assertion"],
  ["uuid_test.go:893: monotonicity failed at #0", "assertion"],
  ["parse.twice is not a function", "missing"],
  ["AttributeError: module 'a' has no attribute 'b'", "missing"],
  ["ImportError: cannot import name 'b' from 'a'", "not-loaded"],
  ["./a_test.go:3:4: undefined: Twice", "not-loaded"],
  ["error[E0425]: cannot find function `twice` in this scope", "not-loaded"],
  ["[ERROR] A.java:[3,4] cannot find symbol", "not-loaded"],
  ["ValueError: invalid literal", "error"],
])("%s: %s", (message, reason) => {
  expect(biteReason({message, isWholeFile: false})).toBe(reason);
});

describe("a run on the base", () => {
  const place = {path: "test/a.test.ts", line: 3, lastLine: 8};
  const tests = [{...place, groups: [], name: "adds ${n}", isNew: true, mayBeSkipped: false, hasComputedName: false}];
  const kindIn = (over: Parameters<typeof stage>[0]) => judgeBite({tests, result: stage(over)})[0]?.onBase.kind;
  const failed = {outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 1}} as const;
  const reported = (title: string) => ({
    tool: "vitest",
    counts: {passed: 1, failed: 1, skipped: 0},
    failed: [{file: "test/a.test.ts", name: title, title, message: "expected 1 to be 2"}],
  });

  it("shows a pass only if tests were counted, and a failure only of this test", () => {
    expect(kindIn({tests: {passed: 1, failed: 0, skipped: 0}})).toBe("passes");
    expect(kindIn({tests: {passed: 0, failed: 0, skipped: 0}})).toBe("unknown");
    expect(kindIn({tests: null})).toBe("unknown");
    expect(kindIn({...failed, reported: reported("sum > adds 3")})).toBe("fails");
    expect(kindIn({...failed, reported: reported("sum > subtracts")})).toBe("passes");
    expect(kindIn({...failed, failureKind: "environment", reason: "no space"})).toBe("unknown");
    expect(kindIn({...failed, outcome: "timed-out"})).toBe("unknown");
  });

  it("shows an assertion that quotes a message about the environment", () => {
    const environment = {...failed, failureKind: "environment", reason: "exit code 1"} as const;
    const saying = (message: string, title = "adds 3") => {
      const {failed: failures, ...rest} = reported(title);
      return {...environment, reported: {...rest, failed: failures.map((failure) => ({...failure, message}))}};
    };
    expect(kindIn(saying("expected 'x is not installed' to contain 'ambiguous'"))).toBe("fails");
    expect(kindIn(saying("expected 'x is not installed' to contain 'ambiguous'", "subtracts"))).toBe("unknown");
    expect(kindIn(saying("expected 200, got connect ECONNREFUSED 127.0.0.1:80"))).toBe("unknown");
    expect(kindIn(saying("KeyError: 'DATABASE_URL'"))).toBe("unknown");
  });

  it("shows the test around an assertion that the runner names in place of the test", () => {
    const at = (file: string | undefined, line: number) => {
      const diagnostic = {
        tool: "tap",
        ...(file && {file}),
        line,
        message: "5",
        severity: "error",
        testId: "is 6",
      } as const;
      return kindIn({...failed, tests: {passed: 9, failed: 1, skipped: 0}, diagnostics: [diagnostic]});
    };
    expect([at("test/a.test.ts", 5), at("test/a.test.ts", 9)]).toEqual(["fails", "passes"]);
    expect([at("test/checks.ts", 5), at(undefined, 5)]).toEqual(["unknown", "unknown"]);
  });

  it("shows nothing for a test that may have been skipped", () => {
    const skipped = tests.map((test) => ({...test, mayBeSkipped: true}));
    const result = stage({tests: {passed: 3, failed: 0, skipped: 1}});
    expect(judgeBite({tests: skipped, result})[0]?.onBase.kind).toBe("unknown");
    const others = [{file: tests[0]?.path ?? null, title: tests[0]?.name ?? "", outcome: "skipped" as const}];
    const named = {...result, reported: {...reported(""), failed: [], others}};
    expect(judgeBite({tests, result: named})[0]?.onBase).toEqual({kind: "unknown", why: "it was skipped"});
  });

  it("shows nothing for a test with a computed name if another one fails", () => {
    const text = (value: number) =>
      `test(row.name, () => expect(f()).toBe(${value}));\ntest("b", () => expect(${value}));`;
    const changed = changedTests(change(file("a.test.ts", text(1), text(2))));
    expect(changed.map(({hasComputedName}) => hasComputedName)).toEqual([true, false]);
    const result = stage({...failed, reported: reported("subtracts")});
    const kinds = judgeBite({tests: changed, result}).map(({onBase}) => onBase.kind);
    expect(kinds).toEqual(["unknown", "passes"]);
  });

  it("shows nothing if not all failures are named, or the candidate has the same", () => {
    const incomplete = {...reported("sum > subtracts"), counts: {passed: 1, failed: 2, skipped: 0}};
    expect(kindIn({...failed, reported: incomplete})).toBe("unknown");
    const result = stage({...failed, reported: reported("adds 3")});
    expect(judgeBite({tests, result, excused: ["adds 3"]})[0]?.onBase.kind).toBe("unknown");
  });
});
