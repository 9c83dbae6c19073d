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
export async function solve(o: {
  prompt: string;
  maxFixAttempts: number;
  ports: Ports;
}): Promise<{attempts: Attempt[]; stopped: Verdict | null}> {
  const {ports} = o;
  const attempts: Attempt[] = [];
  let next: Ask | null = {prompt: o.prompt, attempt: 1, isFresh: false};
  while (next !== null && next.attempt <= 1 + o.maxFixAttempts) {
    const spent = ports.spent(attempts);
    if (spent !== null) return {attempts, stopped: outOfTime(spent, attempts.at(-1))};
    const turn: Turn = await ports.ask(next);
    const look = await ports.look();
    // The same tree gives the same result, so it is not verified again.
    const twin = attempts.findLast(({candidate}) => candidate?.tree === look.candidate?.tree);
    const number = next.attempt;
    const mayFix = number <= o.maxFixAttempts && !next.isFresh && turn.end.kind === "answered";
    const attempt: Attempt = twin
      ? {...twin, number, turn}
      : await examine({number, turn, look, mayFix, attempts, ports});
    attempts.push(attempt);
    await ports.onAttempt(attempt);
    next = twin || next.isFresh || !isWorthAFix(attempt) ? null : askAgain(attempts, attempt, ports);
  }
  return {attempts, stopped: null};
}

function askAgain(attempts: readonly Attempt[], last: Attempt, ports: Ports): Ask {
  const attempt = last.number + 1;
  const before = attempts.at(-2);
  if (before !== undefined && hasSameFailures(before, last)) {
    return {prompt: ports.freshPrompt(attempts), attempt, isFresh: true};
  }
  return {prompt: ports.fixPrompt(last), attempt, isFresh: false};
}

async function examine(o: {
  number: number;
  turn: Turn;
  look: Look;
  mayFix: boolean;
  attempts: readonly Attempt[];
  ports: Ports;
}): Promise<Attempt> {
  const {number, turn, look} = o;
  const {candidate, changes} = look;
  const seen = {number, turn, candidate, changes: [...changes]};
  if (look.settled !== null || candidate === null) {
    const verdict: Verdict = look.settled ?? {
      kind: "unverified",
      why: "gate-error",
      detail: "no candidate could be made",
    };
    return {...seen, verification: null, verdict};
  }
  const before = o.attempts.at(-1)?.verification ?? null;
  const verification = await o.ports.verify({candidate, changes, before, mayFix: o.mayFix});
  const attempt = {...seen, verification, verdict: verification.verdict};
  return attempt.verdict.kind === "failed" ? ((await o.ports.autofix(attempt)) ?? attempt) : attempt;
}

/** Another turn is spent only on failures that the agent can fix, and only if the agent still answers. */
function isWorthAFix(attempt: Attempt): boolean {
  return attempt.verdict.kind === "failed" && attempt.turn?.end.kind === "answered";
}

function outOfTime(spent: string, last: Attempt | undefined): Verdict {
  const failing =
    last?.verdict.kind === "failed" ? `; attempt ${last.number} left failing: ${last.verdict.stages.join(", ")}` : "";
  return {kind: "unverified", why: "out-of-time", detail: `${spent}${failing}`};
}
