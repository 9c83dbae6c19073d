/** Scores the lines of any log by how likely they are the reason of a failure, without knowledge of the tool. */
import {AGAINST, FOR, HINT} from "./line-patterns.ts";
import {ANY_SCORE, flagOfScore} from "./prefilter.ts";

/** The points of one line with these flags: 0 for an irrelevant line, about 10 for a plain statement of failure. */
export function pointsOf(body: string, flags: number): number {
  const gained = (flags & ANY_SCORE) === 0 ? 0 : gainedPoints(body, flags);
  if (gained === 0) return 0;
  return isChatter(body) ? gained - HINT : gained;
}

function gainedPoints(body: string, flags: number): number {
  let flagIndex = 0;
  for (const {pattern, points} of FOR)
    if ((flags & flagOfScore(flagIndex++)) !== 0 && pattern.test(body)) return points;
  return 0;
}

/** True for lines that report progress or success, and so explain nothing. */
export function isChatter(body: string): boolean {
  return AGAINST.some((pattern) => pattern.test(body));
}
