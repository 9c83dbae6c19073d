/** Compares a script before and after a change: lost tools, lost exit codes, and options that check less. */

import type {StageKind} from "../../record/words.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import {toolOf} from "../../tools/command-name.ts";
import {hasKnownOptions, isHarmlessOption} from "../../tools/harmless-options.ts";
import {kindOfName, kindOfWords} from "../../tools/stage-kind.ts";
import {isSubset} from "../settings/selected-tests.ts";
import {
  type CheckCommand,
  type ComparedScript,
  type ConfiguredWords,
  mostSimilar,
  type ScriptWeakness,
  WRITTEN,
} from "./check-command.ts";
import {looserComparison, looserCondition, looserCoverage, looserLimit} from "./limits.ts";
import {lostShellSetting} from "./shell-settings.ts";
import {ALWAYS_PASSES, commandsIn, isSwallowed} from "./shell-status.ts";
import {unknownDifference} from "./unknown-options.ts";

const STARTS_OTHER = new RegExp(
  `^(?:${partsOf("startsOther", /script|just|task|mise|rake|moon|tox|gradle|mvn|composer|wireit|poe|invoke/)}) `,
);

/** Options that make a tool check less. */
const WEAKENING =
  /^(?:--passWithNoTests|--pass-with-no-tests|--exit-zero|--no-run|--collect-only|--co|--listTests|--list|--dry-run|--dry|--clean|--allow-empty|--no-error-on-unmatched-pattern|--if-present|--noCheck|--ignore-errors|--test-only|--invert|--no-tests=pass|--no-fail-on-error|--no-verify|--issues-exit-code=0|--no-inline-config|--update|--updateSnapshot|-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?|-DskipITs(?:=true)?|-Dmaven\.test\.failure\.ignore(?:=true)?|-fn|-fae|--fail-never|--warn-only|--follow-imports=skip|--ignore-missing-imports|--skipLibCheck|--suppressTsErrors|--dangerouslyIgnoreUnhandledErrors|--allowOnly|--cap-lints|--showConfig|--listFilesOnly|--listFiles|--print-config|--version|--help|--init|--env-info|--fixtures|--markers|--setup-plan|--setup-only|--inspect-config|--no-config-lookup|--no-eslintrc|--isolated|--noconftest|--lf|--last-failed|--stepwise|--sw|--continue-on-collection-errors|-count=0|list|--(?:test-)?reporter=\.\S+)$/;
/** Options that select tests or rules; the part before `=`. */
const SELECTING =
  /^(?:-k|-m|-t|-g|-f|-run|--grep|--fgrep|--testNamePattern|--test-name-pattern|--test-skip-pattern|--testPathIgnorePatterns|--testPathPattern|--ignore|--ignore-glob|--ignore-pattern|--deselect|--exclude|--skip|--filter|--rule|--extend-ignore|--per-file-ignores|--disable|--disable-error-code|-p|-Dtest|-Dit\.test|--exclude-dir|-E|--lib|--bins|--doc|--max-warnings|-short|-skip|-disable|-tags|-A|--allow|--retry|--retries|--reruns|--shard|--partition|--changed|--changedSince|--onlyChanged|--lastCommit|--findRelatedTests|--select|--bail=0|--reporter|--require|--import|--setupFiles|--globals|--config|-c|--rootdir|--project)$/;
/** Options that make a tool stricter. */
const STRICT =
  /^(?:--strict(?:-markers|-config|-equality)?|--(?:warn|disallow)-[\w-]+|--no-implicit-[\w-]+|--extra-checks|--check-untyped-defs|--cov-branch|--recursive|--experimental-test-coverage|--test-coverage-(?:lines|branches|functions)=.*|-D|--deny|--max-warnings(?:=0)?|-Werror|--Werror|--fail-under.*|--cov-fail-under.*|--check-coverage|--coverage|--forbid-only|--ci|--error-on-warnings|--fail-on-warnings?|-race|--all-targets|--all-features|--workspace|--all|-Dwarnings|-W|--report-unused-disable-directives|--warn-unused-ignores|--disallow-untyped-defs|--check|--error-exitcode.*|--runInBand)$/;

/**
 * Null if the script checks at least as much as before, as far as its text shows. The script's name, such as `test`,
 * shows the purpose of programs without a known tool.
 */
