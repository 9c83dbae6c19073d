/** The central loop of a run: asks the agent, captures its changes, verifies them, and sends failures back. */
import {hasSameFailures} from "../diagnostics/compare.ts";
import type {Attempt, Turn} from "../record/attempt.ts";
import {isNotMet} from "../record/last-opinion.ts";
import type {JudgedOpinion, Opinion} from "../record/opinion.ts";
import type {InjectedFault, Sensitivity} from "../record/sensitivity.ts";
import {NO_USAGE} from "../record/usage.ts";
import type {Candidate, Change, Verdict, Verification} from "../record/verification.ts";
import {claimsSomething, type TurnReason} from "../record/words.ts";

/** The changes that Assay finds after a turn. */
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
  readonly reason: TurnReason;
}

/** The judge's part of the loop. */
export interface JudgePort {
  /** the opinion on an attempt; null if the attempt should not be judged. Never rejects */
  readonly judge: (attempt: Attempt) => Promise<Opinion | null>;
  readonly prompt: (opinion: JudgedOpinion) => string;
  /** how often an objection may go to the agent */
  readonly maxPrompts: number;
}

/** Finds faults in a verified attempt that no test notices. */
export interface FaultPort {
  /** null if nothing could be measured */
  readonly measure: (attempt: Attempt) => Promise<Sensitivity | null>;
  readonly prompt: (faults: readonly InjectedFault[]) => string;
}

/** Looks for behavior of the request that a verified attempt lacks. */
export interface HeldOutPort {
  /** null if nothing is missing */
  readonly prompt: (attempt: Attempt) => Promise<string | null>;
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
  /** absent if no judge is configured */
  readonly judge?: JudgePort;
  /** absent if the agent should not be asked for tests */
  readonly faults?: FaultPort;
  /** absent without held-out tests */
  readonly heldOut?: HeldOutPort;
}

/** The attempts of a run. The work of the last one counts. */
interface Solved {
  readonly attempts: readonly Attempt[];
  /** the verdict of a run whose budget stopped a fix; null: the last attempt's verdict is the run's */
  readonly stopped: Verdict | null;
}

interface Limits {
  /** the first prompt */
  readonly prompt: string;
  readonly maxFixAttempts: number;
  /** attempts of this run on another machine; then the first prompt is about the failures of the last one */
  readonly before?: readonly Attempt[];
}

/**
 * Runs one attempt, at most `maxFixAttempts` fixes, as many turns for objections of the judge as its port allows, one
 * for missing behavior and one for more tests. A fix that leaves the same failures is followed by one more, in a fresh
 * session; a tree seen before ends it.
 */
export async function solve(ports: Ports, limits: Limits): Promise<Solved> {
  const {askedForMore, ...attemptsResult} = await runAttempts(ports, limits);
  const orderedAttempts = verifiedLast(attemptsResult.attempts, askedForMore);
  return orderedAttempts === null ? attemptsResult : {attempts: orderedAttempts, stopped: null};
}

/**
 * An objection of the judge or a request for tests can lead to work that does not pass. The verified work before it
 * must not be lost, so that attempt moves to the end. An objection may be a reason to take all changes back, but a
 * request for tests is not. Null if the order stays.
 */
function verifiedLast(attempts: readonly Attempt[], askedForMore: boolean): Attempt[] | null {
  const lastAttempt = attempts.at(-1);
  const verifiedAttempt = attempts.findLast(({verdict}) => claimsSomething(verdict));
  if (lastAttempt === undefined || verifiedAttempt === undefined) return null;
  const isWithdrawn = askedForMore && lastAttempt.verdict.kind === "nothing-to-verify";
  if (!NOT_PASSED.has(lastAttempt.verdict.kind) && !isWithdrawn) return null;
  if (lastAttempt.turn?.end.kind === "cancelled") return null;
  return [...attempts.filter((attempt) => attempt !== verifiedAttempt), verifiedAttempt];
}

const NOT_PASSED: ReadonlySet<Verdict["kind"]> = new Set(["failed", "tampered", "unverified"]);

