/** The headline of a run: the same icon and words in comment, summary, check, pull request and terminal. */

import {type ConnectionCause, connectionCause} from "../diagnostics/environment-causes.ts";
import {isPartlyRun, type StageResult} from "../record/evidence.ts";
import {isGreen, isHeld, type RunRecord} from "../record/record.ts";
import {isVerified, type UnverifiedReason} from "../record/words.ts";
import {claimAt, type HeadlineFacts, isNotStarted} from "./claims.ts";
import {approvedBy, WITH_WARNINGS} from "./finding-words.ts";
import {
  GREEN_BUT_FAILED,
  HELD,
  type Headline,
  LOCAL_CURES,
  NOT_STARTED,
  NOTHING,
  PARTIAL_PREEXISTING,
  PROPOSED,
  RETRY,
  SETUP_CURES,
  TESTS_FAILED,
  UNVERIFIED,
  VERDICTS,
} from "./wording.ts";

/**
 * The headline of a run. A run that is not green never gets a green one, whatever its verdict (P14). A claim about a
 * change that may have weakened its checks always says so (P16).
 */
export function headlineOf(record: HeadlineFacts): Headline {
  const wording = headlineWithoutFindings(record);
  const isClaim = isVerified(record.verdict) || record.verdict.kind === "partial";
  if (!isClaim || (record.integrity ?? []).length === 0) return wording;
  const {approval} = record;
  if (approval !== undefined) return {...wording, headline: `${wording.headline}. ${approvedBy(approval.by)}`};
  const {headline, sentence} = WITH_WARNINGS;
  return {...wording, headline: `${wording.headline}${headline}`, sentence: `${wording.sentence} ${sentence}`};
}

function headlineWithoutFindings(record: HeadlineFacts): Headline {
  const {verdict} = record;
  const sentence = claimAt("verdict", record);
  if (isNotStarted(record)) return {...NOT_STARTED, sentence};
  if (isHeld(record)) return {...HELD, sentence};
  const wording = verdictHeadline(record);
  if (isGreen({verdict, failures: []}) && !isGreen(record))
    return {...wording, ...GREEN_BUT_FAILED, headline: `${wording.headline}, ${GREEN_BUT_FAILED.headline}`, sentence};
  return {...wording, sentence: `${wording.sentence} ${claimAt("committed", record)}`.trimEnd()};
}

/** Where a run without a thread can be started again; null for a run in a thread. */
const retryPlace = ({thread, run}: Partial<Pick<RunRecord, "thread" | "run">>): "workflow" | "terminal" | null =>
  thread === null ? (run?.url ? "workflow" : "terminal") : null;

/** The reason, what to change, and how to try again. */
function unverifiedHeadline(record: HeadlineFacts, why: UnverifiedReason): Headline {
  // A failure names its own next step.
  const advice = unverifiedNext(record, why);
  const reason = claimAt("verdict", record) || UNVERIFIED[why].sentence;
  const title = why === "no-stages" && record.attempts?.length === 0 ? NOT_STARTED : VERDICTS.unverified;
  return {...title, sentence: `${reason} ${advice}`.trimEnd()};
}

/** What to change after an unverified change, and how to try again. Empty if a failure with its own next step follows. */
export function unverifiedNext(record: HeadlineFacts, why: UnverifiedReason): string {
  if (record.failures.length > 0) return "";
  const retry = retryUnverified(record, why);
  const cure = unverifiedCure(record, why);
  return cure === "" ? `To try again, ${retry}.` : `${cure.slice(0, -1)}, then ${retry}.`;
}

/** What to change, as a sentence; empty if a second try may be enough. */
function unverifiedCure(record: HeadlineFacts, why: UnverifiedReason): string {
  if (why === "gate-error" && record.failures.length > 0) return "";
  const cause = why === "setup-failed" ? setupCause(record) : null;
  const localCure = retryPlace(record) === "terminal" ? LOCAL_CURES[cause ?? why] : undefined;
  const cure = localCure ?? (cause === null ? UNVERIFIED[why].cure : SETUP_CURES[cause]);
  return cure === "" ? "" : `${cure}.`;
}

