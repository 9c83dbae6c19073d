/** Adds up what the earlier runs of a thread took, from the hidden markers of Assay's reports. */
import {readMarker} from "../github/marker.ts";
import type {EarlierRuns} from "../record/record.ts";

/** `add` takes the body of each comment of Assay, and never matches one. The run itself does not count. */
export function sumEarlierRuns(ownRun: string) {
  let total: EarlierRuns = {runs: 0, rounds: 0, usd: 0, minutes: 0};
  const add = (body: string): false => {
    const {run, spent} = readMarker(body) ?? {};
    if (run === undefined || spent === undefined || run === ownRun) return false;
    total = {
      runs: total.runs + 1,
      rounds: total.rounds + Number(run.startsWith("ci-")),
      usd: total.usd + spent.usd,
      minutes: total.minutes + spent.minutes,
    };
    return false;
  };
  return {add, total: () => total};
}
