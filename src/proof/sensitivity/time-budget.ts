/** Predicts whether more runs of the tests fit into the time that is left. */
import type {StageResult} from "../../record/evidence.ts";

/** In less time, the tests cannot even be chosen on a busy machine. */
export const MIN_BUDGET_MS = 1000;
/** The processes of a run that is stopped need some time to end. */
const STOP_MS = 500;
/** Longer runs have more of them. */
const STOP_SHARE = 0.03;

export interface ExpectedRun {
  /** names the command */
  readonly key: string;
  /** of the first run; 0 if unknown */
  readonly expectedMs: number;
}

export interface TimeBudget {
  /** The time before the last moment at which these runs can start, one after another; negative if it is too late. */
  msBefore(runs: readonly ExpectedRun[]): number;
  /** Measures a run, for the prediction of the next ones: like the last one that passed, as a failed one may end early. */
  measure<T extends Pick<StageResult, "outcome"> | null>(run: ExpectedRun, start: () => Promise<T>): Promise<T>;
}

/** The time for runs: the rest is needed to stop the last one. */
export const timeForRuns = (budgetMs: number): number =>
  Math.max(budgetMs / 2, budgetMs - Math.max(STOP_MS, STOP_SHARE * budgetMs));

/** `endMs` and `now` are on the same clock. */
export function openTimeBudget(endMs: number, now: () => number = () => performance.now()): TimeBudget {
  const passedMs = new Map<string, number>();
  const lastMs = new Map<string, number>();
  const predict = ({key, expectedMs}: ExpectedRun) => passedMs.get(key) ?? lastMs.get(key) ?? expectedMs;
  return {
    msBefore: (runs) => endMs - now() - runs.reduce((sum, run) => sum + predict(run), 0),
    async measure({key}, start) {
      const startMs = now();
      const result = await start();
      (result?.outcome === "passed" ? passedMs : lastMs).set(key, now() - startMs);
      return result;
    },
  };
}
