/** Adds up what the earlier runs of a thread took, from the hidden markers of Assay's reports. */
import {readMarker} from "../github/marker.ts";
import type {EarlierRuns} from "../record/record.ts";

/** `add` takes the body of each comment of Assay, and never matches one. The run itself does not count. */
export function sumEarlierRuns(ownRun: string) {
  const none = {runs: 0, usd: 0, minutes: 0};
  let total: EarlierRuns = {...none, rounds: none};
  const add = (body: string): false => {
    const {run, spent} = readMarker(body) ?? {};
    if (run === undefined || spent === undefined || run === ownRun) return false;
    const plus = (sum: typeof none) => ({
      runs: sum.runs + 1,
      usd: sum.usd + spent.usd,
      minutes: sum.minutes + spent.minutes,
    });
    total = {...plus(total), rounds: run.startsWith("ci-") ? plus(total.rounds) : total.rounds};
    return false;
  };
  return {add, total: () => total};
}
