/** The findings of the integrity checks in a report: what a person should read before the change is merged. */
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {RunRecord} from "../record/record.ts";
import {approvableTree, stepPlace} from "./choose-next-step.ts";
import {FINDING_ICONS, FINDINGS, howToApprove} from "./finding-words.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {withCount} from "./format.ts";
import {linePage, link} from "./link.ts";
import {details} from "./stages.ts";

const MAX_SHOWN = 20;

/** Findings that block or flag; empty without any. */
export function findingsPart(record: RunRecord, limits: DetailLimits): string {
  const findings = record.integrity ?? [];
  if (findings.length === 0) return "";
  const {shown, left} = capLength(findings, Math.min(limits.list, MAX_SHOWN));
  const items = shown.map((finding) => `- ${FINDING_ICONS[finding.level]} ${findingLine(finding, record, limits)}`);
  if (left > 0) items.push(`- …and ${left} more`);
  const introduction = FINDINGS[record.verdict.kind === "tampered" ? "tampered" : "otherwise"];
  const tree = stepPlace(record) === "approve" ? approvableTree(record) : null;
  return [introduction, items.join("\n"), ...(tree === null ? [] : [howToApprove(tree, record.verdict.kind)])].join(
    "\n\n",
  );
}

/** The folded notes, for information only. */
export function findingNotesPart(record: RunRecord, limits: DetailLimits): string {
  const notes = record.integrityNotes ?? [];
  if (notes.length === 0 || limits.list < 6) return "";
  const {shown, left} = capLength(notes, Math.min(limits.list, MAX_SHOWN));
  const items = shown.map((finding) => `- ${findingLine(finding, record, limits)}`);
  if (left > 0) items.push(`- …and ${left} more`);
  return details(`${withCount(notes.length, "note")} on tests and configuration`, [items.join("\n")]);
}

function findingLine(finding: IntegrityFinding, record: RunRecord, limits: DetailLimits): string {
  const {message, fix, check} = finding;
  const text = `${inline(clip(message, limits.line))} (${check}). *${inline(clip(fix, limits.line))}*`;
  const place = placeOfFinding(finding, record, limits);
  return place === "" ? text : `${place}: ${text}`;
}

/** Empty for a finding about the whole change. */
function placeOfFinding({path, line}: IntegrityFinding, record: RunRecord, limits: DetailLimits): string {
  if (path === ".") return "";
  const place = codeSpan(clip(line === null ? path : `${path}:${line}`, limits.line));
  return (line !== null && link(place, linePage(record, path, line))) || place;
}

/** A finding as one plain line: for a terminal. */
export function plainFinding({check, path, line, message, fix}: IntegrityFinding): string {
  const place = path === "." ? "" : `${line === null ? path : `${path}:${line}`}: `;
  return `${place}${message}. ${fix} (${check})`;
}
