/** The agent's description of its change, for the pull request and the commit. */
import {type Attempt, keptAttempt} from "../record/attempt.ts";

/** The line that the prompts ask for. Models also write it in bold. */
const TITLE_LINE = /^\**Title:\**[ \t]*(\S.*?)\**[ \t]*$/m;

/** The answer as people read it: its title in bold. */
export const readableAnswer = (answer: string): string => answer.replace(TITLE_LINE, "**$1**");

export interface Description {
  readonly title: string;
  /** what and why; empty if there is only a title */
  readonly text: string;
  /** the attempt with this answer */
  readonly attempt: Attempt;
}

/** The newest answer with a title; null if no answer has one, because other answers may be about a fix only. */
export function describeChange(attempts: readonly Attempt[]): Description | null {
  const last = keptAttempt(attempts)?.number ?? 0;
  for (const attempt of attempts.filter(({number}) => number <= last).toReversed()) {
    const answer = attempt.turn?.answer ?? "";
    const match = TITLE_LINE.exec(answer);
    if (match !== null)
      return {title: match[1] ?? "", text: answer.slice(match.index + match[0].length).trim(), attempt};
  }
  return null;
}
