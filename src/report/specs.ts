/** The line about the specs that the agent was given: which ones, and the words of the task that selected them. */
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {changedPaths} from "../record/verification.ts";
import {claimAt} from "./claims.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";

/** A line lists at most this many. */
const MAX_SHOWN = 6;

/**
 * Empty if the agent got no spec. A spec that the change itself edits is marked, because the agent got another text.
 */
export function specsPart(record: RunRecord, limits: DetailLimits): string {
  const {specs, attempts} = record;
  const claim = claimAt("specs", record);
  if (specs === undefined || claim === "") return "";
  const changedFiles = new Set(changedPaths(attempts.at(-1)?.changes ?? []));
  const maxShown = Math.min(limits.list, MAX_SHOWN);
  const code = (text: string) => codeSpan(clip(text, limits.line));
  const shownSpecs = capLength(specs.given, maxShown);
  const names = shownSpecs.shown.map(({path, name, words}) => {
    const remarks = [words.length === 0 ? "" : `for ${words.join(", ")}`, changedFiles.has(path) ? "changed here" : ""];
    const remark = remarks.filter(Boolean).join("; ");
    return `${code(name)}${remark === "" ? "" : ` (${inline(clip(remark, limits.line))})`}`;
  });
  if (shownSpecs.left > 0) names.push(`${shownSpecs.left} more`);
  const always = capLength(specs.always, maxShown).shown.map(code);
  const parts = [
    names.length === 0 ? "" : `${names.join(", ")} of ${specs.of}`,
    always.length === 0 ? "" : `always ${always.join(", ")}`,
  ];
  return `${claim} ${parts.filter(Boolean).join("; ")}.`;
}
