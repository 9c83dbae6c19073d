/** The folded details of a run: its attempts, ids and cost. */

import type {Spent} from "../github/marker.ts";
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {Attempt} from "../record/attempt.ts";
import type {RunRecord} from "../record/record.ts";
import {addUsage, NO_USAGE, type Usage} from "../record/usage.ts";
import {isVerified} from "../record/words.ts";
import {isRoundId} from "../request/triggers.ts";
import {TURN_END} from "./failure-words.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {cost, duration, money, tokens, withCount} from "./format.ts";
import {headlineOf, verdictDetails} from "./headline.ts";

/** One row per attempt with its cost and the stages that failed after it; empty for a single attempt. */
export function attemptTable(attempts: readonly Attempt[], limits: DetailLimits): string {
  if (attempts.length < 2) return "";
  const orderedAttempts = attempts.toSorted((one, other) => one.number - other.number);
  const {shown, left} = capLength(orderedAttempts, limits.rows);
  const tableRows = shown.map((attempt) => {
    const {icon} = headlineOf({verdict: attempt.verdict, failures: [], publication: {kind: "none"}});
    const {verdict} = attempt;
    const names =
      verdict.kind === "failed" || verdict.kind === "tampered"
        ? verdictDetails({verdict, attempts: []}).join(", ")
        : "";
    const ending =
      attempt.turn === null || attempt.turn.end.kind === "answered" ? "" : TURN_END[attempt.turn.end.kind].text;
    const fixedBy = attempt.autofix === undefined ? "" : "Fixed by a formatter or linter";
    const outcome = inline(
      clip(
        [names === "" ? verdict.kind : `${verdict.kind}: ${names}`, fixedBy, ending].filter(Boolean).join(". "),
        limits.line,
      ),
      {table: true},
    );
    const usage = totalUsage([attempt]);
    const time = duration((attempt.turn?.durationMs ?? 0) + (attempt.verification?.durationMs ?? 0));
    return `| ${attempt.number} | ${icon} ${outcome} | ${attempt.changes.length} | ${usage === null ? "" : cost(usage)} | ${time} |`;
  });
  const remainder = left === 0 ? [] : [`| | …and ${left} more | | | |`];
  return ["| # | Verdict | Files | Cost | Time |", "|--:|---|--:|--:|--:|", ...tableRows, ...remainder].join("\n");
}

/** The tokens and cost of all turns and opinions. Null without a turn. */
export function totalUsage(attempts: readonly Attempt[]): Usage | null {
  const usages = attempts.flatMap(({turn, opinion}) => [
    ...(turn === null ? [] : [turn.usage]),
    ...(opinion === undefined ? [] : [opinion.usage]),
  ]);
  if (usages.length === 0) return null;
  return addUsage(usages);
}

/** The tokens and cost of a run, with the tries that were not chosen, and the session that wrote tests. */
export function runUsage({attempts, tries, heldOut}: Pick<RunRecord, "attempts" | "tries" | "heldOut">): Usage | null {
  const own = totalUsage(attempts);
  const others = tries?.rows.filter(({number}) => number !== tries.chosen).map(({usage}) => usage) ?? [];
  const written = heldOut === undefined || isNothing(heldOut.usage) ? [] : [heldOut.usage];
  return own === null && written.length === 0 ? null : addUsage([own ?? NO_USAGE, ...others, ...written]);
}

const isNothing = ({input, output, costUsd, hasUnknownCost}: Usage): boolean =>
  input + output + costUsd === 0 && !hasUnknownCost;

/** The total time of turns and verifications in milliseconds. */
export function totalTimeMs(attempts: readonly Attempt[]): number {
  return attempts.reduce(
    (total, {turn, verification}) => total + (turn?.durationMs ?? 0) + (verification?.durationMs ?? 0),
    0,
  );
}

/**
 * The parts of the time in the first line, and the time from the request to the report, which includes waiting for
 * machines.
 */
function timeWords({attempts, run}: RunRecord): string {
  const sum = (part: (attempt: Attempt) => number | undefined) =>
    attempts.reduce((total, attempt) => total + (part(attempt) ?? 0), 0);
  const agentMs = sum(({turn}) => turn?.durationMs);
  const checksMs = sum(({verification}) => verification?.durationMs);
  const wholeMs = run.finishedAt === null ? 0 : Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const part = (name: string, ms: number) => (ms > 0 ? [`${name} ${duration(ms)}`] : []);
  return [...part("agent", agentMs), ...part("checks", checksMs), ...part("whole run", wholeMs)].join(", ");
}

/** What this run took; null without an attempt. */
export function spentOf(record: RunRecord): Spent | null {
  const {attempts, run, tries} = record;
  if (attempts.length === 0) return null;
  const wholeMs = Date.parse(run.finishedAt ?? "") - Date.parse(run.startedAt);
  return {
    usd: runUsage(record)?.costUsd ?? 0,
    minutes: (Number.isNaN(wholeMs) ? totalTimeMs(attempts) : wholeMs) / 60_000,
    ...(tries !== undefined && tries.rows.length > 1 && {tries: tries.rows.length}),
  };
}

