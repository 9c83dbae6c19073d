/** The tests of a reported case that pass without a fix, and the question to the person who reported it. */
import {clip, codeSpan, fence} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {joinWords, short} from "./format.ts";

/** A comment shows at most this many tests. */
const MAX_TESTS = 3;

/** Empty without such tests. */
export function reproductionPart({attempts, base}: RunRecord, limits: DetailLimits): string {
  const reproduction = attempts.at(-1)?.verification?.reproduction;
  if (reproduction === undefined || base === null) return "";
  const code = (text: string) => codeSpan(clip(text, limits.line));
  const {shown, left} = capLength(reproduction.tests, Math.min(limits.list, MAX_TESTS));
  const isOne = reproduction.tests.length === 1;
  const subject = isOne ? "This test of the reported case passes" : "These tests of the reported case pass";
  const ran = reproduction.ran.map(({path, name, line}) => `${code(name)} (${code(`${path}:${line}`)})`);
  return [
    `${subject} on ${code(branchOf(base.ref))} at \`${short(base.commit)}\`:`,
    ...shown.map(({path, line, text}) => `${code(`${path}:${line}`)}\n\n${fence(text, "")}`),
    ...(left === 0 ? [] : [`…and ${left} more`]),
    `${isOne ? "It runs" : "They run"} ${joinWords(ran)}, which the request names. Is this the case that you mean?`,
  ].join("\n\n");
}
