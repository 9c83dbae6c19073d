/** The failures of one stage for a terminal: the test, its message, `file:line` and the code there. */
import {showInvisible} from "../../markdown/escape.ts";
import type {Diagnostic, StageResult} from "../../record/evidence.ts";
import {headAndTail} from "../../report/fit-size.ts";
import {mergeEqual, wholeMessage, withCount} from "../../report/format.ts";
import {stageResultWords} from "../../report/stages.ts";
import {codeFrame} from "./code-frame.ts";
import {plain} from "./plain-text.ts";
import type {ReporterOptions} from "./reporter.ts";

const DIAGNOSTICS = 10;
const EXCERPT = 3000;
/** The first failures of a stage get a code frame. */
const FRAMES = 5;

type FailureContext = Pick<ReporterOptions, "colors" | "readText">;
type TextOptions = FailureContext & {readonly omitsFailures?: boolean};

/** Name and result of a stage that did not pass, as the title of its failures. */
export function failureTitle(stage: StageResult, {colors}: Pick<ReporterOptions, "colors">): string {
  const {icon, result} = stageResultWords(stage);
  const command = colors.dim(`(${plain(stage.narrowed ?? stage.command)})`);
  return `${icon} ${colors.bold(plain(stage.name))}: ${plain(result)} ${command}`;
}

/** The failures of a stage; may be empty. The output is shown only if no failure with a place was read from it. */
export async function failureText(
  stage: StageResult,
  {colors, readText, omitsFailures = false}: TextOptions,
): Promise<string> {
  const shownFailures = stage.diagnostics.slice(0, DIAGNOSTICS);
  const texts = await Promise.all(shownFailures.map((item, index) => describe(item, {colors, readText, index})));
  const omittedCount = stage.diagnostics.length - shownFailures.length;
  const remainder = omittedCount > 0 ? [`  …and ${withCount(omittedCount, "more failure")}`] : [];
  const isPlaced =
    shownFailures.length > 0 && shownFailures.every(({line, testId}) => line !== undefined || testId !== undefined);
  const output = isPlaced ? "" : showInvisible(headAndTail(stage.excerpt, EXCERPT)).trim();
  const excerpt = output === "" ? [] : output.split("\n").map((line) => colors.dim(`  │ ${line}`));
  return [...(omitsFailures ? [] : [...mergeEqual(texts), ...remainder]), ...excerpt].join("\n");
}

async function describe(
  failure: Diagnostic,
  {colors, readText, index}: FailureContext & {index: number},
): Promise<string> {
  const {testId = "", file, path, line, column, code = ""} = failure;
  const message = wholeMessage(failure);
  const place = [path ?? file, line, column].filter((part) => part !== undefined).join(":");
  // A failure may have its test's name as its message.
  const test = testId === "" || testId === failure.message ? [] : [`  ${colors.bold(plain(testId))}`];
  const text = plain([code, message].filter((part) => part !== "").join(" "));
  const source = path === undefined || line === undefined || index >= FRAMES ? null : await readText(path);
  const frame = source === null || line === undefined ? [] : codeFrame(source, {line, column});
  const indent = test.length === 0 ? "  " : "    ";
  return [
    ...test,
    `${indent}${colors.red(text)}`,
    ...(place === "" ? [] : [`${indent}${plain(place)}`]),
    ...frame.map((row) => `${indent}${row.startsWith(">") ? row : colors.dim(row)}`),
  ].join("\n");
}
