/** What the check `assay/verified` on a commit says: the verdict as its colour, the report, and failing lines in their files. */

import type {Annotation, CheckText} from "../github/checks.ts";
import {clip} from "../markdown/escape.ts";
import type {Diagnostic, StageResult} from "../record/evidence.ts";
import {checkConclusion, type RunRecord} from "../record/record.ts";
import {headlineOf} from "./headline.ts";
import {MAX_COMMENT, renderReport} from "./markdown.ts";

/** The name that a branch rule can require. */
export const CHECK_NAME = "assay/verified";
/** GitHub takes no more in one request. */
const MOST_ANNOTATIONS = 50;
const MESSAGE_CHARS = 2_000;
const LEVELS = {error: "failure", warning: "warning", info: "notice"} as const;

/**
 * Gives the check of a finished run; null if there is to be none. Redact the record before. Only what the change itself
 * broke becomes an annotation.
 */
export function renderCheck(record: RunRecord): CheckText | null {
  const conclusion = checkConclusion(record);
  if (conclusion === null) return null;
  const {icon, headline} = headlineOf(record);
  const last = record.attempts.at(-1);
  const paths = last?.changes.map(({path}) => path) ?? [];
  const annotations = (last?.verification?.stages ?? [])
    .filter(({outcome}) => outcome !== "passed" && outcome !== "skipped")
    .flatMap((stage) => failuresOf(stage).flatMap((found) => annotation({stage, found, paths})));
  return {
    conclusion,
    title: `${icon} ${headline}`,
    summary: renderReport(record, {marker: false, maxChars: MAX_COMMENT}),
    annotations: annotations.slice(0, MOST_ANNOTATIONS),
  };
}

function failuresOf({baseline, diagnostics}: StageResult): readonly Diagnostic[] {
  const isCompared = baseline !== null && baseline.outcome !== "unknown";
  return isCompared ? baseline.new : diagnostics;
}

function annotation(o: {stage: StageResult; found: Diagnostic; paths: readonly string[]}): Annotation[] {
  const {stage, found} = o;
  const path = found.file === undefined ? null : pathOf({file: found.file, cwd: stage.cwd, paths: o.paths});
  if (path === null || found.line === undefined || found.line < 1) return [];
  const code = found.code === undefined ? "" : ` (${found.code})`;
  const message = clip(found.message, MESSAGE_CHARS) || stage.name;
  return [{path, line: found.line, level: LEVELS[found.severity], title: clip(`${stage.name}${code}`, 200), message}];
}

/** Tools name files from their own folder, or from the root of a checkout that is gone: changed paths tell which is meant. */
function pathOf(o: {file: string; cwd: string; paths: readonly string[]}): string | null {
  const file = o.file.replace(/^file:\/\//, "").replace(/^(?:\.\/)+/, "");
  const known = o.paths.find((path) => file === path || file.endsWith(`/${path}`));
  if (known !== undefined) return known;
  if (/^(?:\/|[A-Za-z]:)/.test(file) || file.split("/").includes("..")) return null;
  return o.cwd === "." || file.startsWith(`${o.cwd}/`) ? file : `${o.cwd}/${file}`;
}
