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
