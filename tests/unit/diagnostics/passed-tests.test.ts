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

it.each([
  ["packages of go", (at: number) => `ok  \texample.com/shop/part${at}\t0.${at}s\tcoverage: 79.4% of statements`],
  ["packages of go without tests", (at: number) => `?   \texample.com/shop/part${at}\t[no test files]`],
  ["progress bars", (at: number) => `${at} KB / 600 KB [=====>-------------------------] ${at / 6} % 571.73 KB/s 1s`],
  ["progress of packages", (at: number) => `part-${at}.0.0 | 157 KB | ############################ | 100%`],
  ["layers of an image", (at: number) => `9${String(at).padStart(3, "0")}eadfc210: Pulling fs layer`],
  ["marks of a CI service", (at: number) => `travis_time:end:${at}d6:start=1545097986295420951,finish=15450979863`],
])("leaves out %s", (_, lineOf) => {
  const lines = Array.from({length: 300}, (_, at) => lineOf(at));
  const log = [...lines.slice(0, 150), "AssertionError: expected 3 to be 2", ...lines.slice(150)].join("\n");
  expect(distill({log, maxChars: MAX_CHARS}).excerpt).toMatch(
    /^\[… 1\d\d lines left out …\]\nAssertionError: expected 3 to be 2\n\[… 1\d\d lines …\]$/,
  );
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