export function compareScripts(
  before: string,
  after: string,
  {name = "", configured = null, stopsAtFailure = false}: ComparedScript = {},
): ScriptWeakness | null {
  if (before === after) return null;
  const kind = checksOf(before).length === 0 ? kindOfName(name) : null;
  const [base, head] = [
    withWords(checksOf(before, kind), configured?.before),
    withWords(checksOf(after, kind), configured?.after),
  ];
  const setting = lostShellSetting(before, after, stopsAtFailure);
  if (setting !== null) return setting;
  const limit = looserCoverage(before, after);
  if (limit !== undefined) return {level: "flag", what: `\`${limit}\` accepts less coverage`};
  const condition = looserComparison(before, after) ?? looserCondition(before, after);
  if (condition !== undefined) return {level: "flag", what: `\`${condition.trim().slice(0, 80)}\` accepts more values`};
  if (base.length > 0 || CHECK_NAME.test(name)) {
    const failure = ignoredFailure(before, after);
    if (failure !== null && head.every(({isSwallowed}) => !isSwallowed)) return failure;
  }
  if (base.length === 0) return null;
  const tools = (list: readonly CheckCommand[]) => new Set(list.map(({tool}) => tool));
  if (head.length === 0) return withoutChecks(before, after, base);
  const baseSwallows = base.filter(({isSwallowed}) => isSwallowed).length;
  const swallowed = head.filter(({isSwallowed}) => isSwallowed);
  if (swallowed.length > baseSwallows)
    return {level: "block", what: `the exit code of \`${swallowed.at(-1)?.tool}\` is ignored`};
  const baseTools = tools(base);
  const newKinds = new Set(head.filter(({tool}) => !baseTools.has(tool)).map(({kind: one}) => one));
  const lost = base.filter((one) => !newKinds.has(one.kind) && !head.some(({tool}) => runsTasksOf(tool, one.tool)));
  if (lost.length > 0 && !startsOther(after, before))
    return {level: "flag", what: `\`${lost[0]?.tool}\` is not run any more`};
  const always = (list: readonly CheckCommand[]) => list.filter(({isConditional}) => !isConditional);
  const asked = head.find(
    ({tool, kind: own, isConditional}) =>
      isConditional &&
      !always(head).some((one) => one.kind === own) &&
      always(base).some((one) => one.tool === tool || one.kind === own),
  );
  if (asked !== undefined) return {level: "flag", what: `\`${asked.tool}\` runs only under a condition`};
  // Each command is compared with each other one.
  const [baseCommands, headCommands] = [distinct(base), distinct(head)];
  if (baseCommands.length * headCommands.length > MAX_PAIRS)
    return {level: "flag", what: "it has too many commands to compare"};
  return compareOptions(baseCommands, headCommands) ?? unknownDifference(baseCommands, headCommands);
}

/** `gradle lint build` after `gradle build`. */
const runsTasksOf = (tool: string, other: string): boolean =>
  other.split(" ").every((word) => tool.split(" ").includes(word));

const MAX_PAIRS = 250_000;

function distinct(commands: readonly CheckCommand[]): CheckCommand[] {
  return [...new Map(commands.map((one) => [JSON.stringify([one.words, one.env]), one])).values()];
}

function withWords(commands: readonly CheckCommand[], wordsOf?: ConfiguredWords["before"]): CheckCommand[] {
  return commands.map((command) => {
    const configured = wordsOf?.(command.tool) ?? [];
    // Paths of a command take the place of those in its configuration.
    const isRead = (word: string, index: number) => /^-/.test(word) || /^-/.test(configured[index - 1] ?? "");
    const words = command.words.slice(1).some(isPath) ? configured.filter(isRead) : configured;
    return {...command, words: [...command.words, ...words]};
  });
}

/** Names of scripts and targets that check something, also patterns such as `tests/%.run`. */
const CHECK_NAME = /(?:^|[^a-z])(?:tests?|checks?|lint|specs?|verify|validate|style)(?:[^a-z]|$)/;
/** Commands whose failure says nothing about the code. */
const CLEANS_UP =
  /^(?:rm|rmdir|mkdir|mv|cp|ln|chmod|unlink|kill|pkill|killall|docker|podman|git|curl|wget|sleep|which|command|rimraf|cd)$/;

