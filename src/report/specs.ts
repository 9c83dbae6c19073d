/** The line about the specs that the agent was given: which ones, and the words of the task that selected them. */
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {changedPaths} from "../record/verification.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";

/** A line has room for these. */
const MAX_SHOWN = 6;

/** Empty if the agent was given none. A spec that the change itself changes is marked: the contract is another one now. */
export function specsPart({specs, attempts}: RunRecord, limits: DetailLimits): string {
  if (specs === undefined) return "";
  const changed = new Set(changedPaths(attempts.at(-1)?.changes ?? []));
  const most = Math.min(limits.list, MAX_SHOWN);
  const code = (text: string) => codeSpan(clip(text, limits.line));
  const given = capLength(specs.given, most);
  const names = given.shown.map(({path, name, words}) => {
    const remarks = [words.length === 0 ? "" : `for ${words.join(", ")}`, changed.has(path) ? "changed here" : ""];
    const remark = remarks.filter(Boolean).join("; ");
    return `${code(name)}${remark === "" ? "" : ` (${inline(clip(remark, limits.line))})`}`;
  });
  if (given.left > 0) names.push(`${given.left} more`);
  const always = capLength(specs.always, most).shown.map(code);
  const parts = [
    names.length === 0 ? "" : `${names.join(", ")} of ${specs.of}`,
    always.length === 0 ? "" : `always ${always.join(", ")}`,
  ];
  return `Specs given to the agent: ${parts.filter(Boolean).join("; ")}.`;
}
