/** The line about injected faults: how many the tests notice, and which ones they do not. */
import {clip, codeSpan} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import type {InjectedFault, Sensitivity} from "../record/sensitivity.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";

/** A line lists at most this many. */
const MAX_SHOWN = 6;

/** Empty if no fault was injected. */
export function sensitivityPart({sensitivity}: RunRecord, limits: DetailLimits): string {
  const code = (text: string) => codeSpan(clip(text, limits.line));
  return sensitivity === undefined ? "" : sensitivityText({sensitivity, code, most: limits.list});
}

/** `code` writes a foreign text as code. */
export function sensitivityText(options: {
  sensitivity: Sensitivity;
  code: (text: string) => string;
  most: number;
}): string {
  const {sensitivity, code} = options;
  const {noticed, notNoticed, left} = sensitivity;
  const all = noticed + notNoticed.length;
  const {shown, left: others} = capLength(notNoticed, Math.min(options.most, MAX_SHOWN));
  const describe = ({path, line, from, to}: InjectedFault) =>
    `${code(`${path}:${line}`)} ${code(from)} → ${to === "" ? "(removed)" : code(to)}`;
  const list = [...shown.map(describe), ...(others === 0 ? [] : [`${others} more`])].join(", ");
  const verb = all === 1 ? "is" : "are";
  const claim = `${noticed} of ${all} injected fault${all === 1 ? "" : "s"} in the changed lines ${verb} noticed by the tests`;
  const ending = list === "" ? "." : `; not noticed: ${list}.`;
  return `${claim}${ending}${left === 0 ? "" : ` There was no time for ${left} more.`}`;
}
