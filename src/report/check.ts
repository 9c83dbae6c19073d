/** The text of the check `assay/verified`: its conclusion, the report, and annotations at the failing lines. */

import type {Annotation, CheckText} from "../github/checks.ts";
import {clip} from "../markdown/escape.ts";
import type {Diagnostic, StageResult} from "../record/evidence.ts";
import {causedFailures} from "../record/failure-cause.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {checkConclusion, type RunRecord} from "../record/record.ts";
import {wholeMessage} from "./format.ts";
import {headlineOf} from "./headline.ts";
import {MAX_COMMENT, renderReport} from "./markdown.ts";
import {isFailing} from "./stages.ts";

/** The name that a branch rule can require. */
export const CHECK_NAME = "assay/verified";
/** GitHub accepts at most 50 annotations per request. */
const MAX_ANNOTATIONS = 50;
const MAX_MESSAGE_CHARS = 2_000;
const LEVELS = {error: "failure", warning: "warning", info: "notice"} as const;

/**
 * The check of a finished run; null if there is none. Redact the record first. Only failures that the change causes
 * become annotations.
 */
export function renderCheck(record: RunRecord): CheckText | null {
  const conclusion = checkConclusion(record);
  if (conclusion === null) return null;
  const {icon, headline} = headlineOf(record);
  return {
    conclusion,
    title: `${icon} ${headline}`,
    summary: renderReport(record, {marker: false, maxChars: MAX_COMMENT}),
    annotations: failurePlaces(record).slice(0, MAX_ANNOTATIONS),
  };
}

/** The findings, and the failures that the change causes, at their lines. Redact the record first. */
export function failurePlaces({attempts, integrity = []}: RunRecord): Annotation[] {
  const failing = (attempts.at(-1)?.verification?.stages ?? []).filter(isFailing);
  const failures = failing.flatMap((stage) => causedFailures(stage).flatMap((failure) => annotation(stage, failure)));
  return [...integrity.flatMap(findingAnnotation), ...failures];
}

function findingAnnotation({check, level, path, line, message, fix}: IntegrityFinding): Annotation[] {
  if (line === null) return [];
  const text = clip(`${message}. ${fix}`, MAX_MESSAGE_CHARS);
  return [{path, line, level: level === "block" ? "failure" : "warning", title: check, message: text}];
}

function annotation(stage: StageResult, failure: Diagnostic): Annotation[] {
  const {path, line, severity} = failure;
  if (path === undefined || line === undefined || line < 1) return [];
  const code = failure.code === undefined ? "" : ` (${failure.code})`;
  const message = clip(wholeMessage(failure), MAX_MESSAGE_CHARS) || stage.name;
  return [{path, line, level: LEVELS[severity], title: clip(`${stage.name}${code}`, 200), message}];
}
