/** Renders title and body of the pull request for a verified change. */

import type {FileStat} from "../git/diff-stat.ts";
import {clip, codeSpan, plainLine} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {quotedAnswer} from "./agent-answer.ts";
import {describeChange} from "./description.ts";
import {capLength} from "./fit-size.ts";
import {withCount} from "./format.ts";
import {MAX_COMMENT, renderReport} from "./markdown.ts";
import {proposalTitle} from "./proposal.ts";
import {details} from "./stages.ts";

const MAX_TITLE = 90;
const MAX_FILES = 20;
const MAX_PATH = 200;
/** Each character can take six when it is escaped, and the report must fit behind it. */
const MAX_DESCRIPTION = 4_000;

/**
 * The title is the agent's, or else the issue's, or else the first line of the request, without mentions, references
 * and `[skip ci]`, because a squash merge makes it a commit's subject. The body starts with the agent's description,
 * closes the issue when the pull request is merged, and contains the report.
 */
export function renderPullRequest(
  record: RunRecord,
  options: {
    issueTitle?: string;
    stat?: readonly FileStat[] | null;
    /** who started a run without a thread; null for a schedule */
    starter?: string | null;
  } = {},
): {title: string; body: string} {
  const {thread, undoes, proposal} = record;
  // `/undo` opens the issue again, and the comment `/setup` can be in any issue.
  const purpose = proposal ? "Proposed in" : undoes === undefined ? "Closes" : "Reverts work for";
  const {stat = null, starter} = options;
  const actor = thread === null ? starter : thread.actor;
  const requester = actor ? `\`${actor.replace(/[^\w[\]-]/g, "")}\`` : "a schedule";
  const files = withCount(record.attempts.at(-1)?.changes.length ?? 0, "changed file");
  const introduction =
    actor === undefined
      ? ""
      : `${thread === null ? "" : `${purpose} #${thread.number}. `}Requested by ${requester}. ${files}${lineCount(stat)}.\n\n${fileTable(stat)}`;
  const description = proposal ? null : describeChange(record.attempts);
  const {text = "", attempt: shownAnswer} = description ?? {};
  const quote = text === "" ? "" : `${quotedAnswer(clip(text, MAX_DESCRIPTION))}\n\n`;
  const report = renderReport(record, {
    marker: false,
    maxChars: MAX_COMMENT - quote.length - introduction.length,
    ...(shownAnswer && text.length <= MAX_DESCRIPTION && {shownAnswer}),
  });
  const ownTitle = proposal
    ? proposalTitle(proposal)
    : title(record, [description?.title ?? "", options.issueTitle ?? ""]);
  return {title: ownTitle, body: quote + introduction + report};
}

function lineCount(stat: readonly FileStat[] | null): string {
  if (stat === null || stat.length === 0) return "";
  const sum = (key: "added" | "removed") => stat.reduce((total, one) => total + (one[key] ?? 0), 0);
  return `, +${sum("added")} −${sum("removed")} lines`;
}

/** The files with the most changed lines first. Paths are foreign text. */
function fileTable(stat: readonly FileStat[] | null): string {
  if (stat === null || stat.length < 2) return "";
  const size = ({added, removed}: FileStat) => (added ?? 0) + (removed ?? 0);
  const {shown, left} = capLength(
    [...stat].toSorted((one, other) => size(other) - size(one)),
    MAX_FILES,
  );
  const rows = shown.map(({path, added, removed}) => {
    const lines = added === null ? "binary | " : `+${added} | −${removed}`;
    return `| ${codeSpan(clip(path, MAX_PATH), {table: true})} | ${lines} |`;
  });
  const remainder = left === 0 ? [] : [`| …and ${left} more | | |`];
  return `${details("Changed files", [["| File | | |", "|---|--:|--:|", ...rows, ...remainder].join("\n")])}\n\n`;
}

/** Without words of the agent or of a person, the title names the changed files. */
function title({request, attempts}: RunRecord, titles: readonly string[]): string {
  const requested = request?.kind === "work" ? (request.text.split("\n", 1)[0] ?? "") : "";
  const [path = "", ...others] = attempts.at(-1)?.changes.map((change) => change.path) ?? [];
  const files = others.length === 0 ? path : `${clip(path, 50)} and ${withCount(others.length, "other file")}`;
  const lines = [...titles, requested, `Change ${files}`].map((line) => plainLine(line, MAX_TITLE));
  return lines.find((line) => line !== "") ?? "";
}
