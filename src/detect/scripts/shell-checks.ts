/** Finds checks that a script writes as shell logic: a condition that ends it with a failure, with what the condition reads. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {substitutionsIn} from "../../shell/substitutions.ts";

/** A line of a script, or a check made of several lines. */
export interface ScriptPart {
  /** as written, in one line */
  readonly text: string;
  /** the line that checks the same, if the part is a check by its logic */
  readonly check: string | null;
}

const MAX_BLOCK = 30;
const ASSIGNS_OUTPUT = /^\s*[A-Za-z_]\w*=["']?(?:\$\(|`)[^;]*$/;
const COMPARES_WITH_GIT = /\bgit (?:-\S+ )*(?:diff|status)\b/;
const BEGINS_TEST = /^\s*(?:test|\[\[?)\s.*(?:\$\(|`)/;
/** Commands of a branch that only tell what is wrong. */
const ONLY_TELLS = /^(?:echo|printf|cat|true|:|exit|return|false|then|else|fi|\{|\}|tee|sed|head|>&2)$/;
const KEYWORD = /^(?:if|then|else|elif|fi|do|done|while|until|!|\{|\})$/;
const TESTS = /^(?:test|\[\[?)$/;

/** The lines of a script, with those that are one check together joined. What git compares is recognized elsewhere. */
export function joinChecks(lines: readonly string[]): ScriptPart[] {
  const parts: ScriptPart[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const end = /^\s*if\s/.test(line) ? endOfIf(lines, i) : -1;
    const block = end < 0 ? null : joinLines(lines.slice(i, end + 1));
    const check = block === null ? checkOfLine(line) : checkOfIf(block);
    if (check === null) {
      parts.push({text: line, check: null});
      continue;
    }
    const before: string[] = [];
    while (usesVariable(check, parts.at(-1)?.text ?? "")) before.unshift((parts.pop()?.text ?? "").trim());
    const join = (last: string): string => [...before, last].join("; ");
    const isOther = COMPARES_WITH_GIT.test(join(check)) || commandsOfCheck(join(check)).length === 0;
    if (isOther)
      parts.push(...[...before, ...lines.slice(i, Math.max(end, i) + 1)].map((text) => ({text, check: null})));
    else parts.push({text: join(block ?? line.trim()), check: join(check)});
    i = Math.max(end, i);
  }
  return parts;
}

/** True for a line that gives a variable of the check the output of a command. */
function usesVariable(check: string, line: string): boolean {
  const name = ASSIGNS_OUTPUT.test(line) ? /^\s*(\w+)=/.exec(line)?.[1] : undefined;
  return name !== undefined && new RegExp(`\\$\\{?#?${name}\\b`).test(check);
}

function endOfIf(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let i = start; i < Math.min(lines.length, start + MAX_BLOCK); i++) {
    for (const {words} of splitShell(lines[i] ?? "") ?? []) {
      if (words[0] === "if") depth++;
      if (words[0] === "fi" && --depth === 0) return i;
    }
  }
  return -1;
}

const joinLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .reduce((text, line) =>
      /(?:^|\s)(?:then|else|do|\{|&&|\|\|?)$|;$/.test(text) ? `${text} ${line}` : `${text}; ${line}`,
    );

const fails = ({words: [program, status = ""]}: SimpleCommand): boolean =>
  (program === "exit" && /^[1-9]/.test(status)) || (program === "false" && status === "");

/** The commands of the condition of an `if`, and of its two branches; null for an `if` with more of them, and for none. */
function partsOfIf(
  commands: readonly SimpleCommand[],
): {condition: SimpleCommand[]; branches: SimpleCommand[][]} | null {
  const at = (word: string): number => commands.findIndex(({words}) => words[0] === word);
  const [start, then, otherwise] = [at("if"), at("then"), at("else") < 0 ? commands.length : at("else")];
  if (start < 0 || then <= start || at("elif") >= 0) return null;
  const branches = [commands.slice(then, otherwise), commands.slice(otherwise)];
  return {condition: commands.slice(start, then), branches: branches.map((branch) => branch.map(withoutKeyword))};
}

/** The check of an `if` with one branch that ends the script with a failure, and another that does nothing; null for others. */
function checkOfIf(block: string): string | null {
  const commands = splitShell(block);
  if (commands === null || commands.filter(({words}) => words[0] === "if").length > 1) return null;
  const parts = partsOfIf(commands);
  if (parts === null) return null;
  const {condition, branches} = parts;
  if (!branches.flat().every(({words: [first = "fi"]}) => ONLY_TELLS.test(first))) return null;
  const failing = branches.findIndex((branch) => branch.some(fails));
  if (failing < 0 || branches[1 - failing]?.some(fails) === true) return null;
  const [first] = condition;
  const isNegated = first?.words[1] === "!";
  const started = first?.words.slice(isNegated ? 2 : 1) ?? [];
  // The exit status of one command is that of the check.
  if (condition.length === 1 && !TESTS.test(started[0] ?? "") && (failing === 0) === isNegated)
    return block.slice(first?.start, first?.end).replace(/^\s*if\s+(?:!\s+)?/, "");
  return block;
}

const withoutKeyword = (command: SimpleCommand): SimpleCommand =>
  /^(?:then|else)$/.test(command.words[0] ?? "") ? {...command, words: command.words.slice(1)} : command;

/** A test of the output of a command, alone or with the message that follows it; null for another line. */
function checkOfLine(line: string): string | null {
  const commands = BEGINS_TEST.test(line) ? splitShell(line) : null;
  const [, ...others] = commands ?? [];
  const isTest =
    commands !== null &&
    others.every((one) => one.joint !== "&&" && one.joint !== "|" && ONLY_TELLS.test(one.words[0] ?? ""));
  return isTest && (others.length === 0 || others.some(fails)) ? line.trim() : null;
}

/** The commands within a check that do more than test and print, with those whose output it uses. */
export function commandsOfCheck(check: string): string[] {
  return [check, ...substitutionsIn(check)].flatMap((text) =>
    (splitShell(text) ?? []).flatMap((command) => {
      const first = command.words.findIndex((word) => !KEYWORD.test(word));
      const program = command.words[first] ?? "";
      return first < 0 || TESTS.test(program) || ONLY_TELLS.test(program) ? [] : [command.raws.slice(first).join(" ")];
    }),
  );
}

/** Why a command within a check may fail without failing the check; null if its failure fails the check. */
export function whyUndecided(check: string, command: string): string | null {
  const parts = partsOfIf(splitShell(check) ?? []);
  const {condition = [], branches = []} = parts ?? {};
  const inCondition = condition.map(({words, raws}) => {
    const first = words.findIndex((word) => !KEYWORD.test(word));
    return {text: raws.slice(first).join(" "), isNegated: words.slice(0, first).includes("!")};
  });
  const own = inCondition.findIndex(({text}) => text === command);
  if (own < 0 || condition[own + 1]?.joint === "|") return "its script reads the output of the check, not its result";
  const failsIfTrue = branches[0]?.some(fails) === true;
  const isAlone = condition.slice(1).every(({joint}) => joint === "|" || joint === (failsIfTrue ? "||" : "&&"));
  return isAlone && inCondition[own]?.isNegated === failsIfTrue
    ? null
    : `a failure of \`${command}\` alone does not fail it`;
}
