/** The sentence about injected faults. */
import {expect, it} from "vitest";
import {sensitivityText} from "../../../src/report/sensitivity.ts";

const text = (noticed: number, notNoticed: {from: string; to: string}[], left = 0) =>
  sensitivityText({
    sensitivity: {
      noticed,
      notNoticed: notNoticed.map((one) => ({path: "cli.py", line: 236, ...one})),
      left,
      durationMs: 1,
    },
    code: (word) => `\`${word}\``,
    most: 1,
  });

it("counts what is noticed, and names what is not", () => {
  expect(text(11, [{from: "<", to: "<="}])).toBe(
    "11 of 12 injected faults in the changed lines are noticed by the tests; not noticed: `cli.py:236` `<` → `<=`.",
  );
  expect(text(1, [])).toBe("1 of 1 injected fault in the changed lines is noticed by the tests.");
  expect(
    text(
      0,
      [
        {from: "!", to: ""},
        {from: "1", to: "2"},
      ],
      3,
    ),
  ).toBe(
    "0 of 2 injected faults in the changed lines are noticed by the tests; not noticed: `cli.py:236` `!` → (removed), 1 more. There was no time for 3 more.",
  );
});
