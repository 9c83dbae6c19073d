/** The line about the new and changed tests: which of them fail without the change. */
import {clip, codeSpan} from "../markdown/escape.ts";
import {keptAttempt} from "../record/attempt.ts";
import type {Bite, BiteTest} from "../record/bite.ts";
import type {RunRecord} from "../record/record.ts";
import {comparedBranch} from "./claims.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {withCount} from "./format.ts";

/** A line lists at most this many. */
const MAX_SHOWN = 4;

/** Empty if no new or changed test was run without the change. */
export function newTestsPart(record: RunRecord, limits: DetailLimits): string {
  const bite = keptAttempt(record.attempts)?.verification?.bite;
  const code = (text: string) => codeSpan(clip(text, limits.line));
  const base = comparedBranch(record) ?? "the base";
  return bite === undefined ? "" : newTestsText({bite, base, code, most: limits.list});
}

/** `code` writes a foreign text as code. */
export function newTestsText(options: {
  bite: Bite;
  base: string;
  code: (text: string) => string;
  most: number;
}): string {
  const {bite, code} = options;
  const base = code(options.base);
  const isLoaded = ({onBase}: BiteTest) => onBase.kind === "fails" && onBase.why !== "not-loaded";
  const loadedTests = bite.tests.filter(isLoaded);
  const unloadedTests = bite.tests.filter((test) => test.onBase.kind === "fails" && !isLoaded(test));
  const passing = bite.tests.filter(({onBase}) => onBase.kind === "passes");
  const unknown = bite.tests.filter(({onBase}) => onBase.kind === "unknown");
  const names = (tests: readonly BiteTest[]) => {
    const {shown, left} = capLength(tests, Math.min(options.most, MAX_SHOWN));
    return [...shown.map(({name}) => code(name)), ...(left === 0 ? [] : [`${left} more`])].join(", ");
  };
  return [
    sentence(
      loadedTests,
      {one: "fails", many: "fail"},
      `on ${base} and ${pass(loadedTests)} with this change: ${names(loadedTests)}.`,
    ),
    sentence(
      unloadedTests,
      {one: "fails", many: "fail"},
      `without the change, where ${unloadedTests.length === 1 ? "its file does" : "their files do"} not load: ${names(unloadedTests)}.`,
    ),
    sentence(passing, {one: "passes", many: "pass"}, `on ${base} too: ${names(passing)}.`),
    unknownPart(unknown, base),
  ]
    .filter((text) => text !== "")
    .join(" ");
}

const pass = ({length}: readonly BiteTest[]) => (length === 1 ? "passes" : "pass");
const reasonOf = (test: BiteTest | undefined) => (test?.onBase.kind === "unknown" ? test.onBase.why : "");

function unknownPart(tests: readonly BiteTest[], base: string): string {
  const question = sentence(tests, {one: "fails", many: "fail"}, `on ${base} is not known: ${reasonOf(tests[0])}.`);
  return question === "" ? "" : `Whether ${question}`;
}

function sentence(tests: readonly BiteTest[], verb: {one: string; many: string}, rest: string): string {
  if (tests.length === 0) return "";
  const kind = tests.every(({isNew}) => isNew) ? "new" : tests.some(({isNew}) => isNew) ? "new or changed" : "changed";
  return `${withCount(tests.length, `${kind} test`)} ${tests.length === 1 ? verb.one : verb.many} ${rest}`;
}
