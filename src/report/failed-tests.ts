/** The failures of a change as a list: the test, its message, and a link to the line. */

import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {Diagnostic} from "../record/evidence.ts";
import {causedFailures} from "../record/failure-cause.ts";
import type {RunRecord} from "../record/record.ts";
import type {DetailLimits} from "./fit-size.ts";
import {wholeMessage} from "./format.ts";
import {linePage, link} from "./link.ts";
import {failedCount} from "./stages.ts";

/** Failures of one stage that are listed before the table; the folded block of the stage has the others. */
const MAX_PER_STAGE = 5;

/** One text for each failure that the change causes in the stage; else how many failed, or the stage's reason. */
export function failedTests(name: string, record: RunRecord, limits: DetailLimits): string[] {
  const verification = record.attempts.at(-1)?.verification;
  const stage = [...(verification?.setup ?? []), ...(verification?.stages ?? [])].find((one) => one.name === name);
  if (stage === undefined) return ["failed"];
  const texts = [...new Set(causedFailures(stage).map((failure) => failureText(failure, {record, limits})))];
  if (texts.length === 0) return [inline(clip(failedCount(stage) || stage.reason, limits.line))];
  const shownTexts = texts.slice(0, Math.min(MAX_PER_STAGE, limits.list));
  return texts.length > shownTexts.length
    ? [...shownTexts, `…and ${texts.length - shownTexts.length} more`]
    : shownTexts;
}

function failureText(failure: Diagnostic, {record, limits}: {record: RunRecord; limits: DetailLimits}): string {
  const {testId = ""} = failure;
  const test = testId === "" || testId === failure.message ? "" : `${codeSpan(clip(testId, limits.line))}: `;
  const place = placeOf(failure, record);
  return `${test}${inline(clip(wholeMessage(failure), limits.line))}${place === "" ? "" : ` (${place})`}`;
}

function placeOf({file, path, line}: Diagnostic, record: RunRecord): string {
  if (file === undefined) return "";
  const placeText = codeSpan(clip([path ?? file, line].filter((part) => part !== undefined).join(":"), 200));
  return (path !== undefined && line !== undefined && link(placeText, linePage(record, path, line))) || placeText;
}
