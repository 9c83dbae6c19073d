/** The tests that another session wrote before the work: how many count and pass, and the code of those that fail. */
import {clip, codeSpan, fence} from "../markdown/escape.ts";
import {countedTests, type HeldOutTest} from "../record/held-out.ts";
import type {RunRecord} from "../record/record.ts";
import {claimAt} from "./claims.ts";
import {HELD_OUT} from "./finding-words.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {cost} from "./format.ts";
import {details} from "./stages.ts";

/** Empty if none were to be written. */
export function heldOutPart(record: RunRecord, limits: DetailLimits): string {
  const tests = record.heldOut?.tests ?? [];
  const folded = tests.length === 0 || limits.list < 6 ? "" : details(HELD_OUT.title, testLines(tests, limits));
  return [heldOutText(record, (text) => codeSpan(clip(text, limits.line))), folded].filter(Boolean).join("\n\n");
}

/** The first line of it, with `code` around foreign text. */
export function heldOutText(record: RunRecord, code: (text: string) => string): string {
  const {heldOut} = record;
  const claim = claimAt("heldOut", record);
  if (heldOut === undefined || claim === "") return "";
  const {tests, usage, problem} = heldOut;
  if (tests.length === 0) return `${claim} ${code(problem)} (${cost(usage)}).`;
  const counted = countedTests(heldOut);
  const passing = counted.filter(({onCandidate}) => onCandidate === "passes");
  return `${claim} ${tests.length} written, ${counted.length} used, ${passing.length} passed (${cost(usage)}).`;
}

function testLines(tests: readonly HeldOutTest[], limits: DetailLimits): string[] {
  const {shown, left} = capLength(tests, limits.list);
  const code = (text: string) => codeSpan(clip(text, limits.line));
  const lines = shown.map(({path, line, name, uncounted, onCandidate}) => {
    const detail = uncounted === null || uncounted.detail === "" ? "" : ` ${code(uncounted.detail)}`;
    const result = uncounted === null ? HELD_OUT.results[onCandidate ?? "unknown"] : HELD_OUT.unused[uncounted.reason];
    return `- ${code(`${path}:${line}`)} ${code(name)} ${result}${detail}`;
  });
  const failing = tests.filter(({onCandidate}) => onCandidate === "fails");
  return [
    [...lines, ...(left === 0 ? [] : [`- …and ${left} more`])].join("\n"),
    ...failing.map(({text}) => fence(clip(text, limits.excerpt), "")),
  ];
}
