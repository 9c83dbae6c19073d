/** What a run may spend: wall time by its verify.json and by its job's `timeout-minutes`, and money on the agent's turns. */
import type {Attempt} from "../record/attempt.ts";
import {money} from "../report/format.ts";

/** null: no limit */
export interface Limits {
  readonly minutes: number | null;
  readonly usd: number | null;
}

/** When GitHub ends the job, and when the run ends by itself, so that its work is saved and its report shown before. */
export interface JobTime {
  readonly minutes: number;
  /** on the clock of `performance.now()` */
  readonly endsAtMs: number;
}

/** Saving the work and reporting took 10 s at most in tests; a large push, retries and a busy server take longer. */
const RESERVE_MS = 5 * 60_000;
/** A turn that would be shorter is not worth its price. */
const SHORTEST_TURN_MS = 60_000;

/** `ageMs` is how long the job has run when this process starts. A short job keeps a quarter of its time in reserve. */
export function jobTime(o: {minutes: number; ageMs: number}): JobTime {
  const allMs = o.minutes * 60_000;
  const ageMs = Math.min(Math.max(o.ageMs, 0), allMs);
  return {minutes: o.minutes, endsAtMs: allMs - ageMs - Math.min(RESERVE_MS, allMs / 4)};
}

/** The detail of a run that ended by itself. */
export function jobTimeWords({minutes}: JobTime): string {
  return `the job's limit of ${minutes} minutes (\`timeout-minutes\` in the workflow) is nearly used up`;
}

/** Why nothing more may start, in words; null while it may. `elapsedMs` counts from the start of the run. */
export function timeSpent(limits: Limits, o: {elapsedMs: number; job: JobTime | null}): string | null {
  const {minutes} = limits;
  if (o.job !== null && o.elapsedMs >= o.job.endsAtMs) return jobTimeWords(o.job);
  return minutes !== null && o.elapsedMs >= minutes * 60_000
    ? `the budget of ${minutes} ${minutes === 1 ? "minute" : "minutes"} is used up`
    : null;
}

interface TurnLimits {
  readonly elapsedMs: number;
  readonly job: JobTime | null;
  /** how long the stages may take together */
  readonly stagesMs: number;
}

/** The same for a further turn, which costs money too. The agent's own figures count. */
export function turnsSpent(limits: Limits, o: TurnLimits & {attempts: readonly Attempt[]}): string | null {
  const cost = o.attempts.reduce((sum, {turn}) => sum + (turn?.usage.costUsd ?? 0), 0);
  if (limits.usd !== null && cost >= limits.usd) {
    return `the budget of ${money(limits.usd)} is used up: the agent's turns cost ${money(cost)}`;
  }
  const spent = timeSpent(limits, o);
  return spent ?? (o.job !== null && jobLeft(o, o.job) < SHORTEST_TURN_MS ? jobTimeWords(o.job) : null);
}

/** Milliseconds that a turn may take, of at most `mostMs`. */
export function turnTime(limits: Limits, o: TurnLimits & {mostMs: number}): number {
  const byBudget = limits.minutes === null ? o.mostMs : limits.minutes * 60_000 - o.elapsedMs;
  const byJob = o.job === null ? o.mostMs : jobLeft(o, o.job);
  return Math.max(1, Math.min(o.mostMs, byBudget, byJob));
}

/** What the job leaves to a turn: the stages come after it, and get as long as they may take, or half of the time. */
function jobLeft({elapsedMs, stagesMs}: TurnLimits, {endsAtMs}: JobTime): number {
  const leftMs = endsAtMs - elapsedMs;
  return leftMs - Math.min(stagesMs, leftMs / 2);
}
