/** Scores the lines of any log by how much they look like the reason of a failure, with no knowledge of the tool. */
import {AGAINST, FOR} from "./line-patterns.ts";
import {ANY_CLUE, hintOfClue} from "./prefilter.ts";

const BLANK = /^[\s=*_~.·─━-]*$/;

/** Points of one line with these hints: 0 for nothing of note, about 10 for a plain statement of failure. */
export function pointsOf(body: string, hints: number): number {
  if ((hints & ANY_CLUE) === 0 || BLANK.test(body)) return 0;
  const found = FOR.find(({pattern}, at) => (hints & hintOfClue(at)) !== 0 && pattern.test(body))?.points ?? 0;
  if (found === 0) return 0;
  const lost = AGAINST.find((clue) => clue.pattern.test(body))?.points ?? 0;
  return Math.max(0, found - lost);
}

/** True for lines that report progress or success and so explain nothing. */
export function isChatter(body: string): boolean {
  return AGAINST.some((clue) => clue.pattern.test(body));
}