/** A further command whose failure does not reach the exit code. */
function ignoredFailure(before: string, after: string): ScriptWeakness | null {
  const ignored = (text: string) => {
    const commands = splitShell(text) ?? [];
    const isIgnored = ({words: [name = ""], inside}: SimpleCommand, i: number) =>
      name !== "" &&
      ![CLEANS_UP, ALWAYS_PASSES, /^(?:\[\[?|test|\(\()$/].some((pattern) => pattern.test(name)) &&
      !inside.some(({part}) => part === "condition") &&
      isSwallowed(commands, i, text);
    return commands.filter(isIgnored);
  };
  const [base, head] = [ignored(before), ignored(after)];
  if (head.length > base.length)
    return {level: "flag", what: `a failure of \`${head.at(-1)?.words.slice(0, 2).join(" ")}\` is ignored`};
  const joints = (text: string, joint: string) => (splitShell(text) ?? []).filter((one) => one.joint === joint).length;
  const isChain = !before.trim().includes("\n") && joints(after, "&&") < joints(before, "&&");
  if (!isChain || joints(after, ";") <= joints(before, ";")) return null;
  return {level: "flag", what: "it continues after a failure"};
}

function withoutChecks(before: string, after: string, base: readonly CheckCommand[]): ScriptWeakness {
  const commands = splitShell(after) ?? [];
  const isHollow = commands.every(({words}) => ALWAYS_PASSES.test(words[0] ?? ""));
  const tool = base[0]?.tool ?? "";
  if (isHollow) return {level: "block", what: `it does not run \`${tool}\` any more and always passes`};
  return {level: startsOther(after, before) ? "note" : "flag", what: `\`${tool}\` is not run any more`};
}

/** Reads or compiles a program without running it. */
const ONLY_LOADS = /^(?:--check|-c|--version|--help|compileall|py_compile)$/;

/** The script starts another script, file or task runner that it did not start before; the checks may be there. */
function startsOther(after: string, before: string): boolean {
  const programs = new Set(checksOf(before).map(({tool}) => tool.split(" ", 1)[0]));
  const isSame = (tool: string) => /^(?:mvn|go|cargo|gradle) ?/.test(tool) && programs.has(tool.split(" ", 1)[0]);
  const starters = (text: string) =>
    (splitShell(text) ?? [])
      .filter(({words}) => kindOfWords(words) !== "build" && !words.some((word) => ONLY_LOADS.test(word)))
      .map(({words}) => toolOf(words))
      .filter((tool) => !isSame(tool))
      .filter((tool) => STARTS_OTHER.test(tool) || /\.(?:sh|[cm]?[jt]s|py|bash)$/.test(tool));
  const startersBefore = new Set(starters(before));
  return starters(after).some((tool) => !startersBefore.has(tool));
}

function compareOptions(base: readonly CheckCommand[], head: readonly CheckCommand[]): ScriptWeakness | null {
  for (const command of head) {
    const previous = mostSimilar(command, base);
    if (previous === undefined) {
      const option = weakeningOption(command, base, head);
      if (option === undefined) continue;
      return {level: "flag", what: `\`${command.tool}\` gets \`${option}\`, so it checks less`};
    }
    const previousWords = new Set(previous.words);
    const fresh = command.words.filter((word) => !previousWords.has(word));
    const isMake = /^g?make$/.test(command.words[0] ?? "");
    const ignores = isMake ? fresh.find((word) => /^-[a-jl-z]*[int]|^-k/.test(word)) : undefined;
    const limit = looserLimit(previous.words, command.words);
    if (limit !== undefined) return {level: "flag", what: `\`${command.tool}\` gets a looser \`${limit}\``};
    const weakening =
      ignores ?? fresh.find((word) => WEAKENING.test(word) || (word === "-u" && command.kind === "test"));
    if (weakening !== undefined)
      return {level: "flag", what: `\`${command.tool}\` gets \`${weakening}\`, so it checks less`};
    const isSelector = (word: string) => SELECTING.test(word.replace(/=.*$/, "")) || /^(?:!|:\(exclude\))/.test(word);
    const selecting = fresh.find(isSelector);
    if (selecting !== undefined && isNewSelection(command, previous, selecting))
      return {level: "flag", what: `\`${command.tool}\` gets \`${selecting}\`, which can leave out checks`};
    const dropped = previous.words.find(
      (word) => STRICT.test(word) && !command.words.some((one) => one.replace(/=.*/, "") === word.replace(/=.*/, "")),
    );
    const other = fresh.find(
      (word) => /^--(?:cov|enable|error-exitcode)=/.test(word) && previous.words.some((one) => isSameName(one, word)),
    );
    if (other !== undefined) return {level: "flag", what: `\`${command.tool}\` gets another value: \`${other}\``};
    if (dropped !== undefined) return {level: "flag", what: `\`${command.tool}\` loses \`${dropped}\``};
    const unread = droppedPath(command, previous);
    if (unread !== undefined) return {level: "flag", what: `\`${command.tool}\` does not read \`${unread}\` any more`};
    const isPlain = (word: string) => !word.startsWith("-");
    const lost = previous.words.slice(1).filter((word) => !command.words.includes(word) && isPlain(word));
    const narrower = fresh.find((word) => isPlain(word) && isSubset(lost, [word]));
    if (narrower !== undefined) return {level: "flag", what: `\`${command.tool}\` reads only \`${narrower}\``};
    const path = command.words.find(
      (word, index) => fresh.includes(word) && isPath(word) && !WRITTEN.test(command.words[index - 1] ?? ""),
    );
    if (path !== undefined && !previous.words.slice(1).some(isPath) && ["test", "typecheck"].includes(command.kind))
      return {level: "flag", what: `\`${command.tool}\` runs only \`${path}\``};
  }
  return null;
}

const isSameName = (one: string, other: string): boolean =>
  one !== other && one.split("=", 1)[0] === other.split("=", 1)[0];

/** A command in place of one of the same kind or program, such as `mvn package` in place of `mvn verify`. */
function weakeningOption(
  {words, kind}: CheckCommand,
  base: readonly CheckCommand[],
  head: readonly CheckCommand[],
): string | undefined {
  const kept = new Set(head.map((one) => one.words.join(" ")));
  const same = base.filter((one) => one.kind === kind || one.words[0] === words[0]);
  // An addition replaces nothing.
  if (same.every((one) => kept.has(one.words.join(" ")))) return undefined;
  return words.find((word) => WEAKENING.test(word) && same.length > 0 && !same.some((one) => one.words.includes(word)));
}

/** A path that the command lost, and nothing took its place. */
function droppedPath({words}: CheckCommand, previous: CheckCommand): string | undefined {
  if (words.length >= previous.words.length || words.some((word) => !previous.words.includes(word))) return undefined;
  const isPlain = (word: string | undefined) => word !== undefined && !word.startsWith("-");
  return previous.words.find(
    (word, index) => index > 0 && !words.includes(word) && isPlain(word) && isPlain(previous.words[index - 1]),
  );
}

const isPath = (word: string): boolean => /^[^-!][^=]*\.(?:[cm]?[jt]sx?|py|go|rs)$|^[\w.-]+\/[\w./-]+$|::/.test(word);

const LETTER_SELECTS = new RegExp(`^(?:${partsOf("letterSelects")})$`);
const LOSES_PLUGIN = new RegExp(`^(?:${partsOf("losesPlugin")})`);

/** `-c x` after `-c y` only names another file; `-p no:cov` and `-k fast` are a new selection. */
function isNewSelection(command: CheckCommand, previous: CheckCommand, option: string): boolean {
  const name = option.replace(/=.*$/, "");
  const isNeutral =
    /^(?:-c|--config|--project|-p|--reporter|--import|--require|-f|-E|-m|-t|--rootdir|-g|-A|--lib|--all)$/.test(name);
  const value = command.words[command.words.indexOf(option) + 1] ?? "";
  if (name === "-p")
    return LOSES_PLUGIN.test(`${command.tool} -p ${value}`) && !isHarmlessOption(command.tool, name, value);
  if (name === "--max-warnings") return !/(?:=|^)0$/.test(option.includes("=") ? option : value);
  // A letter can also be a timeout.
  if (/^-[mtgf]$/.test(name))
    return (
      LETTER_SELECTS.test(command.tool) &&
      !(hasKnownOptions(command.tool) && isHarmlessOption(command.tool, name, value))
    );
  return !isNeutral || previous.words.length === 0;
}

/**
 * The commands of a script that check something. A text that is no complete shell text is read line by line.
 *
 * @param otherwise the kind of programs without a known tool; null if they check nothing
 */
export function checksOf(text: string, otherwise: StageKind | null = null): CheckCommand[] {
  const commands = commandsIn(text);
  return commands.flatMap((command, i) => {
    const {words, env, inside, joint} = command;
    const program = words[0] ?? "";
    const kind = kindOfWords(words) ?? (ALWAYS_PASSES.test(program) ? null : otherwise);
    if (kind === null || STARTS_NOTHING.test(program)) return [];
    const isBranch = inside.some((one) => one.part === "then" || one.part === "else" || one.kind === "case");
    const isConditional = isBranch || (joint === "&&" && /^(?:\[\[?|test)$/.test(commands[i - 1]?.words[0] ?? ""));
    return [{tool: toolOf(words), kind, words, env, isConditional, isSwallowed: isSwallowed(commands, i, text)}];
  });
}

const STARTS_NOTHING = /^(?:echo|printf|cat|rm|cp|mv|mkdir|\[\[?|test|cd|export|)$/;
