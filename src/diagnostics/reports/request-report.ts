/** Finds the test runner in a stage's command that can write a report, and how the command must request it. */

import {lastCommand} from "../../shell/append-arguments.ts";
import {quoteWords} from "../../shell/quote.ts";
import {splitShell} from "../../shell/split.ts";
import {type PackageScripts, startedScript} from "../../shell/started-script.ts";
import {TOOLS} from "../../tools/all.ts";
import {toolOf} from "../../tools/command-name.ts";
import {isCommandIn, isOptionIn} from "../../tools/names.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import type {CoverageRule, ReportRule} from "../../tools/tool.ts";

export interface ReportRequest {
  readonly tool: string;
  readonly rule: ReportRule;
  /** the stage's command, including the words that request the report */
  readonly command: string;
  /** a file to write before the command runs; the command's words name it */
  readonly settings: {readonly path: string; readonly text: string} | null;
  /** added to the stage's variables, after their own values */
  readonly variables: Readonly<Record<string, string>>;
  /** true if no other command of the line may run tests, so that the report covers all of them */
  readonly coversAllTests: boolean;
}

/** Commands that run no test. */
const IDLE = new Set(["echo", "printf", "true", ":", "cd", "mkdir", "rm", "cp", "set", "export"]);

/**
 * Takes a stage's shell line, the scripts that it may run, and the report's path. Null if the last command is no
 * supported runner, or already writes a report. At the end of any other command the words could mean anything.
 */
export function reportRequestFor(options: RequestOptions): ReportRequest | null {
  const runner = runnerIn(options);
  const tool = TOOLS.find(({report}) => isCommandIn(report?.commands, runner?.called ?? ""));
  if (runner === null || tool?.report === undefined) return null;
  const {words, script} = runner;
  const rule = tool.report.besideFile?.(words) ?? tool.report;
  // Words after a `--` go to the tests, and so would Assay's.
  if ((rule.request.kind === "arguments" || rule.request.kind === "printed") && words.includes("--")) return null;
  if (words.some((word) => isOptionIn(rule.never, word))) return null;
  const continues = words.includes("--") || words.some((word) => isOptionIn(rule.continues, word));
  const otherCommands = [options.command, script?.body ?? ""].flatMap((line) => (splitShell(line) ?? []).slice(0, -1));
  const isAround = script !== null && hasHooks(script, options.scripts);
  const coversAllTests = !isAround && otherCommands.every(({words}) => runsNoTest(words));
  return {
    tool: tool.name,
    rule,
    coversAllTests,
    ...requestWith(rule, {...options, separator: script?.separator ?? "", continues}),
  };
}

const hasHooks = (script: {readonly name: string}, scripts: PackageScripts): boolean =>
  [`pre${script.name}`, `post${script.name}`].some((name) => name in scripts);

interface RequestOptions {
  readonly command: string;
  readonly scripts: PackageScripts;
  readonly file: string;
}

/** The last command of a line, or of the script that it starts. */
export function runnerIn(options: Pick<RequestOptions, "command" | "scripts">) {
  const lastSimple = lastCommand(options.command);
  if (lastSimple === null || options.command.includes(" #")) return null;
  const script = startedScript(lastSimple.words, options.scripts);
  const runnerCall = script === null ? lastSimple : lastCommand(script.body);
  if (runnerCall === null || script?.body.includes(" #")) return null;
  if (splitShell(options.command)?.at(-1)?.end !== options.command.trimEnd().length) return null;
  const scriptArguments = script === null ? [] : script.handedOn.filter((word, at) => at > 0 || word !== "--");
  const called = toolOf(runnerCall.words);
  const call = lastSimple.words.join(" ");
  return {called, script, call, start: lastSimple.start, words: [...runnerCall.words, ...scriptArguments]};
}

export interface CoverageRequest extends Pick<ReportRequest, "command" | "variables"> {
  readonly rule: CoverageRule;
}

/** As `reportRequestFor`, for a report of the lines of `paths`, relative to the stage's folder, that its tests run. */
export function coverageRequestFor(options: RequestOptions & {paths: readonly string[]}): CoverageRequest | null {
  const {file, paths, scripts} = options;
  const called = runnerIn(options)?.called ?? "";
  const rule = TOOLS.find(({coverage}) => isCommandIn(coverage?.commands, called))?.coverage;
  const command = rule?.without === undefined ? options.command : options.command.replace(` ${rule.without}`, "");
  const runner = runnerIn({command, scripts});
  if (rule === undefined || runner === null || runner.words.some((word) => isOptionIn(rule.never, word))) return null;
  const words = rule.words(file, paths).map(quoteWords).join(" ");
  if (rule.variable !== undefined) return {rule, command, variables: {[rule.variable]: words}};
  const {script, start} = runner;
  if (rule.at === undefined)
    return runner.words.includes("--")
      ? null
      : {rule, command: `${command.trimEnd()}${script?.separator ?? ""} ${words}`, variables: {}};
  // A package manager only appends words, so the script's own line runs in its place.
  if (script !== null && command.trim() === runner.call && script.handedOn.length === 0 && !hasHooks(script, scripts))
    return coverageRequestFor({...options, command: script.body, scripts: {}});
  const [program = ""] = runner.words;
  if (script !== null || !command.startsWith(`${program} `, start)) return null;
  const end = start + program.length;
  return {rule, command: `${command.slice(0, end)} ${words}${command.slice(end)}`, variables: {}};
}

function runsNoTest(words: readonly string[]): boolean {
  const kind = kindOfWords(words);
  return IDLE.has(words[0] ?? "") || (kind !== null && kind !== "test" && kind !== "check");
}

function requestWith(
  {request}: ReportRule,
  options: {command: string; file: string; separator: string; continues: boolean},
): Omit<ReportRequest, "tool" | "rule" | "coversAllTests"> {
  const {command, file} = options;
  const ending = (more: string) => `${command.trimEnd()}${options.separator} ${more}`;
  if (request.kind === "printed") {
    return {command: ending(request.words.join(" ")), settings: null, variables: {}};
  }
  if (request.kind === "written") {
    return {command: options.continues ? command : ending(request.words.join(" ")), settings: null, variables: {}};
  }
  const path = `${file}.toml`;
  const words = request.words(file, path).map(quoteWords).join(" ");
  if (request.kind === "environment") return {command, settings: null, variables: {[request.variable]: words}};
  const settings = request.settings === undefined ? null : {path, text: request.settings(file)};
  return {command: ending(words), settings, variables: {}};
}
