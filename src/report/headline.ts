/** The one line that says what is claimed: the same icon, words and colour in comment, summary, pull request and terminal. */

import type {Verdict} from "../record/verification.ts";
import {isGreen, isHeld, type RunRecord} from "../record.ts";
import {
  FAILED_AS_IT_STANDS,
  GREEN_BUT_FAILED,
  HELD,
  type Headline,
  IN_PLACE,
  NOTHING,
  PARTIAL_PREEXISTING,
  UNVERIFIED,
  VERDICTS,
} from "./wording.ts";

/** The headline of a run. A run that is not green never gets a green one, whatever its verdict (P14). */
export function headlineOf(
  record: Pick<RunRecord, "verdict" | "failures" | "publication"> & Partial<Pick<RunRecord, "attempts">>,
): Headline {
  const {verdict, publication} = record;
  const worded = verdictHeadline(verdict);
  if (isHeld(record)) return HELD;
  if (isGreen({verdict, failures: []}) && !isGreen(record))
    return {...GREEN_BUT_FAILED, headline: `${worded.headline}, ${GREEN_BUT_FAILED.headline}`};
  if (publication.kind === "published" && publication.withWarning) {
    return {...worded, sentence: `${worded.sentence} It was committed all the same, as \`onFailure: commit\` asks.`};
  }
  const last = record.attempts?.at(-1);
  if (verdict.kind === "verified" && last?.verification?.where === "in-place") return {...worded, sentence: IN_PLACE};
  // `/verify` on a branch as it stands: nobody changed anything that could be blamed.
  const isUnchanged = last?.changes.length === 0;
  return verdict.kind === "failed" && isUnchanged ? {...worded, sentence: FAILED_AS_IT_STANDS} : worded;
}

function verdictHeadline(verdict: Verdict): Headline {
  const worded = VERDICTS[verdict.kind];
  if (verdict.kind === "unverified") return {...worded, sentence: UNVERIFIED[verdict.why]};
  if (verdict.kind === "partial" && verdict.preexisting.length > 0) return {...worded, headline: PARTIAL_PREEXISTING};
  if (verdict.kind === "nothing-to-verify") return {...worded, sentence: NOTHING[verdict.why]};
  return worded;
}

/** What the verdict names besides its sentence: stages, findings, or the detail of the reason. Foreign text. */
export function verdictDetails(verdict: Verdict): string[] {
  switch (verdict.kind) {
    case "verified":
      return [];
    case "verified-with-preexisting":
    case "failed":
      return verdict.stages;
    case "partial":
      return [
        `Not run: ${verdict.notRun.join(", ")}`,
        ...(verdict.preexisting.length === 0
          ? []
          : [`Already failing without the change: ${verdict.preexisting.join(", ")}`]),
      ];
    case "tampered":
      return verdict.findings;
    case "unverified":
    case "nothing-to-verify":
      return verdict.detail === "" ? [] : [verdict.detail];
  }
}
