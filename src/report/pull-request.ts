/** Renders title and body of the pull request for a verified change. */

import {plainLine} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {withCount} from "./format.ts";
import {MAX_COMMENT, renderReport} from "./markdown.ts";

const MAX_TITLE = 90;

/**
 * The title is the issue's, or else the first line of the request, without mentions, references and `[skip ci]`,
 * because a squash merge makes it a commit's subject. The body closes the issue when the pull request is merged, and
 * contains the report.
 */
export function renderPullRequest(
  record: RunRecord,
  options: {issueTitle?: string} = {},
): {title: string; body: string} {
  const {thread, undoes} = record;
  // The issue is open again when its work is taken back.
  const purpose = undoes === undefined ? "Closes" : "Takes back work for";
  const files = withCount(record.attempts.at(-1)?.changes.length ?? 0, "changed file");
  const introduction =
    thread === null
      ? ""
      : `${purpose} #${thread.number}. Requested by \`${thread.actor.replace(/[^\w[\]-]/g, "")}\`. ${files}.\n\n`;
  const report = renderReport(record, {marker: false, maxChars: MAX_COMMENT - introduction.length});
  return {title: title(record, options.issueTitle ?? ""), body: introduction + report};
}

function title(record: RunRecord, issueTitle: string): string {
  const request = record.request?.kind === "work" ? (record.request.text.split("\n", 1)[0] ?? "") : "";
  const line = plainLine(issueTitle, MAX_TITLE) || plainLine(request, MAX_TITLE);
  if (line !== "") return line;
  return record.thread === null ? "Verified change" : `Verified change for issue ${record.thread.number}`;
}
