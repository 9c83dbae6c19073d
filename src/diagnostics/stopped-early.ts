/** Says why a red type check, linter or build may have stopped before it had looked at everything: the rest can neither be excused nor blamed (P15). */

import type {Diagnostic, StageResult} from "../record/evidence.ts";
import {toolOf, unwrap} from "../shell/program.ts";
import {type SimpleCommand, splitShell} from "../shell/split.ts";
import {TOOLS} from "../tools/all.ts";
import {CUT_SHORT, IDLE, IN_A_ROW, stoppingOption, stopsAtPackage} from "./cut-short.ts";
import {bodiesOf, readLines} from "./lines.ts";

/** Lines of tools that say so, and of runners of targets that stop at the first failure. */
const STOPPED: readonly RegExp[] = [
  ...CUT_SHORT,
  /\(errors prevented further checking\)$/,
  /^(?:\S+: )?(?:fatal error: )?too many errors\b|-ferror-limit=|-fmax-errors=/,
  // The packages that need this one are not compiled.
  /^error: could not compile `|^vet: |^FAILED: /,
  /^g?make(?:\[\d+\])?: \*\*\* |^ninja: build stopped|^error: [Rr]ecipe `|^task: Failed to run task |^rake aborted!/,
  /^Execution failed for task ':\S+'\.$|returned with error code \d+$/,
  // Without a file, or in a configuration: tsc then withholds what it found in the code (TypeScript, emitFilesAndReportErrors).
  /^error TS\d+: |^\S+\.json(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: /,
];
const COMPILERS = new Set(TOOLS.flatMap(({name, earlyStop}) => (earlyStop?.isCompiler === true ? [name] : [])));
/** Takes a red result and the shell line that ran, scripts written out. Empty where all that the stage checks was reached. */
export function whyUnreached({result, line}: {result: StageResult; line: string}): string {
  const errors = result.diagnostics.filter(({severity}) => severity === "error");
  const bodies = bodiesOf(readLines(`${result.output?.head ?? ""}${result.output?.tail ?? ""}`));
  const sign = bodies.find((body) => STOPPED.some((pattern) => pattern.test(body)));
  if (sign !== undefined) return `it may have stopped early: ${sign.trim().slice(0, 120)}`;
  const compiler = errors.find(({tool}) => COMPILERS.has(tool));
  if (compiler !== undefined) return `what needs ${compiler.file ?? "the code"} was not compiled`;
  for (const {name, earlyStop} of TOOLS) {
    const ofTool = errors.filter(({tool}) => tool === name);
    if (ofTool.length > 0 && ofTool.every(({code}) => earlyStop?.syntaxErrors?.test(code ?? "") === true))
      return `${name} looks at no types while a file cannot be parsed`;
  }
  const commands = splitShell(line);
  return commands === null ? "its command line cannot be read" : whyLineStops(commands, errors);
}

function whyLineStops(commands: readonly SimpleCommand[], errors: readonly Diagnostic[]): string {
  for (const {words} of commands) {
    const tool = toolOf(words);
    if (IN_A_ROW.test(tool)) return `\`${tool}\` stops at the first command that fails`;
    if (skipsProjects(words)) return `\`${tool} -b\` may pass over projects that need one with errors`;
    const option = stoppingOption(words);
    if (option !== undefined) return `\`${option}\` stops at the first failure`;
    if (stopsAtPackage(words)) return `\`${tool.split(" ")[0]}\` stops at the first package that fails`;
  }
  const checks = commands.filter(({joint, words}) => joint !== "|" && !IDLE.test(words[0] ?? ""));
  const names = checks.map(({words}) => nameOf(words));
  const lastName = names.at(-1);
  // Where only the last command prints such errors, it ran.
  if (checks.length < 2 || (errors.some(({tool}) => tool === lastName) && names.indexOf(lastName) === names.length - 1))
    return "";
  return `what comes after \`${checks[0]?.words.join(" ")}\` may not have run`;
}

/** As the parsers of outputs name the tool: `ruff` for `ruff check`. */
const nameOf = (words: readonly string[]): string | undefined => toolOf(words).split(" ")[0];

function skipsProjects(words: readonly string[]): boolean {
  const called = toolOf(words);
  return TOOLS.some(
    ({earlyStop}) =>
      earlyStop?.command?.test(called) === true && unwrap(words).some((word) => earlyStop.skipsProjects?.test(word)),
  );
}
