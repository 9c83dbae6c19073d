/** The report: the record of a run as one GitHub comment or job summary. */

import {planMarkdown} from "../detect/plan-table.ts";
import {type Marker, runMarker} from "../github/marker.ts";
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {Attempt} from "../record/attempt.ts";
import {NO_OPINION} from "../record/opinion.ts";
import type {Note} from "../record/plan.ts";
import type {RunRecord} from "../record/record.ts";
import {quotedAnswer} from "./agent-answer.ts";
import {claimAt, unreadPaths} from "./claims.ts";
import {readableAnswer} from "./description.ts";
import {doubtsPart} from "./doubts.ts";
import {executedLinesPart} from "./executed-lines.ts";
import {explainVerdict} from "./explain-verdict.ts";
import {turnMessage} from "./failure-facts.ts";
import {TURN_END} from "./failure-words.ts";
import {failurePart, messagePart} from "./failures.ts";
import {findingNotesPart, findingsPart} from "./findings.ts";
import {firstLine} from "./first-line.ts";
import {capLength, type DetailLimits, fitToSize} from "./fit-size.ts";
import {withCount} from "./format.ts";
import {heldOutPart} from "./held-out.ts";
import {newTestsPart} from "./new-tests.ts";
import {opinionPart} from "./opinion.ts";
import {proposalPart} from "./proposal.ts";
import {
  buildOutputsPart,
  flaggedPart,
  pathList,
  publicationPart,
  setAsidePart,
  undoPart,
  updatePart,
} from "./publication-section.ts";
import {raiseTimeoutsPart} from "./raise-timeouts.ts";
import {redJobsPart} from "./red-jobs.ts";
import {reproductionPart} from "./reproduction.ts";
import {attemptTable, runFacts, spentOf} from "./run-details.ts";
import {factsOf} from "./run-facts.ts";
import {sensitivityPart} from "./sensitivity.ts";
import {specsPart} from "./specs.ts";
import {commandsPart, details, failingStages, stageTable} from "./stages.ts";
import {timelinePart} from "./timeline.ts";
import {triesPart} from "./tries.ts";

/** GitHub refuses comments above 65,536 characters. The margin is for servers that count differently. */
export const MAX_COMMENT = 60_000;
/** GitHub drops a step's summary above 1 MiB; a character can take three bytes. */
const MAX_SUMMARY = 300_000;
/** Stages that a first report lists. */
const MAX_PLANNED = 40;
/** Unread paths that are listed below the headline. */
const MAX_UNREAD = 10;

/**
 * Renders a finished run.
 *
 * @param options.maxChars UTF-16 units, 60,000 by default; at least `SMALLEST`
 * @param options.shownAnswer the attempt whose answer is shown elsewhere
 * @param options.marker false for a text that is not a comment, such as a job summary
 * @returns Markdown in which only Assay's own text has links; foreign text is inert. Redact the record first.
 */
export function renderReport(
  record: RunRecord,
  options: {maxChars?: number; marker?: boolean; shownAnswer?: Attempt} = {},
): string {
  const head = options.marker === false ? "" : `${runMarker(markerOf(record))}\n`;
  return fitToSize({
    maxChars: options.maxChars ?? MAX_COMMENT,
    render: (limits) => `${head}${sections(record, limits, options.shownAnswer)}\n`,
  });
}

/** The same report without the comment's marker and with a timeline, for the job summary. */
export function renderSummary(record: RunRecord): string {
  const timeline = timelinePart(record);
  const report = renderReport(record, {maxChars: MAX_SUMMARY, marker: false});
  return timeline === "" ? report : `${report}\n${timeline}\n`;
}

function markerOf(record: RunRecord): Marker {
  const {run, session, publication, request, verdict} = record;
  const [spent, facts] = [spentOf(record), factsOf(record)];
  const size = publication.kind === "published" ? record.size : undefined;
  const marker = {
    ...{run: run.id, session: session?.id ?? null, verdict: verdict.kind},
    ...(spent && {spent}),
    ...(size && {size}),
    ...(facts && {facts}),
  };
  const isUpdate = request?.kind === "update";
  if (publication.kind === "parked") return {...marker, parked: isUpdate ? "merge" : publication.commit};
  return publication.kind === "published" ? {...marker, parked: isUpdate ? "merged" : "none"} : marker;
}

