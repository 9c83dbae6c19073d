/** What `npm run check` leaves to `npm run sweep`: long forms, like cases after the first, `tests/sweeps/scenarios/` and `tests/visual/`. */

/** `npm run sweep` sets the variable. */
export const isSweep = process.env["ASSAY_SWEEP"] !== undefined;

/** All cases in a sweep, otherwise the first `count`. */
export function someOf<T>(cases: readonly T[], count = 1): T[] {
  return cases.slice(0, isSweep ? cases.length : count);
}

/** All cases in a sweep, otherwise every `step`-th, the first of them included: for long lists in no order of weight. */
export function everyNth<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => isSweep || index % step === 0);
}
