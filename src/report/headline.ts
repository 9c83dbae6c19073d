/** The one line that says what is claimed: the same icon, words and colour in comment, summary, pull request and terminal. */

import type {Failure} from "../record/failure.ts";
import {isGreen, isHeld, type RunRecord} from "../record/record.ts";
import type {Verdict} from "../record/verification.ts";
import type {UnverifiedReason} from "../record/words.ts";
import {
  FAILED_AS_IT_STANDS,
  GREEN_BUT_FAILED,
  HELD,
  type Headline,
  IN_PLACE,
  NO_CHECK_FOUND,
  NOT_STARTED,
  NOTHING,
  PARTIAL_PREEXISTING,
  RETRY,
  UNVERIFIED,
  VERDICTS,
} from "./wording.ts";

/** The headline of a run. A run that is not green never gets a green one, whatever its verdict (P14). */
export function headlineOf(
  record: Pick<RunRecord, "verdict" | "failures" | "publication"> &
    Partial<Pick<RunRecord, "attempts" | "request" | "thread">>,
): Headline {
  const {verdict, publication} = record;
  if (isNotStarted(record)) return NOT_STARTED;
  const worded = verdict.kind === "unverified" ? unverifiedHeadline(record, verdict.why) : verdictHeadline(verdict);
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

/** What is found before the agent or a stage starts. The other failures also come later, or in another job. */
const BEFORE_THE_START: ReadonlySet<Failure["kind"]> = new Set([
  "config-invalid",
  "missing-key",
  "missing-permission",
  "agent-unavailable",
  "no-sandbox",
  "github-refused",
]);

function isNotStarted({verdict, failures, attempts}: Parameters<typeof headlineOf>[0]): boolean {
  const isUndecided = verdict.kind === "unverified" && verdict.why === "gate-error" && verdict.detail === "";
  return isUndecided && attempts?.length === 0 && failures.some(({kind}) => BEFORE_THE_START.has(kind));
}

/** What is wrong, what to change, and how to try again. */
function unverifiedHeadline(record: Parameters<typeof headlineOf>[0], why: UnverifiedReason): Headline {
  const {publication, attempts, request, thread} = record;
  const isUnstarted = why === "no-stages" && attempts?.length === 0;
  const canVerify = publication.kind === "parked" || request?.kind === "verify";
  const retry = RETRY[thread === null ? "terminal" : canVerify ? "saved-work" : "request"];
  const {sentence, cure} = UNVERIFIED[why];
  const next = cure === "" ? `To try again, ${retry}.` : `${cure}, then ${retry}.`;
  return isUnstarted
    ? {...NOT_STARTED, sentence: `${NO_CHECK_FOUND} ${next}`}
    : {...VERDICTS.unverified, sentence: `${sentence} ${next}`};
}

function verdictHeadline(verdict: Verdict): Headline {
  const worded = VERDICTS[verdict.kind];
  if (verdict.kind === "partial" && verdict.preexisting.length > 0) return {...worded, headline: PARTIAL_PREEXISTING};
  if (verdict.kind === "nothing-to-verify") return {...worded, sentence: NOTHING[verdict.why]};
  return worded;
}

/** The same as plain text, for the annotation of a red job: words of Assay's own only. */
export function plainHeadline(record: Parameters<typeof headlineOf>[0]): string {
  const {headline, sentence} = headlineOf(record);
  return `${headline}. ${sentence}`;
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
