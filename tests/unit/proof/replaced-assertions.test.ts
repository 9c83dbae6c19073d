/** Tests that are only apparently replaced: by another kind of assertion, or by a new test next to one that is skipped. */
import {expect, it} from "vitest";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {judgeReplay} from "../../../src/proof/gate-runs/judge-replay.ts";
import {lostTests} from "../../../src/proof/gate-runs/lost-tests.ts";
import {withSecondWitness} from "../../../src/proof/gate-runs/second-witness.ts";
import type {IntegrityFinding} from "../../../src/record/finding.ts";
import {stage} from "../report/records.ts";
import "../integrity/all-grammars.ts";

function judged({path, title, before, after}: {path: string; title: string; before: string; after: string}) {
  const modified = (name: string, ...[from, to]: [string, string]): InspectedFile => ({
    ...{path: name, basePath: name, status: "modified", before: from, after: to, isExecutable: false},
  });
  const tests = modified(path, before, after);
  const change = {files: [tests, modified("src/f.ts", "1;", "2;")], relatedTests: [], plan: null};
  const failed = [{file: path, name: title, title, message: "expected 1, got 2"}];
  const result = stage({
    ...{outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 1}},
    reported: {tool: "vitest", counts: {passed: 0, failed: 1, skipped: 0}, failed},
  });
  return judgeReplay({
    result,
    change,
    findings: [],
    touched: {tests: [tests], gate: [], data: [], checks: [], dependencies: []},
  });
}

const inJs = (assertion: string) => `test("adds", () => {\n  ${assertion};\n});\n`;
const inPython = (assertion: string) => `def test_adds():\n    ${assertion}\n`;
const inGo = (condition: string) => `func TestAdds(t *testing.T) {\n\tif ${condition} {\n\t\tt.Error("x")\n\t}\n}\n`;
const LANGUAGES = {
  js: {path: "test/a.test.js", title: "adds", inFile: inJs},
  python: {path: "test_a.py", title: "test_adds", inFile: inPython},
  go: {path: "a_test.go", title: "TestAdds", inFile: inGo},
};

it.each([
  ["js", 'assert.is(f(1), "b")', 'assert.type(f(1), "string")', 'assert.is(f(1), "c")'],
  ["js", 'assert.equal(f(1), "b")', 'assert.typeOf(f(1), "string")', 'assert.equal(f(1), "c")'],
  ["js", 'assert.equal(f(1), "b")', "assert.instanceOf(f(1), String)", 'assert.equal(f(2), "c")'],
  ["js", 'expect(f(1)).toBe("(b")', 'expect(f(1)).toSatisfy((one) => one !== "")', 'expect(f(1)).toBe("c")'],
  ["python", "assert f(1) == 2", "assert f(1)", "assert f(1) == 3"],
  ["go", "f(1) != 2", "f(1) < 2", "f(1) != 3"],
] as const)("in %s, %s is a flag if it becomes %s", (language, earlier, other, sameKind) => {
  const {path, title, inFile} = LANGUAGES[language];
  const judge = (now: string) => judged({path, title, before: inFile(earlier), after: inFile(now)});
  expect(judge(other)).toMatchObject([
    {level: "flag", path, message: expect.stringContaining("tests pass, with another kind of assertion")},
  ]);
  expect(judge(sameKind)).toMatchObject([{level: "note", fix: expect.not.stringContaining("as much")}]);
});

it.each([
  ["js", 'assert.equal(f(1), "b")', 'near(f(1), "b")'],
  ["python", "assert f(1) == 2", "near(f(1), 2)"],
  ["go", "f(1) != 2", "!near(t, f(1), 2)"],
] as const)("in %s, %s is a flag if a new function asserts: %s", (language, earlier, now) => {
  const {path, title, inFile} = LANGUAGES[language];
  expect(judged({path, title, before: inFile(earlier), after: inFile(now)})).toMatchObject([{level: "flag", path}]);
});

it("blocks if a second check names the same test", () => {
  const [before, after] = ['assert.is(f(1), "b")', 'assert.type(f(1), "string")'].map(inJs);
  const found = judged({path: "test/a.test.js", title: "adds", before: before ?? "", after: after ?? ""});
  const lost: IntegrityFinding = {
    ...{check: "lost-tests", level: "flag", path: "test/a.test.js", line: null, message: "", fix: ""},
    tests: [{file: "test/a.test.js", name: "adds"}],
  };
  expect(withSecondWitness(found, [lost]).map(({level}) => level)).toEqual(["block"]);
});

it("a new test replaces none that keeps its title and does not run under it", () => {
  const path = "test/a.test.js";
  const run = (...titles: string[]) => {
    const others = titles.map((text) => {
      const [title = "", mark] = text.split(" ");
      return {file: path, title, outcome: mark === undefined ? ("passed" as const) : ("skipped" as const)};
    });
    const counts = {passed: others.length, failed: 0, skipped: 0};
    return stage({reported: {tool: "vitest", counts, failed: [], others}});
  };
  const text = (...titles: string[]) =>
    titles.map((title) => `test("${title}", () => { assert.ok(f()); });\n`).join("");
  const lost = (candidate: ReturnType<typeof run>, after: string) => {
    const file = {
      path,
      basePath: path,
      status: "modified",
      before: text("a", "b"),
      after,
      isExecutable: false,
    } as const;
    const change = {files: [file], relatedTests: [], plan: null};
    return lostTests({candidate, reference: run("a", "b"), isWhole: true, change, path}).map(({message}) => message);
  };
  const message = (how: string) => [`1 test of the default branch is ${how}: \`b\``];
  expect(lost(run("a", "b skipped", "c"), text("a", "b", "c"))).toEqual(message("skipped now"));
  expect(lost(run("a", "c"), text("a", "b", "c"))).toEqual(message("not run any more"));
  expect(lost(run("a", "c"), text("a", "c"))).toEqual([]);
});