/** This run and the earlier ones of its thread; empty for the first one. */
function totalWords(record: RunRecord): string {
  const {earlier} = record;
  if (earlier === undefined) return "";
  const {usd, minutes, tries} = spentOf(record) ?? {usd: 0, minutes: 0, tries: 0};
  const isAny = earlier.tries !== undefined || (tries ?? 0) > 1;
  const allTries = (earlier.tries ?? earlier.runs) + (tries ?? 1);
  const rounds = earlier.rounds.runs + Number(isRoundId(record.run.id) && record.attempts.length > 0);
  return [
    withCount(earlier.runs + Number(record.attempts.length > 0), "run"),
    ...(isAny ? [`${allTries} tries`] : []),
    ...(rounds > 0 ? [withCount(rounds, "automatic round")] : []),
    money(earlier.usd + usd),
    duration((earlier.minutes + minutes) * 60_000),
  ].join(", ");
}

/** A cut object id is useless. */
const LONGEST_ID = 64;

const minutesWords = ({minutes, isPart}: NonNullable<RunRecord["runnerMinutes"]>): string =>
  isPart ? `at least ${minutes}; those of the other jobs are unknown` : String(minutes);

/** The ids and circumstances that let anyone check the report, as a two-column table. */
export function runFacts(record: RunRecord, limits: DetailLimits): string {
  const lastAttempt = record.attempts.at(-1);
  const candidate = lastAttempt?.candidate ?? lastAttempt?.verification?.candidate ?? null;
  const {publication} = record;
  const code = (text: string) => codeSpan(clip(text, Math.max(LONGEST_ID, limits.line)), {table: true});
  const usage = runUsage(record);
  const turn = record.attempts.findLast((attempt) => attempt.turn !== null)?.turn ?? null;
  const rows: (readonly [string, string])[] = [];
  if (candidate !== null)
    rows.push(
      [isVerified(record.verdict) ? "Verified tree" : "Tree", code(candidate.tree)],
      ["Candidate", code(candidate.commit)],
    );
  if (publication.kind === "published")
    rows.push([
      "Commit",
      `${code(publication.commit)}, tree ${code(publication.tree)}, parent ${code(publication.parent)}`,
    ]);
  if (publication.kind === "parked") rows.push(["Saved commit", code(publication.commit)]);
  if (record.base !== null) rows.push(["Base", `${code(record.base.ref)} ${code(record.base.commit)}`]);
  if (record.rules !== null) rows.push(["Configuration of", `${code(record.rules.ref)} ${code(record.rules.commit)}`]);
  if (record.extended !== undefined) rows.push(["Extended configuration", code(record.extended)]);
  if (record.policy !== undefined) {
    const {place, keys} = record.policy;
    const stricter = keys.length === 0 ? "" : `, stricter in ${keys.map(code).join(", ")}`;
    rows.push(["Organization's policy", `${code(place)}${stricter}`]);
  }
  if (lastAttempt?.verification)
    rows.push([
      "Stages",
      WHERE[lastAttempt.verification.where] + jobWords(lastAttempt) + ISOLATION[lastAttempt.verification.isolation],
    ]);
  const times = timeWords(record);
  if (times !== "") rows.push(["Time", times]);
  if (record.runnerMinutes !== undefined) rows.push(["Runner minutes", minutesWords(record.runnerMinutes)]);
  const total = totalWords(record);
  if (total !== "") rows.push([record.thread?.isPullRequest ? "Pull request so far" : "Issue so far", total]);
  if (turn !== null) rows.push(["Model", code(turn.model)]);
  if (usage !== null)
    rows.push([
      "Tokens",
      `${tokens(usage.input)} in, ${tokens(usage.output)} out, ${tokens(usage.cacheRead)} read from cache`,
    ]);
  if (record.session !== null)
    rows.push(["Session", `${code(record.session.id)}${record.session.resumed ? ", resumed" : ""}`]);
  rows.push(["Run", `${code(record.run.id)}, Assay ${code(record.run.assay)}`]);
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

const WHERE = {
  checkout: "in a fresh checkout",
  "in-place": "in the working folder itself, not in a fresh checkout",
} as const;

/** Says on which kind of machine the verdict was made: it is more trustworthy if no agent has run there. */
function jobWords({turn, verification}: Attempt): string {
  if (verification?.job === "own") return ", verified in a separate job";
  return turn === null ? "" : ", verified in the agent's own job";
}

const ISOLATION = {
  sandbox: ", each stage in a sandbox",
  "pid-namespace": ", each stage in its own process namespace",
  degraded:
    ", without process namespaces, because the machine allows none: a process that clears its environment and detaches can outlive its stage",
} as const;
