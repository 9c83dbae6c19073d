/** Detects why a failed stage may have ended early: tests that it did not reach are unknown (P15). */
import type {Diagnostic, StageResult} from "../record/evidence.ts";
import {lastCommand} from "../shell/append-arguments.ts";
import {type SimpleCommand, splitShell} from "../shell/split.ts";
import {TOOLS} from "../tools/all.ts";
import {toolOf, unwrap} from "../tools/command-name.ts";
import {isCommandIn, isOptionIn} from "../tools/names.ts";
import {kindOfWords} from "../tools/stage-kind.ts";
import {endedEarly} from "./failed-tests.ts";
import {bodiesOf, readLines} from "./lines.ts";

/** Lines that a run prints when it ends early. The tools' files have more of them (`cutShort`). */
const CUT_SHORT: readonly RegExp[] = [
  /^(?:Segmentation fault|Bus error|Aborted|Illegal instruction|Floating point exception)\b|\(core dumped\)/,
  /^(?:panic|fatal error): |^Fatal Python error: |^Bail out!|^INTERNALERROR>/,
  /^!{3,} .*(?:stopping after|Interrupted|KeyboardInterrupt|_pytest)/,
  /^\[INFO\] .* SKIPPED(?: \[.*\])?$/,
  /The forked VM terminated without|There was a timeout or other error in the fork|^(?:The active test run was|Test Run) aborted/i,
  /ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL|^Testing stopped early after|^ {2}\d+ (?:did not run|interrupted)\b/,
];

/** Gradle stops at the first task that fails, and usually each project has its own `test` task. */
const GRADLE_FAILED = /^Execution failed for task ':\S+'\.$/;
/** vitest counts tests that never started only in the total. */
const VITEST_TOTALS = /^ *(?:Test Files|Tests) {2}(?<list>\d.*) \((?<total>\d+)\)$/;

/** Options of any program that end a run at a failure. */
const ANY_STOPS_EARLY = /^--?(?:fail-?fast|exitfirst|maxfail|bail|stop-?on-\w+)(?:=(?!0$|false$).*)?$/i;
/** Several options of one letter each. */
const LETTERS = /^-[a-z]+$/;
/** Commands that start several others in sequence, and end with the first that fails. */
const SEQUENTIAL_RUNNER = new Set(["run-s", "npm-run-all", "npm-run-all2"]);
/** Commands after a test runner that check nothing. */
const IDLE = new Set(["echo", "printf", "true", ":", "cd", "popd", "exit"]);

/**
 * Takes a failed result and its expanded command. Empty if every test was reached: passed tests are counted, and
 * nothing indicates an early end. Without a count of passed tests nothing shows that the other tests ran, whatever the
 * runner.
 */
export function whyCutShort({result, line}: {result: StageResult; line: string}): string {
  if (!isCounted(result)) return "no passed test was counted";
  const text = `${result.output?.head ?? ""}${result.output?.tail ?? ""}`;
  const endedRunner = endedEarly(text);
  if (endedRunner !== null) return `${endedRunner} ended before all of its tests had run`;
  const bodies = bodiesOf(readLines(text));
  const sign = bodies.find((body) => CUT_SHORT.some((pattern) => pattern.test(body)) || isShortOfTotal(body));
  if (sign !== undefined) return `it ended before all tests had run: ${sign.trim().slice(0, 120)}`;
  const silent = packageWithoutFailedTest(bodies);
  if (silent !== undefined) return `the package ${silent} ended without naming a failed test`;
  const commands = splitShell(line);
  if (commands === null) return "its command line cannot be read";
  // If the command starts Gradle by name, Assay adds the option to continue after a failure, as Gradle's report rule
  // says.
  const lastWords = lastCommand(line)?.words ?? [];
  const goesOn = toolOf(lastWords).startsWith("gradle ") && !lastWords.includes("--no-continue");
  if (!goesOn && bodies.some((body) => GRADLE_FAILED.test(body))) return "Gradle stops at the first task that fails";
  return whyLineStops(commands, result);
}

/**
 * A count without a single pass is reliable only if each failure is a test that ran: a file that could not be loaded,
 * or a package that could not be built, is counted as a failure, too.
 */
function isCounted({tests, reported}: StageResult): boolean {
  if (tests === null) return false;
  if (tests.passed > 0) return true;
  const failedTests = reported?.failed ?? [];
  return (
    failedTests.length > 0 &&
    failedTests.length === reported?.counts.failed &&
    failedTests.every(({name}) => name !== null)
  );
}

/** go: a package whose tests ended the whole program, for example by `os.Exit`, or that failed after its last test. */
function packageWithoutFailedTest(bodies: readonly string[]): string | undefined {
  let failedCount = 0;
  for (const body of bodies) {
    if (/^\s*--- FAIL: /.test(body)) failedCount++;
    const failedPackage = /^FAIL\t(\S+)\t[\d.]+s$/.exec(body)?.[1];
    if (failedPackage !== undefined && failedCount === 0) return failedPackage;
    if (/^(?:ok|FAIL|\?) {0,3}\t/.test(body)) failedCount = 0;
  }
  return undefined;
}

