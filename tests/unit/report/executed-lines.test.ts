/** The sentence about the changed lines that tests run. */
import {expect, it} from "vitest";
import type {ExecutedLines} from "../../../src/record/executed-lines.ts";
import {executedLinesText} from "../../../src/report/executed-lines.ts";

const text = (executedLines: ExecutedLines, most = 9) =>
  executedLinesText({executedLines, code: (word) => `\`${word}\``, most});
type Measured = Extract<ExecutedLines, {kind: "measured"}>;
const measured: Measured = {
  ...{kind: "measured", all: 9, run: 9, notRun: [], byAllTests: true, unknown: [], durationMs: 1},
};
const range = {path: "cli.py", from: 236, to: 240};

it("counts the lines of code, and names those that no test ran", () => {
  expect(text({...measured, all: 14, notRun: [range]})).toBe(
    "9 of 14 changed lines of code were run by a test; not run: `cli.py:236–240`.",
  );
  expect(text({...measured, all: 1, run: 1})).toBe("1 of 1 changed line of code was run by a test.");
});

it("does not say that no test runs a line if only some tests ran", () => {
  const notRun = [range, {...range, from: 250, to: 250}];
  expect(text({...measured, all: 15, notRun, byAllTests: false}, 1)).toBe(
    "9 of 15 changed lines of code were run by a test; not run by the tests chosen for them: `cli.py:236–240`, 1 more.",
  );
});

it("says what is not known", () => {
  expect(text({...measured, unknown: ["a.js"]})).toBe(
    "9 of 9 changed lines of code were run by a test. The coverage report counts no changed line of `a.js`.",
  );
  expect(text({kind: "out-of-time", durationMs: 1})).toBe(
    "Which changed lines the tests run was not measured: out of time.",
  );
});
