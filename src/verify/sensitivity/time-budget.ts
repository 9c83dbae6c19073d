/** Predicts whether another run of the tests fits into the time that is left. */

/** In less time, the tests cannot even be chosen on a busy machine. */
export const MIN_BUDGET_MS = 1000;
/** The processes of a run that is stopped need some time to end. */
const STOP_MS = 500;

export interface TimeBudget {
  /** `expectedMs`: of the first run; 0 if unknown */
  fits(command: string, expectedMs: number): boolean;
  /** Measures a run, for the prediction of the next one. */
  measure<T>(command: string, run: () => Promise<T>): Promise<T>;
}

/** The time for runs: the rest is needed to stop the last one. */
export const timeForRuns = (budgetMs: number): number => Math.max(budgetMs / 2, budgetMs - STOP_MS);

/** `endMs` and `now` are on the same clock. */
export function openTimeBudget(endMs: number, now: () => number = () => performance.now()): TimeBudget {
  const lastMs = new Map<string, number>();
  return {
    fits: (command, expectedMs) => now() + (lastMs.get(command) ?? expectedMs) <= endMs,
    async measure(command, run) {
      const startMs = now();
      const result = await run();
      lastMs.set(command, now() - startMs);
      return result;
    },
  };
}
