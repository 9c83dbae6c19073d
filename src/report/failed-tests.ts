/** The failures of a change as a list: the test, its message, and a link to the line. */

import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {Diagnostic, StageResult} from "../record/evidence.ts";
import {causedFailures} from "../record/failure-cause.ts";
import type {RunRecord} from "../record/record.ts";
import type {DetailLimits} from "./fit-size.ts";
import {linePage, link, repositoryPath} from "./link.ts";
import {wholeMessage} from "./whole-message.ts";

/** Failures of one stage that are listed before the table; the folded block of the stage has the others. */
const MAX_PER_STAGE = 5;

/** One text for each failure that the change causes in the stage; the stage's reason if no failure is known. */
export function failedTests(name: string, record: RunRecord, limits: DetailLimits): string[] {
  const verification = record.attempts.at(-1)?.verification;
  const stage = [...(verification?.setup ?? []), ...(verification?.stages ?? [])].find((one) => one.name === name);
  if (stage === undefined) return ["failed"];
  const texts = [...new Set(causedFailures(stage).map((failure) => failureText(failure, stage, {record, limits})))];
  if (texts.length === 0) return [inline(clip(stage.reason, limits.line))];
  const shownTexts = texts.slice(0, Math.min(MAX_PER_STAGE, limits.list));
  return texts.length > shownTexts.length
    ? [...shownTexts, `…and ${texts.length - shownTexts.length} more`]
    : shownTexts;
}

function failureText(
  failure: Diagnostic,
  stage: StageResult,
  {record, limits}: {record: RunRecord; limits: DetailLimits},
): string {
  const {testId = "", file, line} = failure;
  const message = wholeMessage(failure, stage);
  const test = testId === "" || testId === failure.message ? "" : `${codeSpan(clip(testId, limits.line))}: `;
  const place = placeOf({file, line}, stage, record);
  return `${test}${inline(clip(message, limits.line))}${place === "" ? "" : ` (${place})`}`;
}

function placeOf({file, line}: Pick<Diagnostic, "file" | "line">, stage: StageResult, record: RunRecord): string {
  if (file === undefined) return "";
  const changedFiles = record.attempts.at(-1)?.changes.map((change) => change.path) ?? [];
  const path = repositoryPath({file, cwd: stage.cwd, changed: changedFiles});
  const placeText = codeSpan(clip([path ?? file, line].filter((part) => part !== undefined).join(":"), 200));
  return (path !== null && line !== undefined && link(placeText, linePage(record, path, line))) || placeText;
}
