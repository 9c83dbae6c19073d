/** Reads the difference that an assertion accepts between two numbers. */

const NUMBER = String.raw`(\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+)`;
/** The accepted difference is written as it is. */
const DIFFERENCE = new RegExp(
  String.raw`\b(?:rel|abs|rtol|atol|rel_tol|abs_tol|delta|epsilon|eps|tolerance)=${NUMBER}|\b(?:within|offset|byLessThan)\(${NUMBER}|\b(?:closeTo|approximately|InDelta|InEpsilon|InDeltaSlice)\(.*,${NUMBER}[fdL]?(?:,["'\x60].*)?\)|[aA]bs(?:\(\)|\(.*\))[<>]=?${NUMBER}`,
  "g",
);
/** The number of digits that must be equal. */
const DIGITS =
  /\b(?:places|decimal|significant)=(-?\d+)|\.toBeCloseTo\(.*,(\d+)\)|\bassertAlmostEqual\([^()]*,[^()]*,(-?\d+)\)/;
/** What the functions accept without an argument for it. */
const DEFAULTS: readonly (readonly [RegExp, number])[] = [
  [/\bapprox\(/, 1e-6],
  [/\.toBeCloseTo\(/, 0.01],
  [/\bassertAlmostEquals?\(/, 1e-7],
  [/\b(?:isclose|allclose|assert_allclose)\(/, 1e-7],
];

/** Null if the assertion, written without white space, accepts one value only. */
export function toleranceOf(text: string): number | null {
  const differences = [...text.matchAll(DIFFERENCE)].map((match) =>
    Number(match.slice(1).find(Boolean)?.replaceAll("_", "")),
  );
  if (differences.length > 0) return Math.max(...differences);
  const digits = DIGITS.exec(text)?.slice(1).find(Boolean);
  if (digits !== undefined) return 10 ** -Number(digits);
  return DEFAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
