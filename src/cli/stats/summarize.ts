/** What past runs came to: counts of verdicts, checks and merged work, from comments, pull requests and the branch's history. */
import {groupBy} from "../../diagnostics/group-by.ts";
import type {RunFacts} from "../../record/run-facts.ts";
import {type Fate, type PastChange, WATCHED_MS} from "./fates.ts";

export interface PastRun {
  /** as in the record */
  readonly verdict: string;
  readonly usd: number;
  readonly minutes: number;
  /** no person started it */
  readonly isRound: boolean;
  /** absent in comments of earlier versions */
  readonly facts?: RunFacts;
}

type CountsByWord = Readonly<Record<string, number>>;

export interface Stats {
  readonly runs: number;
  readonly verdicts: CountsByWord;
  readonly usd: number;
  readonly minutes: number;
  readonly medianMinutes: number;
  /** the runs that no person started */
  readonly rounds: number;
  readonly pullRequests: {readonly merged: number; readonly closed: number; readonly open: number};
  /** merged pull requests that a later text names within 14 days */
  readonly reverted: number;
  readonly hotFixed: number;
  /** of the merged ones whose checks on the default branch are known, those with a failed one */
  readonly red: {readonly of: number; readonly count: number};
  /** null without a merged pull request */
  readonly usdPerMerged: number | null;
  /**
   * Of the verified pull requests merged at least 14 days ago, those that were not reverted, hot-fixed or red. Null under
   * 20 of them, because fewer say nothing.
   */
  readonly held: {readonly of: number; readonly count: number} | null;
  /** the runs whose comment has what is below */
  readonly detailed: number;
  /** verifications, and of the runs those with more than one */
  readonly attempts: {readonly all: number; readonly runsWithFix: number};
  readonly unverifiedBecause: CountsByWord;
  /** of failed checks; outside of checks, the record's kinds */
  readonly failureKinds: CountsByWord;
  readonly otherFailures: CountsByWord;
  /** the slowest first */
  readonly checks: readonly CheckStats[];
  /** the runs that name the test */
  readonly flakyTests: CountsByWord;
  /** the runs by the most severe level; `overruled` are those that a person approved nevertheless */
  readonly findings: Readonly<Record<string, FindingCounts>>;
}

interface CheckStats {
  readonly name: string;
  readonly runs: number;
  readonly failed: number;
  readonly flaky: number;
  readonly medianSeconds: number;
  readonly maxSeconds: number;
}

interface FindingCounts {
  readonly block: number;
  readonly flag: number;
  readonly note: number;
  readonly overruled: number;
}

const FEWEST = 20;
/** Checks and tests that are listed. */
const MAX_LISTED = 50;

export function summarize(options: {
  runs: readonly PastRun[];
  changes: readonly (PastChange & Fate)[];
  nowMs: number;
}): Stats {
  const {runs, changes, nowMs} = options;
  const sum = (part: (run: PastRun) => number) => runs.reduce((total, run) => total + part(run), 0);
  const merged = changes.filter(({mergedAt}) => mergedAt !== null);
  const known = merged.filter(({isRed}) => isRed !== null);
  const watched = merged.filter(
    ({mergedAt, isVerified}) => isVerified && nowMs - Date.parse(mergedAt ?? "") >= WATCHED_MS,
  );
  const held = watched.filter(({isReverted, isHotFixed, isRed}) => !isReverted && !isHotFixed && isRed !== true);
  const usd = sum((run) => run.usd);
  return {
    ...{runs: runs.length, verdicts: countBy(runs.map(({verdict}) => verdict)), usd},
    ...{minutes: sum((run) => run.minutes), medianMinutes: medianOf(runs.map(({minutes}) => minutes))},
    rounds: runs.filter(({isRound}) => isRound).length,
    pullRequests: {
      merged: merged.length,
      closed: changes.filter(({mergedAt, closedAt}) => mergedAt === null && closedAt !== null).length,
      open: changes.filter(({closedAt, mergedAt}) => closedAt === null && mergedAt === null).length,
    },
    reverted: merged.filter(({isReverted}) => isReverted).length,
    hotFixed: merged.filter(({isHotFixed}) => isHotFixed).length,
    red: {of: known.length, count: known.filter(({isRed}) => isRed).length},
    usdPerMerged: merged.length === 0 ? null : usd / merged.length,
    held: watched.length < FEWEST ? null : {of: watched.length, count: held.length},
    ...summarizeFacts(runs),
  };
}

function summarizeFacts(runs: readonly PastRun[]) {
  const all = runs.flatMap(({facts}) => facts ?? []);
  const checks = all.flatMap((facts) => facts.checks);
  return {
    detailed: all.length,
    attempts: {
      all: all.reduce((total, {attempts}) => total + attempts, 0),
      runsWithFix: all.filter(({attempts}) => attempts > 1).length,
    },
    unverifiedBecause: countBy(
      runs.flatMap(({verdict, facts}) => (verdict === "unverified" ? (facts?.why ?? "unknown") : [])),
    ),
    failureKinds: countBy(checks.flatMap(([, , kind]) => (kind === "" ? [] : kind))),
    otherFailures: countBy(all.flatMap(({failures}) => failures)),
    checks: [...groupBy(checks, ([name]) => name)]
      .map(([name, results]): CheckStats => {
        const outcomes = countBy(results.map(([, outcome]) => outcome));
        const seconds = results.map(([, , , second]) => second);
        return {
          ...{
            name,
            runs: results.length,
            failed: results.length - (outcomes["passed"] ?? 0) - (outcomes["flaky"] ?? 0),
          },
          ...{flaky: outcomes["flaky"] ?? 0, medianSeconds: medianOf(seconds)},
          maxSeconds: seconds.reduce((most, one) => Math.max(most, one), 0),
        };
      })
      .toSorted((one, other) => other.medianSeconds - one.medianSeconds)
      .slice(0, MAX_LISTED),
    flakyTests: countBy(all.flatMap(({flaky}) => flaky)),
    findings: countFindings(all),
  };
}

/** An approved run repeats the findings of the run before it, and those that blocked are overruled. */
function countFindings(all: readonly RunFacts[]): Stats["findings"] {
  const rows = all.flatMap(({findings, approved = false}) =>
    [...groupBy(findings, ([check]) => check)].map(([check, levels]) => ({
      ...{check, approved},
      level: (["block", "flag", "note"] as const).find((one) => levels.some(([, level]) => level === one)),
    })),
  );
  const counts = [...groupBy(rows, ({check}) => check)].map(([check, ofCheck]) => {
    const shown = countBy(ofCheck.flatMap(({level, approved}) => (level === undefined || approved ? [] : level)));
    const {block = 0, flag = 0, note = 0} = shown;
    return [
      check,
      {block, flag, note, overruled: ofCheck.filter(({approved, level}) => approved && level === "block").length},
    ] as const;
  });
  return Object.fromEntries(counts);
}

/** The most frequent first. */
function countBy(words: readonly string[]): CountsByWord {
  const counts = [...groupBy(words, (word) => word)].map(([word, {length}]) => [word, length] as const);
  return Object.fromEntries(counts.toSorted(([, one], [, other]) => other - one).slice(0, MAX_LISTED));
}

function medianOf(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? 0;
}