async function runAttempts(
  ports: Ports,
  {prompt, maxFixAttempts, before = []}: Limits,
): Promise<Solved & {askedForMore: boolean}> {
  const attempts: Attempt[] = [...before];
  const fixes = maxFixAttempts - Math.max(0, before.length - 1);
  const remainingTurns = {fixes, objections: ports.judge?.maxPrompts ?? 0, tests: 1, behavior: 1};
  const reason = before.length === 0 ? "task" : "failure";
  let next: Ask | null = {prompt, attempt: before.length + 1, isFresh: false, reason};
  while (next !== null) {
    const spentBudget = ports.spent(attempts);
    // An objection or a request for tests never withdraws a verdict.
    const isOptional = ["objection", "tests", "held-out"].includes(next.reason);
    const askedForMore = remainingTurns.tests === 0 || remainingTurns.behavior === 0;
    if (spentBudget !== null)
      return {attempts, stopped: isOptional ? null : outOfTime(spentBudget, attempts.at(-1)), askedForMore};
    if (next.reason === "objection") remainingTurns.objections -= 1;
    else if (next.reason === "failure") remainingTurns.fixes -= 1;
    const turn: Turn = await ports.ask(next);
    const look = await ports.look();
    // The same tree gives the same result, so it is not verified again.
    const sameTree = attempts.findLast(({candidate}) => candidate?.tree === look.candidate?.tree);
    const number = next.attempt;
    const mayFix = remainingTurns.fixes > 0 && !next.isFresh && turn.end.kind === "answered";
    const previous = attempts.at(-1)?.verification ?? null;
    const attempt: Attempt = sameTree
      ? repeatAttempt(sameTree, {number, turn})
      : await examine(ports, {number, turn, look, mayFix, before: previous});
    attempts.push(attempt);
    await ports.onAttempt(attempt);
    const opinion = attempt.opinion ?? (await ports.judge?.judge(attempt)) ?? null;
    const lastAttempt = opinion === null ? attempt : {...attempt, opinion};
    attempts[attempts.length - 1] = lastAttempt;
    const isStuck = sameTree !== undefined && !isAnswer(attempt);
    next = isStuck ? null : nextAsk(ports, {attempts, last: lastAttempt, left: remainingTurns, isFresh: next.isFresh});
    if (next === null && !isStuck && remainingTurns.behavior > 0 && claimsSomething(lastAttempt.verdict)) {
      remainingTurns.behavior -= 1;
      next = await askForBehavior(ports, lastAttempt);
    }
    if (next === null && !isStuck && remainingTurns.tests > 0 && claimsSomething(lastAttempt.verdict)) {
      remainingTurns.tests -= 1;
      next = await askForTests(ports, lastAttempt);
    }
  }
  return {attempts, stopped: null, askedForMore: remainingTurns.tests === 0 || remainingTurns.behavior === 0};
}

async function askForBehavior({heldOut}: Ports, last: Attempt): Promise<Ask | null> {
  const prompt = last.turn?.end.kind === "answered" ? ((await heldOut?.prompt(last)) ?? null) : null;
  return prompt === null ? null : {prompt, attempt: last.number + 1, isFresh: false, reason: "held-out"};
}

/** Without a change, the attempt's answer is its result. */
const isAnswer = ({verdict, changes}: Attempt): boolean => verdict.kind === "nothing-to-verify" && changes.length === 0;

/**
 * Another turn that left the tree of an earlier attempt. Its opinion applies, too, unless only the answer was judged.
 */
function repeatAttempt(earlier: Attempt, turn: Pick<Attempt, "number" | "turn">): Attempt {
  const {opinion, ...attempt} = {...earlier, ...turn};
  return opinion === undefined || isAnswer(attempt)
    ? attempt
    : {...attempt, opinion: {...opinion, usage: NO_USAGE, durationMs: 0}};
}

interface LoopState {
  readonly attempts: readonly Attempt[];
  readonly last: Attempt;
  /** how many turns may still follow */
  readonly left: {readonly fixes: number; readonly objections: number};
  readonly isFresh: boolean;
}

/** The next turn, for failures or for objections of the judge; null if no turn can help or none is allowed. */
function nextAsk(ports: Ports, {attempts, last, left, isFresh}: LoopState): Ask | null {
  const attempt = last.number + 1;
  if (isWorthAFix(last)) {
    if (isFresh || left.fixes <= 0) return null;
    const previous = attempts.at(-2);
    return previous !== undefined && hasSameFailures(previous, last)
      ? {prompt: ports.freshPrompt(attempts), attempt, isFresh: true, reason: "failure"}
      : {prompt: ports.fixPrompt(last), attempt, isFresh: false, reason: "failure"};
  }
  const {judge} = ports;
  const mayObject = claimsSomething(last.verdict) || last.verdict.kind === "nothing-to-verify";
  if (judge === undefined || left.objections <= 0 || !mayObject || !isNotMet(last.opinion)) return null;
  if (last.turn?.end.kind !== "answered") return null;
  return {prompt: judge.prompt(last.opinion), attempt, isFresh: false, reason: "objection"};
}

async function askForTests({faults}: Ports, last: Attempt): Promise<Ask | null> {
  if (faults === undefined || last.turn?.end.kind !== "answered") return null;
  const {notNoticed = []} = (await faults.measure(last)) ?? {};
  if (notNoticed.length === 0) return null;
  return {prompt: faults.prompt(notNoticed), attempt: last.number + 1, isFresh: false, reason: "tests"};
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

const NO_CANDIDATE: Verdict = {kind: "unverified", why: "gate-error", detail: "the changes could not be read"};

/** Returns true if another turn can help: the agent can fix the failures, and still answers. */
function isWorthAFix(attempt: Attempt): boolean {
  return ["failed", "tampered"].includes(attempt.verdict.kind) && attempt.turn?.end.kind === "answered";
}

function outOfTime(reason: string, last: Attempt | undefined): Verdict {
  return {kind: "unverified", why: "out-of-time", detail: `${reason}${describeLastFailure(last)}`};
}

function describeLastFailure(last: Attempt | undefined): string {
  if (last?.verdict.kind === "failed")
    return `; attempt ${last.number} left failing: ${last.verdict.stages.join(", ")}`;
  return last?.verdict.kind === "tampered" ? `; attempt ${last.number} weakened its checks` : "";
}
