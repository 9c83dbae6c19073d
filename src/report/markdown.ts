/** The report: the record of a run as one GitHub comment. The verdict, the table, the agent's answer; the rest folded. */

import {planMarkdown} from "../detect/plan-table.ts";
import {type Marker, runMarker} from "../github/marker.ts";
import {clip, codeSpan, fence, inline} from "../markdown/escape.ts";
import {judgePaths} from "../publish/protected-paths.ts";
import {branchOf} from "../publish/target.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Note} from "../record/plan.ts";
import type {Publication, RunRecord} from "../record/record.ts";
import type {Verification} from "../record/verification.ts";
import {findUnread} from "../verify/coverage.ts";
import {quotedAnswer} from "./agent-answer.ts";
import {failurePart, said} from "./failure-section.ts";
import {turnMessage} from "./failures.ts";
import {capLength, fitToSize, type Limits} from "./fit-size.ts";
import {counted, short} from "./format.ts";
import {headlineOf, verdictDetails} from "./headline.ts";
import {link} from "./link.ts";
import {attemptTable, numbersLine, runFacts} from "./run-details.ts";
import {details, failingStages, stageTable} from "./stages.ts";
import {FLAGGED, HIDDEN, NOT_CHECKED, PUBLICATIONS, SET_ASIDE, TURN_END, WORKFLOWS} from "./wording.ts";

/** GitHub refuses comments above 65,536 characters; the rest is left to what a server may count differently. */
export const MAX_COMMENT = 60_000;
/** Stages that a first report lists; a person reads no more. */
const MAX_PLANNED = 40;
/** Unread paths that stand under the headline. */
const MAX_UNREAD = 10;

/**
 * Renders a finished run.
 *
 * @param o.maxChars UTF-16 units, 60,000 by default; at least `SMALLEST` of `fit.ts`
 * @param o.marker false where the text is no comment, such as a job summary
 * @returns Markdown in which only what Assay itself says can link; foreign text is inert. Redact the record before.
 */
export function renderReport(record: RunRecord, o: {maxChars?: number; marker?: boolean} = {}): string {
  const head = o.marker === false ? "" : `${runMarker(markerOf(record))}\n`;
  return fitToSize({
    maxChars: o.maxChars ?? MAX_COMMENT,
    render: (limits) => `${head}${sections(record, limits)}\n`,
  });
}

function markerOf({run, session, publication}: RunRecord): Marker {
  const marker = {run: run.id, session: session?.id ?? null};
  if (publication.kind === "parked") return {...marker, parked: publication.commit};
  return publication.kind === "published" ? {...marker, parked: "none"} : marker;
}

