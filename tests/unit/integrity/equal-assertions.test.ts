/** Assertions in another form, and methods with one name, are not weaker than before. */
import {expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import "./all-grammars.ts";

function flagged(path: string, before: string, after: string): boolean {
  const file = {path, basePath: path, status: "modified", before, after, isExecutable: false} as const;
  const findings = inspectChange({files: [file], relatedTests: [], plan: null});
  return findings.some(({level}) => level !== "note");
}

const inGo = (body: string) => `package a\n\nfunc TestRead(t *testing.T) {\n\tgot, err := Read()\n\t${body}\n}\n`;
const inJava = (body: string) =>
  `class ATest {\n  @Test\n  void reads() {\n    boolean got = read();\n    ${body}\n  }\n}\n`;
const inPython = (body: string) => `def test_reads():\n    ${body}\n    assert read() == 1\n`;
const inRust = (body: string) => `#[test]\nfn reads() {\n    let got = read();\n    ${body}\n}\n`;

it.each([
  ["a_test.go", inGo, "assert.Nil(t, err)", "assert.NoError(t, err)"],
  ["a_test.go", inGo, "assert.NotNil(t, err)", "assert.Error(t, err)"],
  ["a_test.go", inGo, "require.Equal(t, true, got)", "require.True(t, got)"],
  ["a_test.go", inGo, "require.Equal(t, false, got)", "require.False(t, got)"],
  ["ATest.java", inJava, "assertEquals(true, got);", "assertTrue(got);"],
  ["ATest.java", inJava, "assertTrue(!got);", "assertFalse(got);"],
  [
    "test_a.py",
    inPython,
    "with pytest.warns(UserWarning): read()",
    'with pytest.warns(UserWarning, match="old"): read()',
  ],
  ["tests/a.rs", inRust, "assert_eq!(got, true);", "assert!(got);"],
  ["tests/a.rs", inRust, "assert_eq!(got, false);", "assert!(!got);"],
])("%#: %s accepts the same values in both forms", (path, file, before, after) => {
  expect(flagged(path, file(before), file(after))).toBe(false);
});

it("Go's text of an error is what is expected, and not an earlier input", () => {
  const contains = (text: string) => inGo(`if !strings.Contains(err.Error(), "${text}") {\n\t\tt.Error(err)\n\t}`);
  const code = (text: string) => `package a\n\nfunc Read() (bool, error) { return false, errors.New("${text}") }\n`;
  const [before, after] = ["unable to scan", "no way to scan"];
  const modified = (path: string, of: (text: string) => string) =>
    ({path, basePath: path, status: "modified", before: of(before), after: of(after), isExecutable: false}) as const;
  const files = [modified("a_test.go", contains), modified("a.go", code)];
  expect(inspectChange({files, relatedTests: [], plan: null})).toMatchObject([{level: "note"}]);
});

it("a changed expected value is named only if the assertion is the same", () => {
  const modified = (path: string, before: string, after: string) =>
    ({path, basePath: path, status: "modified", before, after, isExecutable: false}) as const;
  const says = (replacement: string) => {
    const test = (assertion: string) => `test("a", () => { assert.${assertion}; });\n`;
    const files = [modified("a.test.js", test('is(f(1), "b")'), test(replacement)), modified("f.js", "1;", "2;")];
    return inspectChange({files, relatedTests: [], plan: null}).map(({message}) => message);
  };
  expect(says('is(f(1), "c")')).toEqual(["Test `a` expects a different value than before"]);
  expect(says('type(f(1), "string")')).toEqual(["Test `a` has an assertion that accepts more values than before"]);
});

it.each([
  ["a_test.go", inGo, "require.Equal(t, true, got)", "require.False(t, got)"],
  ["a_test.go", inGo, "require.Equal(t, 3, got)", "require.True(t, got > 0)"],
  ["a_test.go", inGo, "assert.Equal(t, 3, got)", "assert.NoError(t, err)"],
  ["ATest.java", inJava, "assertEquals(false, got);", "assertTrue(got);"],
  ["test_a.py", inPython, 'with pytest.raises(A, match="old"): read()', "with pytest.raises(A): read()"],
  ["tests/a.rs", inRust, "assert_eq!(got, false);", "assert!(got);"],
])("%#: %s accepts other values in another form", (path, file, before, after) => {
  expect(flagged(path, file(before), file(after))).toBe(true);
});

it("reads no text of a Java lambda as the message of the error", () => {
  const test = (body: string) => inJava(`String text = "x";\n    assertThrows(A.class, () -> read(${body}));`);
  const files = [
    {path: "ATest.java", before: test('parse("x")'), after: test("parsed")},
    {path: "A.java", before: "class A {}\n", after: "class A { int a; }\n"},
  ].map((file) => ({...file, basePath: file.path, status: "modified", isExecutable: false}) as const);
  const findings = inspectChange({files, relatedTests: [], plan: null});
  expect(findings.filter(({level}) => level !== "note")).toEqual([]);
});

it("compares methods of one name with themselves", () => {
  const method = (type: string, body: string) => `func (c *${type}) Do() {\n${body}}\n\n`;
  const first = method("First", "\tif c.a != 1 {\n\t\tc.t.Fatal(c.a)\n\t}\n\tassert.Equal(c.t, 1, c.b)\n");
  const second = method("Second", "\tif c.ready {\n\t\tassert.Equal(c.t, 1, c.b)\n\t}\n");
  const before = `package a\n\n${first}${second}`;
  expect(flagged("a_test.go", before, `${before}// end\n`)).toBe(false);
  expect(flagged("a_test.go", before, before.replace("\tassert.Equal(c.t, 1, c.b)\n}", "}"))).toBe(true);
});

it("compares a Python helper with the last definition of its name, which hides the others", () => {
  const helper =
    "def check(got):\n    assert got == 1\n    assert got is not None\n\n\ndef test_a():\n    check(read())\n";
  expect(flagged("test_a.py", helper, `${helper}\n\ndef check(got):\n    got.close()\n`)).toBe(true);
});
