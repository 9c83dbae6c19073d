/** Title and body of the pull request that carries a verified change. */

import {plainLine} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {MAX_COMMENT, renderReport} from "./markdown.ts";

const MAX_TITLE = 90;

/**
 * Gives both as GitHub takes them. The title is the issue's where it is known, else the first line of the request, free
 * of mentions, references and `[skip ci]`: a squash merge makes it a commit's subject. The body says where the work was
 * asked for and carries the report; it refers to the issue and does not close it, which is a person's decision.
 */
export function renderPullRequest(
  record: RunRecord,
  options: {issueTitle?: string} = {},
): {title: string; body: string} {
  const {thread} = record;
  const introduction =
    thread === null ? "" : `Asked for in #${thread.number} by \`${thread.actor.replace(/[^\w[\]-]/g, "")}\`.\n\n`;
  const report = renderReport(record, {marker: false, maxChars: MAX_COMMENT - introduction.length});
  return {title: title(record, options.issueTitle ?? ""), body: introduction + report};
}

function title(record: RunRecord, issueTitle: string): string {
  const request = record.request?.kind === "work" ? (record.request.text.split("\n", 1)[0] ?? "") : "";
  const line = plainLine(issueTitle, MAX_TITLE) || plainLine(request, MAX_TITLE);
  if (line !== "") return line;
  return record.thread === null ? "Verified change" : `Verified change for issue ${record.thread.number}`;
}
