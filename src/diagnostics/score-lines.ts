/** Scores the lines of any log by how likely they are the reason of a failure, without knowledge of the tool. */
import {AGAINST, FOR} from "./line-patterns.ts";
import {ANY_SCORE, flagOfScore} from "./prefilter.ts";

const BLANK = /^[\s=*_~.·─━-]*$/;

/** The points of one line with these flags: 0 for an irrelevant line, about 10 for a plain statement of failure. */
export function pointsOf(body: string, flags: number): number {
  if ((flags & ANY_SCORE) === 0 || BLANK.test(body)) return 0;
  const gained = FOR.find(({pattern}, at) => (flags & flagOfScore(at)) !== 0 && pattern.test(body))?.points ?? 0;
  if (gained === 0) return 0;
  const lost = AGAINST.find((clue) => clue.pattern.test(body))?.points ?? 0;
  return Math.max(0, gained - lost);
}

/** True for lines that report progress or success, and so explain nothing. */
export function isChatter(body: string): boolean {
  return AGAINST.some((clue) => clue.pattern.test(body));
}
