/** The events of `go test -json` become what `go test` prints, and every test is counted. */
import {expect, test} from "vitest";
import {translateGoEvents} from "../../../src/diagnostics/reports/go-events.ts";

const event = (Action: string, more: Record<string, string> = {}) => `${JSON.stringify({Action, ...more})}\n`;
const of = (Package: string, Test?: string) => ({Package, ...(Test !== undefined && {Test})});
const says = (Output: string, Package: string, Test?: string) => event("output", {...of(Package, Test), Output});

function translated(lines: string): {text: string; report: ReturnType<ReturnType<typeof translateGoEvents>["report"]>} {
  const go = translateGoEvents();
  const text =
    lines
      .split(/(?<=\n)/)
      .map((line) => go.add(line))
      .join("") + go.end();
  return {text, report: go.report()};
}

test("two packages side by side are shown one after the other, without what passed", () => {
  const {text, report} = translated(
    [
      "go: downloading example.com/x v1.0.0\n",
      event("start", of("a")),
      event("start", of("b")),
      event("run", of("a", "TestOne")),
      says("=== RUN   TestOne\n", "a", "TestOne"),
      event("run", of("b", "TestFine")),
      says("=== RUN   TestFine\n", "b", "TestFine"),
      says("FAIL: a word of a test\n", "b", "TestFine"),
      says("    a_test.go:3: no two\n", "a", "TestOne"),
      says("--- PASS: TestFine (0.00s)\n", "b", "TestFine"),
      event("pass", of("b", "TestFine")),
      says("--- FAIL: TestOne (0.00s)\n", "a", "TestOne"),
      event("fail", of("a", "TestOne")),
      event("run", of("b", "TestLater")),
      says("--- SKIP: TestLater (0.00s)\n", "b", "TestLater"),
      event("skip", of("b", "TestLater")),
      says("PASS\n", "b"),
      says("ok  \tb\t0.01s\n", "b"),
      event("pass", of("b")),
      says("FAIL\n", "a"),
      says("FAIL\ta\t0.01s\n", "a"),
      event("fail", of("a")),
    ].join(""),
  );
  expect(text).toBe(
    "go: downloading example.com/x v1.0.0\nok  \tb\t0.01s\n--- FAIL: TestOne (0.00s)\n    a_test.go:3: no two\nFAIL\nFAIL\ta\t0.01s\n",
  );
  expect(report).toEqual({
    counts: {passed: 1, failed: 1, skipped: 1},
    failed: [{file: "a", name: "TestOne", title: "TestOne", message: "a_test.go:3: no two"}],
    others: [
      {file: "b", title: "TestFine", outcome: "passed"},
      {file: "b", title: "TestLater", outcome: "skipped"},
    ],
  });
});

test("what is open when a program panics is shown, and a package that cannot be built has failed", () => {
  const {text, report} = translated(
    [
      event("run", of("a", "TestOpen")),
      says("half a word\n", "a", "TestOpen"),
      says("FAIL\ta\t0.01s\n", "a"),
      event("fail", of("a")),
      `${JSON.stringify({ImportPath: "b", Action: "build-output", Output: "b/b.go:3:1: syntax error\n"})}\n`,
      says("FAIL\tb [build failed]\n", "b"),
      event("fail", {...of("b"), FailedBuild: "b"}),
      event("run", of("c", "TestNever")),
      says("the time is over\n", "c", "TestNever"),
    ].join(""),
  );
  expect(text).toBe(
    "half a word\nFAIL\ta\t0.01s\nb/b.go:3:1: syntax error\nFAIL\tb [build failed]\nthe time is over\n",
  );
  expect(report?.counts).toEqual({passed: 0, failed: 2, skipped: 0});
  expect(report?.failed.map(({file, name}) => [file, name])).toEqual([
    ["a", null],
    ["b", null],
  ]);
});

test.each([
  "plain words\n",
  '{"level":"info","msg":"a log line"}\n',
  '{"Action":"output","Package":"a","Outp\n',
  "{}\n",
])("%j is no event, and stays", (line) => {
  expect(translated(line)).toEqual({text: line, report: null});
});

test("a test that prints without end takes no more memory", () => {
  const go = translateGoEvents();
  go.add(event("run", of("a", "TestLoud")));
  for (let line = 0; line < 20_000; line++) go.add(says(`${"x".repeat(200)}\n`, "a", "TestLoud"));
  go.add(says("--- FAIL: TestLoud (0.00s)\n", "a", "TestLoud"));
  const text = go.end();
  expect(text.length).toBeLessThan(140_000);
  expect(text).toContain("--- FAIL: TestLoud");
});