/** Without new work by the agent, a check that still fails would fail again, and work that ended early is not done. */
function retryUnverified(record: HeadlineFacts, why: UnverifiedReason): string {
  if (retryPlace(record) !== null || why === "cancelled" || why === "unfinished") return retryStep(record);
  if (why === "still-failing") return "comment `/continue <hint>`";
  return retrySaved(record);
}

/** The way to try again with saved changes, if there are some. */
export function retrySaved(record: Parameters<typeof retryStep>[0] & Pick<HeadlineFacts, "publication">): string {
  const isVerifiable = record.publication.kind === "parked" && record.request?.kind !== "update";
  return isVerifiable ? RETRY["saved-work"] : retryStep(record);
}

/** The way to try again: the request's own command, or `/continue` once an agent has worked. */
export function retryStep(record: Pick<HeadlineFacts, "request" | "attempts" | "thread" | "run">): string {
  const place = retryPlace(record);
  if (place !== null) return RETRY[place];
  const {request, attempts = []} = record;
  switch (request?.kind) {
    case "work":
      return attempts.some(({turn}) => turn !== null) ? "comment `/continue`" : RETRY.work;
    case "continue":
    case "verify":
    case "approve":
    case "undo":
    case "update":
    case "review":
    case "plan":
    case "setup":
      return `comment \`/${request.kind}\``;
    default:
      return RETRY.request;
  }
}

/** The connection that the failed setup could not make, read from its output. */
function setupCause({attempts}: HeadlineFacts): ConnectionCause | null {
  const failed = attempts?.at(-1)?.verification?.setup.findLast(({outcome}) => outcome !== "passed");
  return failed === undefined ? null : connectionCause(`${failed.excerpt}\n${failed.output?.tail ?? ""}`);
}

function verdictHeadline(record: HeadlineFacts): Headline {
  const {verdict, attempts} = record;
  if (verdict.kind === "unverified") return unverifiedHeadline(record, verdict.why);
  const wording = {...VERDICTS[verdict.kind], sentence: claimAt("verdict", record)};
  if (verdict.kind === "partial" && verdict.preexisting.length > 0) return {...wording, headline: PARTIAL_PREEXISTING};
  if (verdict.kind === "nothing-to-verify")
    return {...wording, ...(verdict.why === "proposal" && {headline: PROPOSED}), sentence: NOTHING[verdict.why]};
  if (verdict.kind !== "failed") return wording;
  const stages = attempts?.at(-1)?.verification?.stages.filter(({name}) => verdict.stages.includes(name)) ?? [];
  const areTests = stages.length > 0 && stages.every(({kind}) => kind === "test");
  return areTests ? {...wording, headline: TESTS_FAILED} : wording;
}

/**
 * The headline as plain text for the annotation of a failed job. It contains no text of the repository or the agent.
 */
export function plainHeadline(record: HeadlineFacts): string {
  const {headline, sentence} = headlineOf(record);
  return `${headline}. ${sentence}`;
}

/** The stages, findings or details that belong to a verdict. They are foreign text. */
export function verdictDetails({verdict, attempts}: Pick<RunRecord, "verdict" | "attempts">): string[] {
  switch (verdict.kind) {
    case "verified":
      return [];
    case "verified-with-preexisting":
    case "failed":
      return verdict.stages;
    case "partial":
      return [
        ...notRunLines(verdict.notRun, attempts.at(-1)?.verification?.stages ?? []),
        ...(verdict.preexisting.length === 0
          ? []
          : [`Also failing without the change: ${verdict.preexisting.join(", ")}`]),
      ];
    case "tampered":
      return verdict.findings;
    case "unverified":
    case "nothing-to-verify":
      return verdict.detail === "" ? [] : [verdict.detail];
  }
}

/** Checks that did not run, and those that ran only on what the change affects. */
function notRunLines(names: readonly string[], stages: readonly StageResult[]): string[] {
  const partly = new Set(stages.filter(isPartlyRun).map(({name}) => name));
  const list = (start: string, listed: readonly string[]) => (listed.length === 0 ? [] : [start + listed.join(", ")]);
  return [
    ...list(
      "Not run: ",
      names.filter((name) => !partly.has(name)),
    ),
    ...list(
      "Run only for what the change affects: ",
      names.filter((name) => partly.has(name)),
    ),
  ];
}
