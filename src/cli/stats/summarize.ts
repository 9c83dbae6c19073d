/** What past runs came to: counts of verdicts and of merged work, from comments, pull requests and the branch's history. */

export interface PastRun {
  /** as in the record */
  readonly verdict: string;
  readonly usd: number;
  readonly minutes: number;
}

export interface PastChange {
  /** ISO 8601; null if that did not happen */
  readonly mergedAt: string | null;
  readonly closedAt: string | null;
  readonly commits: readonly string[];
}

/** A commit of the default branch whose message says that it reverts another one. */
export interface Revert {
  readonly of: string;
  /** ISO 8601 */
  readonly at: string;
}

export interface Stats {
  readonly runs: number;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly usd: number;
  readonly minutes: number;
  readonly pullRequests: {readonly merged: number; readonly closed: number; readonly open: number};
  /** merged pull requests that were reverted within 14 days */
  readonly reverted: number;
  /** null without a merged pull request */
  readonly usdPerMerged: number | null;
  /**
   * Of the pull requests merged at least 14 days ago, those that were not reverted in that time. Null under 20 of them,
   * because fewer say nothing.
   */
  readonly held: {readonly of: number; readonly count: number} | null;
}

const WATCHED_MS = 14 * 24 * 3_600_000;
const FEWEST = 20;

export function summarize(options: {
  runs: readonly PastRun[];
  changes: readonly PastChange[];
  reverts: readonly Revert[];
  nowMs: number;
}): Stats {
  const {runs, changes, reverts, nowMs} = options;
  const sum = (part: (run: PastRun) => number) => runs.reduce((total, run) => total + part(run), 0);
  const verdicts: Record<string, number> = {};
  for (const {verdict} of runs) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const merged = changes.filter(({mergedAt}) => mergedAt !== null);
  const isReverted = ({mergedAt, commits}: PastChange) =>
    reverts.some(({of, at}) => {
      const afterMs = Date.parse(at) - Date.parse(mergedAt ?? "");
      return commits.includes(of) && afterMs >= 0 && afterMs <= WATCHED_MS;
    });
  const watched = merged.filter(({mergedAt}) => nowMs - Date.parse(mergedAt ?? "") >= WATCHED_MS);
  const usd = sum((run) => run.usd);
  return {
    ...{runs: runs.length, verdicts, usd, minutes: sum((run) => run.minutes)},
    pullRequests: {
      merged: merged.length,
      closed: changes.filter(({mergedAt, closedAt}) => mergedAt === null && closedAt !== null).length,
      open: changes.filter(({closedAt, mergedAt}) => closedAt === null && mergedAt === null).length,
    },
    reverted: merged.filter(isReverted).length,
    usdPerMerged: merged.length === 0 ? null : usd / merged.length,
    held:
      watched.length < FEWEST
        ? null
        : {of: watched.length, count: watched.filter((change) => !isReverted(change)).length},
  };
}
