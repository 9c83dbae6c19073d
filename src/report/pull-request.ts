/** Title and body of the pull request that carries a verified change. */
import type {RunRecord} from "../record.ts";
import {plainLine} from "./escape.ts";
import {MAX_COMMENT, renderReport} from "./markdown.ts";

const MAX_TITLE = 90;

/**
 * The title: the issue's title where it is known, else the first line of the request. Free of mentions, references and
 * `[skip ci]`, because a squash merge makes it a commit's subject.
 */
export function pullRequestTitle(o: {record: RunRecord; issueTitle?: string}): string {
  const asked = o.record.request?.kind === "work" ? (o.record.request.text.split("\n", 1)[0] ?? "") : "";
  const title = plainLine(o.issueTitle ?? "", MAX_TITLE) || plainLine(asked, MAX_TITLE);
  if (title !== "") return title;
  return o.record.thread === null ? "Verified change" : `Verified change for issue ${o.record.thread.number}`;
}

/** The body: where it was asked for, then the report. It refers to the issue and does not close it; merging is a person's act. */
export function pullRequestBody(record: RunRecord): string {
  const {thread} = record;
  const asked =
    thread === null ? "" : `Asked for in #${thread.number} by \`${thread.actor.replace(/[^\w[\]-]/g, "")}\`.\n\n`;
  return `${asked}${renderReport(record, {marker: false, maxChars: MAX_COMMENT - asked.length})}`;
}
