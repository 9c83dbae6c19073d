/** The central loop of a run: ask the agent, capture its changes, verify them, and send the failures back into the session. */
import {hasSameFailures} from "../diagnostics/compare.ts";
import type {Attempt, Turn} from "../record/attempt.ts";
import type {Candidate, Change, Verdict, Verification} from "../record/verification.ts";

/** The changes that Assay itself finds after a turn. */
export interface Look {
  readonly candidate: Candidate | null;
  readonly changes: readonly Change[];
  /** the verdict if no verification is needed or possible */
  readonly settled: Verdict | null;
}

/** The next prompt. `isFresh` starts a new session without the earlier conversation. */
export interface Ask {
  readonly prompt: string;
  readonly attempt: number;
  readonly isFresh: boolean;
}

export interface Ports {
  /** one turn; never rejects */
  readonly ask: (ask: Ask) => Promise<Turn>;
  readonly look: () => Promise<Look>;
  readonly verify: (look: {
    candidate: Candidate;
    changes: readonly Change[];
    before: Verification | null;
    /** whether a fix may follow, so that finding a failure is enough */
    mayFix: boolean;
  }) => Promise<Verification>;
  /** fixes a failed attempt without the agent; null if nothing was fixed */
  readonly autofix: (attempt: Attempt) => Promise<Attempt | null>;
  readonly fixPrompt: (attempt: Attempt) => string;
  /** the task, the earlier attempts and the remaining failures, for a new session */
  readonly freshPrompt: (attempts: readonly Attempt[]) => string;
  /** why no further turn may start; null while one may */
  readonly spent: (attempts: readonly Attempt[]) => string | null;
  /** keeps the record on disk; called before the next turn starts (P8) */
  readonly onAttempt: (attempt: Attempt) => Promise<void>;
}

/**
 * Runs at most `1 + maxFixAttempts` attempts; the last one's verdict is the run's, unless the budget stopped it: then
 * `stopped` is. A fix that leaves the same failures is followed by one more, in a fresh session; a tree seen before ends it.
 */
export async function solve(
  ports: Ports,
  {prompt, maxFixAttempts}: {prompt: string; maxFixAttempts: number},
): Promise<{attempts: Attempt[]; stopped: Verdict | null}> {
  const attempts: Attempt[] = [];
  let next: Ask | null = {prompt, attempt: 1, isFresh: false};
  while (next !== null && next.attempt <= 1 + maxFixAttempts) {
    const spent = ports.spent(attempts);
    if (spent !== null) return {attempts, stopped: outOfTime(spent, attempts.at(-1))};
    const turn: Turn = await ports.ask(next);
    const look = await ports.look();
    // The same tree gives the same result, so it is not verified again.
    const sameTree = attempts.findLast(({candidate}) => candidate?.tree === look.candidate?.tree);
    const number = next.attempt;
    const mayFix = number <= maxFixAttempts && !next.isFresh && turn.end.kind === "answered";
    const previous = attempts.at(-1)?.verification ?? null;
    const attempt: Attempt = sameTree
      ? {...sameTree, number, turn}
      : await examine(ports, {number, turn, look, mayFix, before: previous});
    attempts.push(attempt);
    await ports.onAttempt(attempt);
    next = sameTree || next.isFresh || !isWorthAFix(attempt) ? null : askAgain(attempts, attempt, ports);
  }
  return {attempts, stopped: null};
}

function askAgain(attempts: readonly Attempt[], last: Attempt, ports: Ports): Ask {
  const attempt = last.number + 1;
  const previous = attempts.at(-2);
  if (previous !== undefined && hasSameFailures(previous, last)) {
    return {prompt: ports.freshPrompt(attempts), attempt, isFresh: true};
  }
  return {prompt: ports.fixPrompt(last), attempt, isFresh: false};
}

interface Examined extends Pick<Parameters<Ports["verify"]>[0], "before" | "mayFix"> {
  readonly number: number;
  readonly turn: Turn;
  readonly look: Look;
}

async function examine(ports: Ports, {number, turn, look, before, mayFix}: Examined): Promise<Attempt> {
  const {candidate, changes} = look;
  const attemptFacts = {number, turn, candidate, changes: [...changes]};
  if (look.settled !== null || candidate === null) {
    return {...attemptFacts, verification: null, verdict: look.settled ?? NO_CANDIDATE};
  }
  const verification = await ports.verify({candidate, changes, before, mayFix});
  const attempt = {...attemptFacts, verification, verdict: verification.verdict};
  return attempt.verdict.kind === "failed" ? ((await ports.autofix(attempt)) ?? attempt) : attempt;
}

const NO_CANDIDATE: Verdict = {kind: "unverified", why: "gate-error", detail: "no candidate could be made"};

/** Another turn is spent only on failures that the agent can fix, and only if the agent still answers. */
function isWorthAFix(attempt: Attempt): boolean {
  return attempt.verdict.kind === "failed" && attempt.turn?.end.kind === "answered";
}

function outOfTime(spent: string, last: Attempt | undefined): Verdict {
  const failing =
    last?.verdict.kind === "failed" ? `; attempt ${last.number} left failing: ${last.verdict.stages.join(", ")}` : "";
  return {kind: "unverified", why: "out-of-time", detail: `${spent}${failing}`};
}
