/** Each language's rules find tests, groups, marks and assertions; the comparison needs nothing else of a language. */
import {expect, it} from "vitest";
import {findWeakening, pairAssertions} from "../../../src/test-code/compare-facts.ts";
import {readSource} from "../../../src/test-code/read-source.ts";
import "../integrity/all-grammars.ts";

const SOURCES = {
  "a.test.ts": `describe("a", () => {
  it.skip("b", async () => { await expect(f(1)).resolves.toBe(2); });
  it("c", () => { if (x) expect(f(1)).toBeTruthy(); });
});`,
  "a.test.tsx": `describe("a", () => {
  it.skip("b", async () => { await expect(f(<p>1</p>)).resolves.toBe(2); });
  it("c", () => { if (x) expect(f(1)).toBeTruthy(); });
});`,
  "a.test.js": `suite("a", function () {
  test("b", {skip: true}, () => { assert.equal(f(1), 2); });
  test("c", () => { if (x) assert.ok(f(1)); });
});`,
  "test_a.py": `class TestA:
    @pytest.mark.skip
    def test_b(self):
        assert f(1) == 2

    def test_c(self):
        if x:
            assert f(1)
`,
  "a_test.go": `package a

func (s *ASuite) TestB(t *testing.T) { t.Skip(); assert.Equal(t, 2, f(1)) }

func (s *ASuite) TestC(t *testing.T) { if x { assert.True(t, f(1)) } }
`,
  "a.rs": `#[cfg(test)]
mod a {
    #[test]
    #[ignore]
    fn b() { assert_eq!(f(1), 2); }

    #[test]
    fn c() { if x { assert!(f(1)); } }
}`,
  "ATest.java": `class ATest {
  @Test @Disabled void b() { assertEquals(2, f(1)); }
  @Test void c() { if (x) { assertTrue(f(1)); } }
}`,
  "spec/a_spec.rb": `describe "a" do
  xit("b") { expect(f(1)).to eq 2 }
  it "c" do
    expect(f(1)).to be_truthy if x
  end
end`,
  "test/a_test.rb": `class ATest < Minitest::Test
  def test_b
    skip "later"
    assert_equal 2, f(1)
  end

  def test_c
    assert f(1) if x
  end
end`,
  "tests/ATest.php": `<?php
class ATest extends TestCase {
  #[Test] public function b() { $this->markTestSkipped(); self::assertSame(2, f(1)); }
  public function testC() { if ($x) { $this->assertTrue(f(1)); } }
}`,
  "tests/a.php": `<?php
describe('a', function () {
  it('b', function () { expect(f(1))->toBe(2); })->with([1, 2])->skip();
  it('c', function () { if ($x) { expect(f(1))->toBeTruthy(); } });
});`,
  "ATests.cs": `class ATests {
  [Fact(Skip = "later")] public void B() { Assert.Equal(2, F(1)); }
  [Theory, InlineData(1)] public void C(int x) { if (x == 1) { Assert.True(F(1)); } }
}`,
  "a_test.cc": `TEST(A, DISABLED_B) { EXPECT_EQ(2, f(1)); }
TEST(A, C) { if (x) { EXPECT_TRUE(f(1)); } }`,
} as const;

const HINT = `strength 3 accepts one value, 1 most: the words of assertions.ts decide; guards are the branches around;
  a mark belongs to the test or group around it: \`at\` leads to a node inside of that`;

it.each(Object.entries(SOURCES))("reads %s", (path, text) => {
  const {tests, unread} = readSource(path, text);
  expect(unread).toBeNull();
  expect(tests, HINT).toMatchObject([
    {marks: new Set(["skip"]), assertions: [{strength: 3, guards: 0}]},
    {marks: new Set(), assertions: [{strength: 1, guards: 1}]},
  ]);
  expect(tests.map(({id}) => id.split(" > ").length)).toEqual([2, 2]);
});

it("reads the tests of C, of Catch2 and of a program, and leaves out those with unknown macros", () => {
  const catch2 = `TEST_CASE("a", "[.]") {
  SECTION("b") { REQUIRE(f(1) == 2); }
}
TEST_CASE("broken") { CHECK(f(1) == ) ); }
`;
  const read = readSource("test/a.cpp", catch2);
  expect(read).toMatchObject({isPartial: true, unread: null});
  expect(read.tests).toMatchObject([{id: "a", marks: new Set(["skip"]), lastLine: 3, assertions: [{strength: 3}]}]);
  const program = `static void test_b(void) { TEST_ASSERT_EQUAL(2, f(1)); }
int main(void) {
  if (f(1) != 2) failures++;
  if (skip) return 0;
  assert(f(2) == 3);
  return failures != 0;
}`;
  expect(readSource("test/a.c", program).tests).toMatchObject([
    {id: "test_b", assertions: [{strength: 3}]},
    {id: "main", bailOuts: 1, assertions: [{text: "if (f(1)!=2)", strength: 3}, {strength: 3}, {subject: "failures"}]},
  ]);
});

