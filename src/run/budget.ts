/** The limits of a run: wall time (verify.json, the job's `timeout-minutes`), and the cost of the agent's turns. */
import type {Attempt} from "../record/attempt.ts";
import type {Note} from "../record/plan.ts";
import {money} from "../report/format.ts";

/** null: no limit */
export interface BudgetLimits {
  readonly minutes: number | null;
  readonly usd: number | null;
}

/** No one waits for an automatic run, so it has a time limit even if `verify.json` sets none. */
const AUTOMATIC_MINUTES = 30;

/** Without a limit in `verify.json`, one comment could cost what the model's key allows. */
const DEFAULT_USD = 10;

/** The limits of `verify.json`, with the defaults. */
export function budgetOf<Limits extends BudgetLimits>(limits: Limits, {isAutomatic}: {isAutomatic: boolean}): Limits {
  const {minutes, usd} = limits;
  return {...limits, minutes: minutes ?? (isAutomatic ? AUTOMATIC_MINUTES : null), usd: usd ?? DEFAULT_USD};
}

/** The rest of the limits after what earlier runs took. */
export function budgetAfter<Limits extends BudgetLimits>(limits: Limits, spent = {minutes: 0, usd: 0}): Limits {
  const {minutes, usd} = limits;
  const left = (limit: number | null, used: number) => limit && Math.max(0, Number((limit - used).toFixed(4)));
  return {...limits, minutes: left(minutes, spent.minutes), usd: left(usd, spent.usd)};
}

/** The limit of the job, and when the run ends itself so that it can still save its work and report. */
export interface JobTime {
  readonly minutes: number;
  /** on the clock of `performance.now()` */
  readonly endsAtMs: number;
}

/** Saving the work and reporting took 10 s at most in tests; a large push, retries and a busy server take longer. */
const RESERVE_MS = 5 * 60_000;
/** A shorter turn is not worth its price. */
const SHORTEST_TURN_MS = 60_000;

/** `ageMs` is how long the job has run when this process starts. A short job keeps a quarter of its time in reserve. */
export function jobTime(options: {minutes: number; ageMs: number}): JobTime {
  const allMs = options.minutes * 60_000;
  const ageMs = Math.min(Math.max(options.ageMs, 0), allMs);
  return {minutes: options.minutes, endsAtMs: allMs - ageMs - Math.min(RESERVE_MS, allMs / 4)};
}

/** The detail text for a run that stopped early to save its work. */
export function jobTimeWords({minutes}: JobTime): string {
  return `the job's limit of ${minutes} minutes (\`timeout-minutes\` in the workflow) is nearly used up`;
}

/** The reason why nothing more may start; null while it may. `elapsedMs` counts from the start of the run. */
export function timeSpent(limits: BudgetLimits, options: {elapsedMs: number; job: JobTime | null}): string | null {
  const {minutes} = limits;
  if (options.job !== null && options.elapsedMs >= options.job.endsAtMs) return jobTimeWords(options.job);
  return minutes !== null && options.elapsedMs >= minutes * 60_000
    ? `the budget of ${minutes} ${minutes === 1 ? "minute" : "minutes"} is used up`
    : null;
}

interface TurnLimits {
  readonly elapsedMs: number;
  readonly job: JobTime | null;
  /** the total time limit of the stages */
  readonly stagesMs: number;
  /** the run has reserved its limit in dollars, and must not exceed it by unknown costs */
  readonly isReserved?: boolean;
}

/** The cost of the agent's turns and the judge's calls, as far as it is reported. */
export function costOf(attempts: readonly Attempt[]): number {
  return attempts.reduce((sum, {turn, opinion}) => {
    return sum + (turn?.usage.costUsd ?? 0) + (opinion?.usage.costUsd ?? 0);
  }, 0);
}

const hasUnknownCost = (attempts: readonly Attempt[]): boolean =>
  attempts.some(({turn, opinion}) => turn?.usage.hasUnknownCost || opinion?.usage.hasUnknownCost);

/** Some agents report the cost only at the end of a turn. */
const hasLostCost = ({turn}: Attempt): boolean =>
  turn?.usage.costUsd === 0 && ["timed-out", "killed", "exited"].includes(turn.end.kind);

/**
 * A note if a limit in dollars was set and cannot be enforced: some agents and most endpoints report tokens without a
 * price.
 */
export function budgetNotes({usd}: BudgetLimits, attempts: readonly Attempt[]): Note[] {
  if (usd === null || !hasUnknownCost(attempts)) return [];
  const cost = costOf(attempts);
  const knownCost = cost === 0 ? "no cost is known" : `only ${money(cost)} is known`;
  const text = `The limit of ${money(usd)} could not be enforced: some calls to a model report no cost, and ${knownCost}. budget.minutes limits such runs.`;
  return [{about: "budget.usd", text}];
}

/** Why no further turn may start: the time or the dollars are used up. The agent reports the cost. */
export function turnsSpent(limits: BudgetLimits, options: TurnLimits & {attempts: readonly Attempt[]}): string | null {
  if (limits.usd === 0) return "nothing is left of the `budget` for the agent";
  const cost = costOf(options.attempts);
  if (limits.usd !== null && cost >= limits.usd) {
    return `the budget of ${money(limits.usd)} is used up: the run has cost ${money(cost)}`;
  }
  if (options.isReserved && (hasUnknownCost(options.attempts) || options.attempts.some(hasLostCost)))
    return "the cost of a turn is not known; the dollars of a day or a month are limited, so the model needs an entry in `prices`";
  const spent = timeSpent(limits, options);
  return (
    spent ??
    (options.job !== null && jobLeft(options, options.job) < SHORTEST_TURN_MS ? jobTimeWords(options.job) : null)
  );
}

/** Whole milliseconds that a turn may take, at most `mostMs`. `AbortSignal.timeout` takes no fractions. */
export function turnTime(limits: BudgetLimits, options: TurnLimits & {mostMs: number}): number {
  const byBudget = limits.minutes === null ? options.mostMs : limits.minutes * 60_000 - options.elapsedMs;
  const byJob = options.job === null ? options.mostMs : jobLeft(options, options.job);
  return Math.max(1, Math.ceil(Math.min(options.mostMs, byBudget, byJob)));
}

/** The job's time for a turn. The stages after it keep the sum of their timeouts, or half of the remaining time. */
function jobLeft({elapsedMs, stagesMs}: TurnLimits, {endsAtMs}: JobTime): number {
  const leftMs = endsAtMs - elapsedMs;
  return leftMs - Math.min(stagesMs, leftMs / 2);
}
