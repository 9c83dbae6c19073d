/** The loop at the centre of a run: ask the agent, look at what it left, verify, and go back into the same session with what failed. */
import {hasSameFailures} from "../diagnostics/progress.ts";
import type {Attempt, Turn} from "../record/attempt.ts";
import type {Candidate, Change, Verdict, Verification} from "../record/verification.ts";

/** What the bot itself saw after a turn, whatever the agent says it did. */
export interface Look {
  readonly candidate: Candidate | null;
  readonly changes: readonly Change[];
  /** there when nothing needs, or nothing allows, a verification */
  readonly settled: Verdict | null;
}

/** What the agent is asked next; `isFresh` starts a session that knows nothing of the ones before. */
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
  /** what a failed attempt becomes without the agent; null where nothing could be mended */
  readonly autofix: (attempt: Attempt) => Promise<Attempt | null>;
  readonly fixPrompt: (attempt: Attempt) => string;
  /** the task, what was tried, and what still fails, for a fresh session */
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
    // What was said of a tree still holds when it comes again, and another try would say it again.
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

/** A model's turn is spent only on failures that are the agent's business, and only on an agent that still answers. */
function isWorthAFix(attempt: Attempt): boolean {
  return attempt.verdict.kind === "failed" && attempt.turn?.end.kind === "answered";
}

function outOfTime(spent: string, last: Attempt | undefined): Verdict {
  const failing =
    last?.verdict.kind === "failed" ? `; attempt ${last.number} left failing: ${last.verdict.stages.join(", ")}` : "";
  return {kind: "unverified", why: "out-of-time", detail: `${spent}${failing}`};
}