function isShortOfTotal(body: string): boolean {
  const {list, total} = VITEST_TOTALS.exec(body)?.groups ?? {};
  if (list === undefined) return false;
  const sum = (list.match(/\d+/g) ?? []).reduce((all, number) => all + Number(number), 0);
  return sum < Number(total);
}

function whyLineStops(commands: readonly SimpleCommand[], {reported}: StageResult): string {
  const reason = commands.map(({words}) => whyCommandStops(words)).find((text) => text !== "");
  if (reason !== undefined) return reason;
  // Only the last command writes a report, so if there is one, that command ran.
  const firstTest = reported === undefined ? commands.findIndex(({words}) => kindOfWords(words) === "test") : -1;
  const behind = commands.slice(firstTest + 1).filter(({joint, words}) => joint !== "|" && !IDLE.has(words[0] ?? ""));
  return firstTest < 0 || behind.length === 0
    ? ""
    : `what comes after \`${commands[firstTest]?.words.join(" ")}\` may not have run`;
}

/** Why this command may end at its first failure; empty if there is no sign of that. */
function whyCommandStops(words: readonly string[]): string {
  const tool = toolOf(words);
  if (SEQUENTIAL_RUNNER.has(tool)) return `\`${tool}\` stops at the first command that fails`;
  if (stopsAtPackage(words)) return `\`${tool.split(" ")[0]}\` stops at the first package that fails`;
  const option = stoppingOption(words);
  return option === undefined ? "" : `\`${option}\` stops at the first failure`;
}

/** The option that makes this command stop at its first failure. */
function stoppingOption(words: readonly string[]): string | undefined {
  const tool = toolOf(words);
  const letters = TOOLS.flatMap(({earlyStop = {}}) => (isCommandIn(earlyStop.commands, tool) ? earlyStop.letters : []));
  return words.find(
    (word) => ANY_STOPS_EARLY.test(word) || letters.some((some) => some && LETTERS.test(word) && word.includes(some)),
  );
}

function stopsAtPackage(words: readonly string[]): boolean {
  const tool = toolOf(words);
  const unless = TOOLS.find(
    ({earlyStop}) => earlyStop?.packagesUnless !== undefined && isCommandIn(earlyStop.commands, tool),
  )?.earlyStop?.packagesUnless;
  return unless !== undefined && !words.some((word) => isOptionIn(unless, word) && !word.endsWith("=never"));
}

/** Lines of tools that report an early stop, and of task runners that stop at the first failure. */
const STOPPED: readonly RegExp[] = [
  ...CUT_SHORT,
  /\(errors prevented further checking\)$/,
  /^(?:\S+: )?(?:fatal error: )?too many errors\b|-ferror-limit=|-fmax-errors=/,
  // The packages that depend on this one are not compiled.
  /^error: could not compile `|^vet: |^FAILED: /,
  /^g?make(?:\[\d+\])?: \*\*\* |^ninja: build stopped|^error: [Rr]ecipe `|^task: Failed to run task |^rake aborted!/,
  /^Execution failed for task ':\S+'\.$|returned with error code \d+$/,
  // An error without a file, or in a configuration: tsc then withholds the errors in the code (TypeScript,
  // emitFilesAndReportErrors).
  /^error TS\d+: |^\S+\.json(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: /,
];
const COMPILERS = new Set(TOOLS.flatMap(({name, earlyStop}) => (earlyStop?.isCompiler === true ? [name] : [])));

/**
 * As `whyCutShort`, for a type check, linter or build. Takes a failed result and its expanded command. Empty if the
 * stage checked everything.
 */
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
  return commands === null ? "its command line cannot be read" : whyCommandsStop(commands, errors);
}

function whyCommandsStop(commands: readonly SimpleCommand[], errors: readonly Diagnostic[]): string {
  for (const {words} of commands) {
    const reason = skipsProjects(words)
      ? `\`${toolOf(words)} -b\` may pass over projects that need one with errors`
      : whyCommandStops(words);
    if (reason !== "") return reason;
  }
  const checks = commands.filter(({joint, words}) => joint !== "|" && !IDLE.has(words[0] ?? ""));
  const names = checks.map(({words}) => nameOf(words));
  const lastName = names.at(-1);
  // If only the last command prints such errors, it ran.
  if (checks.length < 2 || (errors.some(({tool}) => tool === lastName) && names.indexOf(lastName) === names.length - 1))
    return "";
  return `what comes after \`${checks[0]?.words.join(" ")}\` may not have run`;
}

/** The tool's name in the parsers of outputs: `ruff` for `ruff check`. */
const nameOf = (words: readonly string[]): string | undefined => toolOf(words).split(" ")[0];

function skipsProjects(words: readonly string[]): boolean {
  const tool = toolOf(words);
  return TOOLS.some(
    ({earlyStop}) =>
      isCommandIn(earlyStop?.commands, tool) &&
      unwrap(words).some((word) => isOptionIn(earlyStop?.skipsProjects, word)),
  );
}
