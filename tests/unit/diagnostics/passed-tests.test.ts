/** What passed is no part of an excerpt, however close to a failure it stands. */
import {expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";

const MAX_CHARS = 6_000;

it.each([
  ["TAP with details", tapLog, ["ok 2 - reads", "# Subtest: reads"]],
  ["vitest and node's spec", (at: number) => `  ✓ src/case-${at}.test.ts > reads 1ms`, ["✓"]],
  ["go test -v", (at: number) => `=== RUN   TestCase${at}\n--- PASS: TestCase${at} (0.00s)`, ["=== RUN", "--- PASS"]],
  [
    "go test -v with the output of a test",
    (at: number) =>
      `=== RUN   TestCase${at}\n    case_test.go:${at}: error expected: part ${at}\n--- PASS: TestCase${at} (0.00s)`,
    ["=== RUN", "--- PASS", "error expected"],
  ],
  ["cargo test", (at: number) => `test queue::case_${at} ... ok`, ["... ok"]],
  ["pytest -v", (at: number) => `tests/test_queue.py::test_${at} PASSED [ 10%]`, ["PASSED"]],
])("%s: tests that passed are left out", (_, linesOf, leftOut) => {
  const passed = Array.from({length: 600}, (_, at) => linesOf(at));
  const log = [...passed.slice(0, 300), "AssertionError: expected 3 to be 2", ...passed.slice(300)].join("\n");
  const {excerpt} = distill({log, maxChars: MAX_CHARS});
  expect(excerpt).toContain("AssertionError: expected 3 to be 2");
  for (const text of leftOut) expect(excerpt).not.toContain(text);
});

it("keeps the details of a failed TAP point and the heading above it", () => {
  const failed = "# Subtest: divides\nnot ok 2 - divides\n  ---\n  error: 'boom'";
  const log = [...Array.from({length: 300}, (_, at) => tapLog(at)), `${failed}\n  ...`, tapLog(1)].join("\n");
  expect(distill({log, maxChars: MAX_CHARS}).excerpt).toContain(failed);
});

it("leaves out what a point only says it would: a skipped or expected failure", () => {
  const excused = "not ok 3 - counts # TODO later\n  ---\n  error: 'not yet'\n  ...";
  const log = [...Array.from({length: 300}, () => excused), "not ok 9 - divides\n  ---\n  error: 'boom'\n  ..."].join(
    "\n",
  );
  const {excerpt} = distill({log, maxChars: MAX_CHARS});
  expect(excerpt).toContain("error: 'boom'");
  expect(excerpt).not.toContain("not yet");
});

function tapLog(at: number): string {
  const inside =
    "    # Subtest: reads\n    ok 2 - reads\n      ---\n      duration_ms: 0.1\n      type: 'test'\n      ...\n    1..1";
  return `# Subtest: suite ${at}\n${inside}\nok ${at + 1} - suite ${at}\n  ---\n  duration_ms: 0.2\n  ...`;
}
