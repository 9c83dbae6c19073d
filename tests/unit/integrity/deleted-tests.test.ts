/** A deleted test is found in each language that is read, and noted in others, also where tests are in the source file: it is no deleted code of the product. */
import {describe, expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import "./all-grammars.ts";

interface DeletedTest {
  readonly language: string;
  readonly path: string;
  /** the file, with the deleted test between two lines `@@` */
  readonly text: string;
  /** the changed code, if it is in another file */
  readonly code?: readonly [path: string, before: string, after: string];
}

const CASES: readonly DeletedTest[] = [
  {
    language: "Rust, in the source",
    path: "src/lib.rs",
    text: `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;
@@
    fn three() -> i32 { 3 }
    #[test]
    fn adds() {
        assert_eq!(add(1, 2), three());
    }
@@
    #[test]
    fn adds_zero() {
        assert_eq!(add(0, 0), 0);
    }
}
`,
  },
  {
    language: "Rust, without a module of tests",
    path: "src/lib.rs",
    text: `pub fn add(a: i32, b: i32) -> i32 { a + b }

@@
#[test]
fn adds() {
    assert_eq!(add(1, 2), 3);
}
@@
`,
  },
  {
    language: "TypeScript, in the source",
    path: "src/add.ts",
    text: `export const add = (a: number, b: number) => a + b;

if (import.meta.vitest) {
  const {it, expect} = import.meta.vitest;
@@
  it("adds", () => {
    const total = add(1, 2);
    expect(total).toBe(3);
  });
@@
  it("adds zero", () => {
    expect(add(0, 0)).toBe(0);
  });
}
`,
  },
  {
    language: "Python, in the source",
    path: "src/calc.py",
    text: `def add(a, b):
    return a + b

@@
def test_adds():
    total = add(1, 2)
    assert total == 3
@@
`,
  },
  {
    language: "Go",
    path: "add_test.go",
    text: `package calc

@@
func TestAdd(t *testing.T) {
	total := Add(1, 2)
	if total != 3 {
		t.Fatal(total)
	}
}
@@
`,
    code: ["add.go", "func Add(a, b int) int { return a + b }\n", "func Add(a, b int) int { return a + b + 0 }\n"],
  },
  {
    language: "Java",
    path: "src/test/java/CalcTest.java",
    text: `class CalcTest {
@@
  @Test
  void adds() {
    int total = new Calc().add(1, 2);
    assertEquals(3, total);
  }
@@
  @Test
  void addsZero() {
    assertEquals(0, new Calc().add(0, 0));
  }
}
`,
    code: [
      "src/main/java/Calc.java",
      "class Calc { int add() { return 1; } }\n",
      "class Calc { int add() { return 11; } }\n",
    ],
  },
  {
    language: "C#",
    path: "Calc.Tests/CalcTests.cs",
    text: `public class CalcTests {
@@
  [Fact]
  public void Adds() {
    Assert.Equal(3, Calc.Add(1, 2));
  }
@@
  [Fact]
  public void AddsZero() {
    Assert.Equal(0, Calc.Add(0, 0));
  }
}
`,
    code: ["Calc/Calc.cs", "class Calc { int Add() => 1; }\n", "class Calc { int Add() => 11; }\n"],
  },
  {
    language: "Ruby",
    path: "test/calc_test.rb",
    text: `class CalcTest < Minitest::Test
@@
  def test_adds
    assert_equal 3, Calc.add(1, 2)
  end
@@
  def test_zero
    assert_equal 0, Calc.add(0, 0)
  end
end
`,
    code: ["lib/calc.rb", "def add(a, b) = a + b\n", "def add(a, b) = a + b + 0\n"],
  },
  {
    language: "PHP",
    path: "tests/CalcTest.php",
    text: `<?php
final class CalcTest extends TestCase {
@@
    public function testAdds(): void {
        $this->assertSame(3, add(1, 2));
    }
@@
    public function testZero(): void {
        $this->assertSame(0, add(0, 0));
    }
}
`,
    code: ["src/calc.php", "<?php function add() { return 1; }\n", "<?php function add() { return 11; }\n"],
  },
  {
    language: "Elixir",
    path: "test/calc_test.exs",
    text: `defmodule CalcTest do
  use ExUnit.Case
@@
  test "adds" do
    assert Calc.add(1, 2) == 3
  end
@@
  test "zero" do
    assert Calc.add(0, 0) == 0
  end
end
`,
    code: ["lib/calc.ex", "def add(a, b), do: a + b\n", "def add(a, b), do: a + b + 0\n"],
  },
  {
    language: "Swift",
    path: "Tests/CalcTests/CalcTests.swift",
    text: `final class CalcTests: XCTestCase {
@@
  func testAdds() {
    XCTAssertEqual(add(1, 2), 3)
  }
@@
  func testZero() {
    XCTAssertEqual(add(0, 0), 0)
  }
}
`,
    code: ["Sources/Calc.swift", "func add() -> Int { 1 }\n", "func add() -> Int { 11 }\n"],
  },
  {
    language: "C++",
    path: "tests/calc_test.cpp",
    text: `#include "calc.h"
@@
TEST(Calc, Adds) {
  EXPECT_EQ(add(1, 2), 3);
}
@@
TEST(Calc, Zero) {
  EXPECT_EQ(add(0, 0), 0);
}
`,
    code: ["src/calc.cpp", "int add() { return 1; }\n", "int add() { return 11; }\n"],
  },
  {
    language: "Dart",
    path: "test/calc_test.dart",
    text: `void main() {
@@
  test('adds', () {
    expect(add(1, 2), 3);
  });
@@
  test('zero', () {
    expect(add(0, 0), 0);
  });
}
`,
    code: ["lib/calc.dart", "int add() => 1;\n", "int add() => 11;\n"],
  },
];

const file = (path: string, before: string, after: string): InspectedFile => ({
  ...{path, basePath: path, before, after, isExecutable: false},
  status: "modified",
});

/** The deleted test, and a changed operator that nothing notices any more. */
function changeOf({path, text, code}: DeletedTest) {
  const [start = "", test = "", end = ""] = text.split("@@\n");
  const wrong = (source: string) => source.replace("a + b", "a + b + 0");
  const files =
    code === undefined
      ? [file(path, start + test + end, wrong(start + end))]
      : [file(path, start + test + end, start + end), file(...code)];
  return {files, relatedTests: [], plan: null};
}

/** Their tests are not read, so a run has to miss the test. */
const NOT_READ = ["Elixir", "Swift", "Dart"];

const found = (one: DeletedTest) =>
  inspectChange(changeOf(one)).flatMap(({level, check}) =>
    (level === "note") === NOT_READ.includes(one.language) ? [check] : [],
  );

describe("a deleted test", () => {
  it.each(CASES)("$language", (one) => {
    expect(found(one)).toContainEqual(expect.stringMatching(/^(?:removed|weakened|disabled)-tests$/));
  });

  it("is excused by removed code of the product, but not by a variable in a function", () => {
    const excuses = (before: string, after: string) => {
      const tests = (text: string) => file("tests/stock.test.js", text, "");
      const test = 'it("computes the share", () => {\n  expect(split(10)).toBe(5);\n});\n';
      return inspectChange({files: [file("src/stock.js", before, after), tests(test)], relatedTests: [], plan: null})
        .filter(({check}) => check === "removed-tests")
        .every(({level}) => level === "note");
    };
    const product = (inside: string, above = "") => `${above}export function split(total) {\n${inside}}\n`;
    const [local, direct] = ["  const share = total / 2;\n  return share;\n", "  return total / 3;\n"];
    expect(excuses(product(local), product(direct))).toBe(false);
    expect(excuses(product(direct, "export const share = 2;\n"), product(direct))).toBe(true);
    expect(excuses(product(direct, "class Stock {\n  share() {\n    return 1;\n  }\n}\n"), product(direct))).toBe(true);
  });

  it("is replaced by a test that asserts, and not by one that is empty or cannot fail", () => {
    const levelOf = (replacement: string) => {
      const test = 'it("splits", () => {\n  expect(split(10)).toBe(5);\n});\n';
      const product = (operator: string) => `export const split = (total) => total ${operator} 2;\n`;
      const files = [file("tests/stock.test.js", test, replacement), file("src/stock.js", product("/"), product("*"))];
      const findings = inspectChange({files, relatedTests: [], plan: null});
      return findings.find(({check}) => check === "removed-tests")?.level;
    };
    expect(levelOf('it("halves", () => {\n  expect(split(8)).toBe(4);\n});\n')).toBe("note");
    expect(levelOf('it("nothing", () => {});\n')).toBe("block");
    expect(levelOf('it("nothing", () => {\n  expect(true).toBe(true);\n});\n')).toBe("block");
  });
});
