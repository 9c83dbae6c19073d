/** Patterns of code in tests that catches the error of a failing assertion. Data only. */
import type {Trick} from "./trick-patterns.ts";

export const CAUGHT_ASSERTIONS: readonly Trick[] = [
  {
    files: /\.py$/,
    pattern: /^\s*except\s*\(?[\w.,\s]*\bAssertionError\b(?!.*:\s*raise\b)/,
    where: "tests",
    level: "flag",
    what: "catches failing assertions",
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    pattern: /\bERR_ASSERTION\b|\binstanceof\s+(?:\w+\.)?AssertionError\b|\.name\s*[!=]==?\s*["'`]AssertionError\b/,
    isText: true,
    where: "tests",
    level: "flag",
    what: "recognizes failing assertions",
  },
];
