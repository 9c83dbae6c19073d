/** What a run may spend by its verify.json: wall time on everything, money on the agent's turns. */
import type {Attempt} from "./record/attempt.ts";
import {money} from "./report/format.ts";

/** null: no limit */
export interface Limits {
  readonly minutes: number | null;
  readonly usd: number | null;
}

/** Why nothing more may start, in words; null while it may. `elapsedMs` counts from the start of the run. */
export function timeSpent(limits: Limits, elapsedMs: number): string | null {
  const {minutes} = limits;
  return minutes !== null && elapsedMs >= minutes * 60_000
    ? `the budget of ${minutes} ${minutes === 1 ? "minute" : "minutes"} is used up`
    : null;
}

/** The same for a further turn, which costs money too. The agent's own figures count. */
export function turnsSpent(limits: Limits, o: {elapsedMs: number; attempts: readonly Attempt[]}): string | null {
  const cost = o.attempts.reduce((sum, {turn}) => sum + (turn?.usage.costUsd ?? 0), 0);
  if (limits.usd !== null && cost >= limits.usd) {
    return `the budget of ${money(limits.usd)} is used up: the agent's turns cost ${money(cost)}`;
  }
  return timeSpent(limits, o.elapsedMs);
}

/** Milliseconds that a turn may take, of at most `mostMs`. */
export function turnTime(limits: Limits, o: {elapsedMs: number; mostMs: number}): number {
  if (limits.minutes === null) return o.mostMs;
  return Math.max(1, Math.min(o.mostMs, limits.minutes * 60_000 - o.elapsedMs));
}
