/** Adds up what the earlier runs of a thread took, from the hidden markers of Assay's reports. */
import {readMarker} from "../github/marker.ts";
import type {ChangeSize, EarlierRuns} from "../record/record.ts";
import {isRoundId} from "../request/triggers.ts";

const NO_RUNS = {runs: 0, usd: 0, minutes: 0};

/** `bodies` are Assay's own comments, oldest first. The run itself does not count. */
export function sumEarlierRuns(bodies: readonly string[], ownRun: string): EarlierRuns {
  let total: EarlierRuns = {...NO_RUNS, rounds: NO_RUNS};
  for (const body of bodies) {
    const {run = ownRun, spent: said, size} = readMarker(body) ?? {};
    // An update that was refused counts, too: each push would repeat it.
    const spent = said ?? (run.startsWith("push-") ? {usd: 0, minutes: 0, tries: undefined} : undefined);
    if (spent === undefined || run === ownRun) continue;
    const isRound = isRoundId(run);
    const plus = ({runs, usd, minutes}: typeof NO_RUNS) => ({
      ...{runs: runs + 1, usd: usd + spent.usd, minutes: minutes + spent.minutes},
    });
    const rounds = isRound ? plus(total.rounds) : total.rounds;
    const tries = (total.tries ?? total.runs) + (spent.tries ?? 1);
    total = {...total, ...plus(total), rounds, ...((total.tries ?? spent.tries) !== undefined && {tries})};
    if (size !== undefined && !isRound) total = {...total, grown: {first: size, all: size}};
    else if (size !== undefined && total.grown)
      total = {...total, grown: {...total.grown, all: addSizes(total.grown.all, size)}};
  }
  return total;
}

export const addSizes = (one: ChangeSize, other: ChangeSize): ChangeSize => ({
  ...{lines: one.lines + other.lines, files: one.files + other.files, tests: one.tests + other.tests},
});