function sections(record: RunRecord, limits: Limits): string {
  const answers = record.attempts.filter((attempt) => (attempt.turn?.answer.trim() ?? "") !== "");
  const last = record.attempts.at(-1);
  const verification = last?.verification ?? null;
  const stages = {setup: verification?.setup ?? [], stages: verification?.stages ?? [], limits};
  return [
    `${verdictLine(record, limits)}`,
    unreadPart(verification, limits),
    ...record.failures.map((failure) => failurePart({failure, runUrl: record.run.url, limits})),
    stageTable(stages),
    publicationPart(record.publication, limits),
    flaggedPart(record, limits),
    setAsidePart(record, limits),
    numbersLine(record, link("run log", record.run.url)),
    ...answerPart(record, answers.at(-1), limits),
    ...failingStages(stages),
    attemptsPart(record, answers.slice(0, -1), limits),
    planPart(record, limits),
    notesPart([...(record.plan?.notes ?? []), ...record.notes], limits),
    details("Run details", [runFacts(record, limits)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The verdict in one line and its details in a list: always there, always worded the same. */
function verdictLine(record: RunRecord, limits: Limits): string {
  const {icon, headline, sentence} = headlineOf(record);
  const named = capLength(verdictDetails(record.verdict), limits.list);
  const words = named.shown.map((detail) => inline(clip(detail, limits.line)));
  const more = named.left === 0 ? "" : `, …and ${named.left} more`;
  const line = `**${icon} ${headline}.** ${sentence}`;
  switch (record.verdict.kind) {
    case "verified":
      return line;
    case "failed":
    case "verified-with-preexisting":
      return words.length === 0 ? line : `${line} Failing: ${words.join(", ")}${more}.`;
    case "partial":
      return `${line} ${words.map((word) => `${word}.`).join(" ")}`;
    case "tampered":
    case "unverified":
    case "nothing-to-verify":
      return [
        line,
        ...words.map((word) => `- ${word}`),
        ...(named.left === 0 ? [] : [`- …and ${named.left} more`]),
      ].join("\n");
  }
}

/** Changed paths that no stage has read, where they did not decide the verdict. */
function unreadPart(verification: Verification | null, limits: Limits): string {
  const unread = findUnread(verification?.coverage, verification?.stages ?? []).listed;
  const {shown, left} = capLength(unread, Math.min(limits.list, MAX_UNREAD));
  if (shown.length === 0) return "";
  const names = shown.map((path) => codeSpan(clip(path, limits.line))).join(", ");
  return `${NOT_CHECKED} ${names}${left === 0 ? "" : `, …and ${left} more`}.`;
}

function answerPart(record: RunRecord, attempt: Attempt | undefined, limits: Limits): string[] {
  const end = record.attempts.at(-1)?.turn?.end ?? null;
  const broken =
    end === null || end.kind === "answered" || hasAgentFailure(record)
      ? []
      : [`*${TURN_END[end.kind]}*${said(turnMessage(end), limits)}`];
  if (attempt === undefined) return broken;
  const text = attempt.turn?.answer ?? "";
  const shown = quotedAnswer(clip(text, limits.answer));
  const cut =
    text.length > limits.answer
      ? [`*The answer is cut here; ${text.length} characters were too many for one comment.*`]
      : [];
  return ["**The agent's answer**, in its own words:", shown, ...cut, ...broken];
}

function hasAgentFailure(record: RunRecord): boolean {
  return record.failures.some((failure) => failure.kind === "agent-broke");
}

function publicationPart(publication: Publication, limits: Limits): string {
  const {label, nextStep} = PUBLICATIONS[publication.kind];
  switch (publication.kind) {
    case "none":
      return "";
    case "published": {
      const {pullRequest} = publication;
      const where = `${label} ${codeSpan(clip(branchOf(publication.ref), limits.line))} as \`${short(publication.commit)}\`${publication.signed ? ", signed by GitHub" : ""}`;
      const pull = pullRequest === null ? "" : `, pull request ${link(`#${pullRequest.number}`, pullRequest.url)}`;
      return `${where}${pull}.${publication.workflows === undefined ? "" : ` ${WORKFLOWS[publication.workflows]}`}`;
    }
    case "parked": {
      const branch = branchOf(publication.ref);
      const where = `${label} ${codeSpan(clip(branch, limits.line))} as \`${short(publication.commit)}\`.`;
      return [`${where} ${nextStep}`, branch === publication.ref ? HIDDEN : "", takeBranch(branch)]
        .filter(Boolean)
        .join("\n\n");
    }
    case "parked-locally":
      return `${label} ${codeSpan(clip(publication.ref, limits.line))} as \`${short(publication.commit)}\`. ${nextStep} ${codeSpan(clip(publication.folder, limits.line))}`;
  }
}

/** Manifests, lock files and the like, where they are about to be merged. */
function flaggedPart({publication, attempts}: RunRecord, limits: Limits): string {
  if (publication.kind !== "published") return "";
  const {flagged} = judgePaths(attempts.at(-1)?.changes ?? [], []);
  const {shown, left} = capLength(flagged, limits.list);
  const names = shown.map((path) => codeSpan(clip(path, limits.line)));
  return names.length === 0 ? "" : `${FLAGGED} ${names.join(", ")}${left === 0 ? "" : `, …and ${left} more`}.`;
}

/** Whole, or it is of no use; bounded where it was made. */
function setAsidePart({setAside}: RunRecord, limits: Limits): string {
  if (!setAside) return "";
  const {shown, left} = capLength(setAside.paths, limits.list);
  const names = shown.map((path) => codeSpan(clip(path, limits.line))).join(", ");
  const more = left === 0 ? "" : ` and ${left} more`;
  const patch = limits.list === 1 ? [] : [details("The patch", [fence(setAside.patch, "diff")])];
  return [`${SET_ASIDE} Left out: ${names}${more}.`, ...patch].join("\n\n");
}

/** The line to paste. Git allows `$(…)` in a branch's name: a name that a shell could read as more gets no such line. */
function takeBranch(branch: string): string {
  if (!/^\w[\w./-]{0,200}$/.test(branch)) return "";
  return `${fence(`git fetch origin ${branch} && git switch --detach FETCH_HEAD`, "sh")}`;
}

function attemptsPart(record: RunRecord, earlier: readonly Attempt[], limits: Limits): string {
  const table = attemptTable(record.attempts, limits);
  if (table === "") return "";
  const answers = limits.earlier === 0 ? [] : capLength(earlier, limits.list).shown;
  const texts = answers.flatMap((attempt) => [
    `**Attempt ${attempt.number}**`,
    quotedAnswer(clip(attempt.turn?.answer ?? "", limits.earlier)),
  ]);
  return details(`${counted(record.attempts.length, "attempt")}`, [table, ...texts]);
}

/** On the first run, what Assay takes for the checks here, so that the owner can object. Its notes stand below with all others. */
function planPart({plan, showsPlan}: RunRecord, limits: Limits): string {
  if (plan === null || showsPlan !== true || limits.list < 30) return "";
  const {shown, left} = capLength(plan.stages, MAX_PLANNED);
  const table = planMarkdown({
    stages: [...shown],
    setup: plan.setup.slice(0, MAX_PLANNED),
    notRun: plan.notRun.slice(0, MAX_PLANNED),
  }).trimEnd();
  const more = left === 0 ? [] : [`…and ${left} more; \`assay plan\` shows them all.`];
  const how = "To change what runs, write a `verify.json` (`assay init` makes one) and merge it.";
  return details("What runs here, and where it comes from", [table, ...more, how]);
}

function notesPart(notes: readonly Note[], limits: Limits): string {
  if (notes.length === 0 || limits.list < 3) return "";
  const {shown, left} = capLength(notes, limits.list);
  const items = shown.map(
    ({about, text}) => `- ${codeSpan(clip(about, limits.line))}: ${inline(clip(text, limits.line))}`,
  );
  if (left > 0) items.push(`- …and ${left} more`);
  return details(counted(notes.length, "note"), [items.join("\n")]);
}