function sections(record: RunRecord, limits: DetailLimits, shownAnswer?: Attempt): string {
  const answers = record.attempts.filter((attempt) => (attempt.turn?.answer.trim() ?? "") !== "");
  const lastAttempt = record.attempts.at(-1);
  const verification = lastAttempt?.verification ?? null;
  const stages = {setup: verification?.setup ?? [], stages: verification?.stages ?? [], limits};
  return [
    firstLine(record),
    explainVerdict(record, limits),
    redJobsPart(record, limits),
    reproductionPart(record, limits),
    proposalPart(record, limits),
    findingsPart(record, limits),
    unreadPart(record, limits),
    ...record.failures.map((failure) => failurePart(failure, record, limits)),
    stageTable({...stages, verdict: record.verdict}),
    raiseTimeoutsPart(record),
    newTestsPart(record, limits),
    executedLinesPart(record, limits),
    sensitivityPart(record, limits),
    heldOutPart(record, limits),
    triesPart(record, limits),
    undoPart(record, limits),
    updatePart(record, limits),
    publicationPart(record, limits),
    flaggedPart(record, limits),
    buildOutputsPart(record, limits),
    setAsidePart(record, limits),
    specsPart(record, limits),
    opinionPart(record, limits),
    doubtsPart(record, limits),
    ...answerPart(record, answers.at(-1) === shownAnswer ? undefined : answers.at(-1), limits),
    ...failingStages(stages),
    attemptsPart(
      record,
      answers.slice(0, -1).filter((attempt) => attempt !== shownAnswer),
      limits,
    ),
    commandsPart(stages),
    planPart(record, limits),
    findingNotesPart(record, limits),
    notesPart([...(record.plan?.notes ?? []), ...record.notes.filter(({about}) => about !== NO_OPINION)], limits),
    details("Run details", [runFacts(record, limits)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Changed paths that no stage is known to read, if they did not decide the verdict. */
function unreadPart(record: RunRecord, limits: DetailLimits): string {
  const claim = claimAt("unread", record);
  return claim === "" ? "" : `${claim} ${pathList(unreadPaths(record), Math.min(limits.list, MAX_UNREAD), limits)}.`;
}

function answerPart(record: RunRecord, attempt: Attempt | undefined, limits: DetailLimits): string[] {
  const end = record.attempts.at(-1)?.turn?.end ?? null;
  const isReported = record.failures.some(({kind}) => kind === "agent-broke");
  const ending =
    end === null || end.kind === "answered" || isReported
      ? []
      : [`*${TURN_END[end.kind].text}*${messagePart(turnMessage(end), limits)}`];
  if (attempt === undefined) return ending;
  const text = readableAnswer(attempt.turn?.answer ?? "");
  const quote = quotedAnswer(clip(text, limits.answer));
  const cutNote =
    text.length > limits.answer
      ? [`*The answer is cut here: its ${text.length} characters do not fit into one comment.*`]
      : [];
  return ["**The agent's answer:**", quote, ...cutNote, ...ending];
}

function attemptsPart(record: RunRecord, earlier: readonly Attempt[], limits: DetailLimits): string {
  const table = attemptTable(record.attempts, limits);
  if (table === "") return "";
  const answers = limits.earlier === 0 ? [] : capLength(earlier, limits.list).shown;
  const texts = answers.flatMap((attempt) => [
    `**Attempt ${attempt.number}**`,
    quotedAnswer(clip(readableAnswer(attempt.turn?.answer ?? ""), limits.earlier)),
  ]);
  return details(`${withCount(record.attempts.length, "attempt")}`, [table, ...texts]);
}

/** The detected plan, in the first report only, so that the owner can correct it. */
function planPart({plan, showsPlan}: RunRecord, limits: DetailLimits): string {
  if (plan === null || showsPlan !== true || limits.list < 30) return "";
  const {shown, left} = capLength(plan.stages, MAX_PLANNED);
  const table = planMarkdown({
    stages: [...shown],
    setup: plan.setup.slice(0, MAX_PLANNED),
    notRun: plan.notRun.slice(0, MAX_PLANNED),
  }).trimEnd();
  const hiddenStages = left === 0 ? [] : [`…and ${left} more. \`assay plan\` shows all of them.`];
  const advice = "To change what runs, add a `verify.json` (`assay init` writes one) and merge it.";
  return details("Which checks run here, and why", [table, ...hiddenStages, advice]);
}

function notesPart(notes: readonly Note[], limits: DetailLimits): string {
  if (notes.length === 0 || limits.list < 3) return "";
  const {shown, left} = capLength(notes, limits.list);
  const items = shown.map(
    ({about, text}) => `- ${codeSpan(clip(about, limits.line))}: ${inline(clip(text, limits.line))}`,
  );
  if (left > 0) items.push(`- …and ${left} more`);
  return details(withCount(notes.length, "note"), [items.join("\n")]);
}
