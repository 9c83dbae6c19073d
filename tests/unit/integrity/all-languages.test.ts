/** Tests of all languages are compared by what they assert. */
import {expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import "./all-grammars.ts";

function checksOf(...files: readonly (readonly [string, string, string])[]): string[] {
  const changed = files.map(([path, before, after]) => {
    const status = "modified" as const;
    return {path, basePath: path, status, before, after, isExecutable: false};
  });
  return inspectChange({files: changed, relatedTests: [], plan: null}).map(({level, check}) =>
    level === "note" ? `${check} (note)` : check,
  );
}

it("finds skipped and looser tests, and fewer assertions unless the code is gone too", () => {
  const test = 'it "adds" do\n  expect(add(1, 2)).to eq(3)\n  expect(add(0, 0)).to eq(0)\nend\n';
  const path = "spec/add_spec.rb";
  expect(checksOf([path, test, test.replace("it ", "xit ")])).toEqual(["disabled-tests"]);
  expect(checksOf([path, test, test.replace("eq(3)", "be_truthy")])).toEqual(["weakened-tests"]);
  const shorter = test.replace("  expect(add(0, 0)).to eq(0)\n", "");
  expect(checksOf([path, test, shorter])).toEqual(["weakened-tests"]);
  expect(checksOf([path, test, shorter], ["lib/add.rb", "def a\n  1\nend\n", "def a\nend\n"])).toEqual([
    "weakened-tests (note)",
  ]);
});

it.each([
  [1, "Test `adds 0` is skipped"],
  [2, "Test `adds 0` is skipped (and 1 more test)"],
  [3, "Test `adds 0` is skipped (and 2 more tests)"],
])("names the first of %i skipped tests", (count, message) => {
  const numbers = Array.from({length: count}, (_, index) => index);
  const before = numbers.map((n) => `it "adds ${n}" do\n  expect(add(1, ${n})).to eq(${n + 1})\nend\n`).join("\n");
  const file = {path: "spec/add_spec.rb", basePath: "spec/add_spec.rb", status: "modified" as const};
  const files = [{...file, before, after: before.replaceAll("it ", "xit "), isExecutable: false}];
  expect(inspectChange({files, relatedTests: [], plan: null}).map((one) => one.message)).toEqual([message]);
});

it("finds assertions that accept every exception", () => {
  const cs = (line: string) => `[Fact]\npublic void Refuses() {\n    ${line}\n}\n`;
  const strict = cs("Assert.Throws<ArgumentException>(() => Open(-1));");
  expect(checksOf(["tests/PortTests.cs", strict, cs("Assert.ThrowsAny<Exception>(() => Open(-1));")])).toEqual([
    "weakened-tests",
  ]);
  const cpp = (line: string) => `TEST(Port, Refuses) {\n  ${line}\n}\n`;
  const after = cpp("EXPECT_ANY_THROW(open(-1));");
  expect(checksOf(["tests/port_test.cpp", cpp("EXPECT_THROW(open(-1), depth_error);"), after])).toEqual([
    "weakened-tests",
  ]);
});

it("notes fewer assertions in a language without a reader", () => {
  const before = "import XCTest\nfunc testAdd() {\n  XCTAssertEqual(add(1, 2), 3)\n  XCTAssertTrue(a)\n}\n";
  const after = "import Testing\n@Test func add() {\n  #expect(add(1, 2) == 3 && a)\n}\n";
  expect(checksOf(["Tests/AddTests.swift", before, after])).toEqual(["weakened-tests (note)"]);
});
