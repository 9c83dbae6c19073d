/** The one line that says what is claimed: the same icon, words and colour in comment, summary, pull request and terminal. */

import type {Verdict} from "../record/verification.ts";
import {isGreen, type RunRecord} from "../record.ts";
import {isVerified} from "../words.ts";
import {FAILED_AS_IT_STANDS, GREEN_BUT_FAILED, type Headline, NOTHING, UNVERIFIED, VERDICTS} from "./wording.ts";

/** The headline of a run. A run that is not green never gets a green one, whatever its verdict (P14). */
export function headlineOf(
  record: Pick<RunRecord, "verdict" | "failures" | "publication"> & Partial<Pick<RunRecord, "attempts">>,
): Headline {
  const {verdict, publication} = record;
  const worded = verdictHeadline(verdict);
  const good = isVerified(verdict) || verdict.kind === "nothing-to-verify";
  if (good && !isGreen(record))
    return {...GREEN_BUT_FAILED, headline: `${worded.headline}, ${GREEN_BUT_FAILED.headline}`};
  if (publication.kind === "published" && publication.withWarning) {
    return {...worded, sentence: `${worded.sentence} It was committed all the same, as \`onFailure: commit\` asks.`};
  }
  // `/verify` on a branch as it stands: nobody changed anything that could be blamed.
  const isUnchanged = record.attempts?.at(-1)?.changes.length === 0;
  return verdict.kind === "failed" && isUnchanged ? {...worded, sentence: FAILED_AS_IT_STANDS} : worded;
}

function verdictHeadline(verdict: Verdict): Headline {
  const worded = VERDICTS[verdict.kind];
  if (verdict.kind === "unverified") return {...worded, sentence: UNVERIFIED[verdict.why]};
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
    case "tampered":
      return verdict.findings;
    case "unverified":
    case "nothing-to-verify":
      return verdict.detail === "" ? [] : [verdict.detail];
  }
}
