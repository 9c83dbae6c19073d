/** The report as a job summary, which holds more than a comment does. */
import type {RunRecord} from "../record/record.ts";
import {renderReport} from "./markdown.ts";

/** GitHub drops a step's summary above 1 MiB; a character can take three bytes. */
const MAX_SUMMARY = 300_000;

/** The same report without the comment's marker. */
export function renderSummary(record: RunRecord): string {
  return renderReport(record, {maxChars: MAX_SUMMARY, marker: false});
}