it("takes a condition of the preprocessor in a test for one about a part of it", () => {
  const text = "TEST(A, B) {\n  EXPECT_EQ(1, f(1));\n#if FEATURE\n  EXPECT_EQ(2, f(2));\n#endif\n}\n";
  const [test] = readSource("a_test.cc", text).tests;
  expect(test?.marks).toEqual(new Set());
  expect(test?.assertions.map(({guards}) => guards)).toEqual([0, 1]);
});

it("pairs an assertion that became several with the strictest of them", () => {
  const assertions = (lines: string) =>
    readSource("test/a.c", `void test_a(void) {\n${lines}}\n`).tests[0]?.assertions ?? [];
  const before = assertions("  assert_is_array(item->child);\n");
  const after = assertions("  TEST_ASSERT_NOT_NULL(item->child);\n  assert_has_type(item->child, cJSON_Array);\n");
  expect(pairAssertions(before, after)).toMatchObject([{after: {form: "assert_has_type"}}]);
});

it("counts the values of providers and words, and knows marks of comments and sections", () => {
  const php = `<?php
class ATest {
  /** @requires extension mongodb */
  public function testB() { self::assertSame(2, f(1)); }
  public static function provideC() { return [[1], [2]]; }
}`;
  const {tests, units} = readSource("tests/ATest.php", php);
  expect(tests).toMatchObject([{marks: new Set(["conditional"])}]);
  expect(units).toMatchObject([{name: "provideC", rows: 2}]);
  const ruby = `class ATest
  %w[a b c].each { |x| test("d") { assert_equal x, f(x) } }
  private
  def test_e; end
end`;
  expect(readSource("test/a_test.rb", ruby).tests).toMatchObject([{name: "d", rows: 3}, {marks: new Set(["skip"])}]);
  const csharp = `class A {
#if NEVER
  [Fact] public void B() { x.Value.ShouldBe(1); }
#endif
}`;
  expect(readSource("A.cs", csharp).tests).toMatchObject([
    {id: "A > B", marks: new Set(["conditional"]), assertions: [{subject: "x.Value"}]},
  ]);
});

it("knows nothing of a file that the grammar does not accept, or that is too large", () => {
  expect(readSource("a.test.ts", 'it("a", () => {')).toMatchObject({tests: [], unread: "syntax"});
  expect(readSource("b.test.ts", `it("a", f);${" ".repeat(600_000)}`)).toMatchObject({tests: [], unread: "limit"});
});

it("counts the rows of a list in the test that has it, where several lists have one name", () => {
  const test = (name: string, rows: string) =>
    `func Test${name}(t *testing.T) {\n\ttests := []string{${rows}}\n\tfor _, tt := range tests {\n\t\tcheck(t, tt)\n\t}\n}\n`;
  const {tests} = readSource("a_test.go", `package a\n\n${test("A", '"a", "b", "c"')}\n${test("B", '"a"')}`);
  expect(tests.map(({rows}) => rows)).toEqual([3, 1]);
});

it("keeps the facts of a file when later files need the memory of its tree", () => {
  const source = (name: string) => `it("${name}", () => { if (x) expect(f(1)).toBe(2); });\n`;
  const {tests} = readSource("kept.test.ts", source("kept"));
  for (let at = 0; at < 10; at += 1) readSource("later.test.ts", `${source(`later ${at}`)}${" ".repeat(500_000)}`);
  expect(tests).toMatchObject([{lastLine: 1, isEmpty: false}]);
  expect(tests[0]?.assertions).toMatchObject([{strength: 3, guards: 1}]);
});

it("compares tests over a table that is longer than a pattern can be", () => {
  const table = (from: number) =>
    Array.from({length: 6000}, (_, at) => `{path: "/${at + from}", tests: ["/", "/route"]}`).join(", ");
  const source = (from: number) =>
    `for (const one of [${table(from)}]) test("a", () => { assert.deepEqual(match(one.path), one.tests); });`;
  const [before, after] = [0, 1].map((from) => readSource("a.test.js", source(from)).tests[0]);
  expect(before?.loops[0]?.length).toBeGreaterThan(100_000);
  expect(before && after && findWeakening(before, after)).toBeNull();
});

it.each(Object.entries(SOURCES))("reads %s after a change as if it had never read it before", (path, source) => {
  const factsOf = (text: string) =>
    readSource(path, text).tests.map(({id, marks, assertions, line}) => ({id, marks, assertions, line}));
  factsOf(source);
  const changed = source.replace("2", "\n33");
  const afterChange = factsOf(changed);
  readSource(path.endsWith(".py") ? "a.go" : "a.py", `# another file for ${path}`);
  expect(afterChange).toEqual(factsOf(`${changed}\n`));
});
