/** The loop at the centre of a run: ask the agent, look at what it left, verify, and go back into the same session with what failed. */
import type {Attempt, Candidate, Change, Turn, Verdict, Verification} from "./record.ts";

/** What the bot itself saw after a turn, whatever the agent says it did. */
export interface Look {
  readonly candidate: Candidate | null;
  readonly changes: readonly Change[];
  /** there when nothing needs, or nothing allows, a verification */
  readonly settled: Verdict | null;
}

export interface Ports {
  /** one turn in the same session; never rejects */
  readonly ask: (prompt: string, attempt: number) => Promise<Turn>;
  readonly look: () => Promise<Look>;
  readonly verify: (look: {candidate: Candidate; changes: readonly Change[]}) => Promise<Verification>;
  readonly fixPrompt: (attempt: Attempt) => string;
  /** keeps the record on disk; called before the next turn starts (P8) */
  readonly onAttempt: (attempt: Attempt) => Promise<void>;
}

/** Runs at most `1 + maxFixAttempts` attempts and gives them all; the last one's verdict is the run's. */
export async function solve(o: {prompt: string; maxFixAttempts: number; ports: Ports}): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  let prompt = o.prompt;
  for (let number = 1; number <= 1 + o.maxFixAttempts; number++) {
    const turn = await o.ports.ask(prompt, number);
    const look = await o.ports.look();
    const before = attempts.at(-1);
    if (before !== undefined && before.candidate?.tree === look.candidate?.tree) {
      // The fix changed nothing: what was said of this tree still holds, and another try would say it again.
      attempts.push({...before, number, turn});
      await o.ports.onAttempt({...before, number, turn});
      break;
    }
    const attempt = await examine({number, turn, look, verify: o.ports.verify});
    attempts.push(attempt);
    await o.ports.onAttempt(attempt);
    if (!isWorthAFix(attempt)) break;
    prompt = o.ports.fixPrompt(attempt);
  }
  return attempts;
}

async function examine(o: {number: number; turn: Turn; look: Look; verify: Ports["verify"]}): Promise<Attempt> {
  const {number, turn, look} = o;
  const seen = {number, turn, candidate: look.candidate, changes: [...look.changes]};
  if (look.settled !== null || look.candidate === null) {
    const verdict: Verdict = look.settled ?? {
      kind: "unverified",
      why: "gate-error",
      detail: "no candidate could be made",
    };
    return {...seen, verification: null, verdict};
  }
  const verification = await o.verify({candidate: look.candidate, changes: look.changes});
  return {...seen, verification, verdict: verification.verdict};
}

/** A model's turn is spent only on failures that are the agent's business, and only on an agent that still answers. */
function isWorthAFix(attempt: Attempt): boolean {
  return attempt.verdict.kind === "failed" && attempt.turn?.end.kind === "answered";
}
