/** `--reporter junit`: one test suite per stage, in the form that CI systems read. */
import {groupBy} from "../../diagnostics/group-by.ts";
import type {Diagnostic, ListedTest, StageResult} from "../../record/evidence.ts";
import type {RunRecord} from "../../record/record.ts";
import {wholeMessage} from "../../report/format.ts";
import {headlineOf} from "../../report/headline.ts";
import {isFailing, stageResultWords} from "../../report/stages.ts";
import {errorTitle, failuresOf, isDecisive, stagesOf, verdictExitCode} from "./charged.ts";
import {plain} from "./plain-text.ts";
import {progressReporter} from "./progress.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";

const MAX_CASES = 200;

/** Events list the tests that passed; the record counts them. */
export function junitReporter(options: ReporterOptions): Reporter {
  const listed = new Map<string, readonly ListedTest[]>();
  const progress = progressReporter(options, (record) => toJunit(record, listed));
  return {
    ...progress,
    onEvent(event) {
      if (event.kind === "stage-finished") listed.set(event.result.name, event.result.reported?.others ?? []);
      progress.onEvent(event);
    },
  };
}

interface Case {
  readonly name: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly seconds: number;
  readonly result: {
    readonly kind: "passed" | "failure" | "error" | "skipped";
    readonly message: string;
    readonly text: string;
  };
}

/**
 * The document has a failure or an error exactly when the verdict is not good: the last suite has the verdict, unless a
 * case of a stage has failed already. `listed` are the tests of each stage that did not fail.
 */
export function toJunit(record: RunRecord, listed: ReadonlyMap<string, readonly ListedTest[]> = new Map()): string {
  const stageSuites = stagesOf(record).map((stage) => ({
    name: stage.name,
    cases: casesOf(stage, listed.get(stage.name) ?? []),
    ms: stage.durationMs,
  }));
  const hasFailed = stageSuites.some(({cases}) =>
    cases.some(({result}) => result.kind === "failure" || result.kind === "error"),
  );
  const suites = hasFailed ? stageSuites : [...stageSuites, {name: "assay", cases: [verdictCase(record)], ms: 0}];
  const allCases = suites.flatMap(({cases}) => cases);
  const body = suites.map(({name, cases, ms}) =>
    element("testsuite", {name, ...countAttributes(cases), time: seconds(ms)}, cases.map(caseElement)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {name: "assay", ...countAttributes(allCases)}, body)}\n`;
}

/** One case per test, and one for the stage itself if none is known. */
function casesOf(stage: StageResult, listed: readonly ListedTest[]): Case[] {
  const {result: words} = stageResultWords(stage);
  const stageCase = {name: stage.command, seconds: stage.durationMs / 1000};
  const others = listed.map(({file, title, outcome}) => ({
    name: title,
    file: file ?? undefined,
    seconds: 0,
    result: {kind: outcome, message: "", text: ""},
  }));
  if (stage.outcome === "passed")
    return others.length > 0 ? others : [{...stageCase, result: {kind: "passed", message: "", text: ""}}];
  if (!isFailing(stage)) return [{...stageCase, result: {kind: "skipped", message: words, text: ""}}];
  const isCode = stage.outcome === "failed" && stage.failureKind === "code";
  const kind = !isDecisive(stage) ? "skipped" : isCode ? "failure" : "error";
  const failures = isCode ? failuresOf(stage).slice(0, MAX_CASES) : [];
  if (failures.length === 0) return [...others, {...stageCase, result: {kind, message: words, text: stage.excerpt}}];
  // Tests of equal name may fail in one helper. With more failures than failed tests, one test has several.
  const failedCount = stage.tests?.failed ?? 0;
  const failedTests = groupBy(failures, (failure) => {
    const {testId, path, file, line, code} = failure;
    if (testId === undefined) return [file, line, code].join(" ");
    return failures.length <= failedCount ? failure : [path ?? file, testId].join(" ");
  });
  const failedCases = [...failedTests.values()].flatMap((some): Case[] => {
    const [first] = some;
    if (first === undefined) return [];
    const {testId, path, file, line, code} = first;
    const name = testId ?? [file, line, code].filter((part) => part !== undefined).join(":");
    const body = some.map((one) => [placeText(one), one.message, one.detail].filter(Boolean).join("\n")).join("\n\n");
    return [{name, file: path, line, seconds: 0, result: {kind, message: wholeMessage(first), text: body}}];
  });
  const shownCount = failedCases.length + (stage.baseline?.preexisting.length ?? 0);
  const message = "the output shows no failure of its own for this test";
  const unshown = Array.from({length: Math.min(failedCount, MAX_CASES) - shownCount}, (): Case => {
    return {name: "another failed test", seconds: 0, result: {kind, message, text: ""}};
  });
  return [...others, ...failedCases, ...unshown];
}

const placeText = ({path, file, line}: Diagnostic): string =>
  [path ?? file, line].filter((part) => part !== undefined).join(":");

function verdictCase(record: RunRecord): Case {
  const {sentence} = headlineOf(record);
  const kind = (["passed", "failure", "error"] as const)[verdictExitCode(record.verdict)];
  return {name: "verdict", seconds: 0, result: {kind, message: errorTitle(record), text: sentence}};
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function countAttributes(cases: readonly Case[]): Record<string, string> {
  const count = (kind: Case["result"]["kind"]) => String(cases.filter(({result}) => result.kind === kind).length);
  return {tests: String(cases.length), failures: count("failure"), errors: count("error"), skipped: count("skipped")};
}

function caseElement({name, file, line, seconds: time, result}: Case): string {
  const place = {...(file !== undefined && {file}), ...(line !== undefined && {line: String(line)})};
  const {kind, message, text} = result;
  const inner =
    kind === "passed" ? [] : [element(kind, {message: plain(message)}, text === "" ? [] : [escapeXml(text)])];
  return element("testcase", {name: plain(name), classname: "assay", ...place, time: time.toFixed(3)}, inner);
}

function element(name: string, attributes: Readonly<Record<string, string>>, inner: readonly string[]): string {
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(" ");
  return inner.length === 0 ? `<${head}/>` : `<${head}>${inner.join("\n")}</${name}>`;
}

/** XML 1.0 has no way to write most control characters, so they are left out. */
function escapeXml(text: string): string {
  const valid = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
  const entities: Readonly<Record<string, string>> = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};
  return valid.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
