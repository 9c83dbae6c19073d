/** Each language's rules find tests, groups, marks and assertions; the comparison needs nothing else of a language. */
import {expect, it} from "vitest";
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
} as const;

it.each(Object.entries(SOURCES))("reads %s", (path, text) => {
  const {tests, unread} = readSource(path, text);
  expect(unread).toBeNull();
  expect(tests).toMatchObject([
    {marks: new Set(["skip"]), assertions: [{strength: 3, guards: 0}]},
    {marks: new Set(), assertions: [{strength: 1, guards: 1}]},
  ]);
  expect(tests.map(({id}) => id.split(" > ").length)).toEqual([2, 2]);
});

it("knows nothing of a file that the grammar does not accept, or that is too large", () => {
  expect(readSource("a.test.ts", 'it("a", () => {')).toMatchObject({tests: [], unread: "syntax"});
  expect(readSource("b.test.ts", `it("a", f);${" ".repeat(600_000)}`)).toMatchObject({tests: [], unread: "limit"});
});

it("counts the rows of a list in the test that has it, where several lists have one name", () => {
  const test = (name: string, rows: string) =>
    `func Test${name}(t *testing.T) {\n\ttests := []string{${rows}}\n\tfor _, tt := range tests {\n\t\tcheck(t, tt)\n\t}\n}\n`;
  const {tests, lists} = readSource("a_test.go", `package a\n\n${test("A", '"a", "b", "c"')}\n${test("B", '"a"')}`);
  expect(tests.map(({rows}) => rows)).toEqual([3, 1]);
  expect([...lists]).toEqual([]);
});

it("keeps the facts of a file when later files need the memory of its tree", () => {
  const source = (name: string) => `it("${name}", () => { if (x) expect(f(1)).toBe(2); });\n`;
  const {tests} = readSource("kept.test.ts", source("kept"));
  for (let at = 0; at < 10; at += 1) readSource("later.test.ts", `${source(`later ${at}`)}${" ".repeat(500_000)}`);
  expect(tests).toMatchObject([{lastLine: 1, isEmpty: false}]);
  expect(tests[0]?.assertions).toMatchObject([{strength: 3, guards: 1}]);
});
