/** Knows what the failure of a command does to its script. */
import {memoize} from "../../shell/memoize.ts";
import {joinedAfter, type SimpleCommand, splitShell} from "../../shell/split.ts";
import {toolOf} from "../../tools/command-name.ts";

/** A line or a script that one shell runs. */
export interface ShellLine {
  readonly text: string;
  /** its shell is started with `-e` */
  readonly stops?: boolean;
  readonly hasPipefail?: boolean;
  /** what started it continues after its failure */
  readonly isIgnored?: boolean;
  /** what starts it does so under a condition */
  readonly isConditional?: boolean;
  /** another target of the makefile, which runs first */
  readonly isPrerequisite?: boolean;
}

/** The lines of each script, target or job, by its name. */
export type CommandPlaces = ReadonlyMap<string, readonly ShellLine[]>;

/** `ignored`: by `|| true`, a pipe or the line itself; `unread`: another command runs after it, and decides. */
export type CommandFate = "decides" | "ignored" | "unread";

/** Programs that cannot fail, or whose failure says nothing. */
export const PASSES =
  /^(?:echo|printf|true|:|cat|sed|tee|head|tail|tr|sort|sleep|rm|cd|unset|export|set|local|\/bin\/true)$/;
/** What hides the failure of a command before `||`. */
const STANDS_IN = new RegExp(`${PASSES.source}|^(?:exit|return|continue|break|npm|npx|node|python3?|sh|bash)$`);
const FAILS = /\bexit [1-9]|\bfalse\b/;
/** Programs that print their input, whatever it says. */
const PRINTS_ON = new Set(["cat", "tee", "head", "tail", "grep", "sed", "true"]);

/** The commands of a text. One that is no complete shell text is read line by line. */
export const commandsIn = (text: string): readonly SimpleCommand[] => splitShell(text) ?? commandsByLine(text);

const commandsByLine: (text: string) => readonly SimpleCommand[] = memoize((text) => {
  let lineStart = 0;
  return text.split("\n").flatMap((line) => {
    const from = lineStart;
    lineStart += line.length + 1;
    return (splitShell(line) ?? []).map((command) => ({
      ...command,
      start: from + command.start,
      end: from + command.end,
      listEnd: from + command.listEnd,
    }));
  });
});

/** True for a command that fails the script. */
export const fails = ({words: [name = "", status = ""]}: SimpleCommand): boolean =>
  (["exit", "return"].includes(name) && /^(?:[1-9]|\$(?!\(\(0))/.test(status)) || name === "false";

/** True for `set -e`, `set -o errexit` or `set +e`. */
const isSet = ({words}: SimpleCommand, sign: string, option: RegExp): boolean =>
  words[0] === "set" &&
  words.some((word, i) => (word.startsWith(sign) || words[i - 1]?.startsWith(sign)) && option.test(word));
const ERREXIT = /^[-+][a-z]*e|^errexit$/;

/** How the shell of a script ends it. */
const stopsIn: (text: string) => boolean = memoize(
  (text) => /^#!.*sh\s+-\w*e/.test(text) || commandsIn(text).some((command) => isSet(command, "-", ERREXIT)),
);
const continuesIn = (text: string): boolean => commandsIn(text).some((command) => isSet(command, "+", ERREXIT));

/** True for a script whose exit code a trap decides. */
export const endsByTrap = (text: string): boolean =>
  commandsIn(text).some(
    ({words}) =>
      words[0] === "trap" &&
      words.slice(2).some((word) => ["EXIT", "0"].includes(word)) &&
      /\b(?:exit(?: +0)?|true|:) *;? *$/.test(words[1] ?? ""),
  );

interface ExitMode {
  readonly isIgnored: boolean;
  readonly isOneLine: boolean;
  readonly stops: boolean;
  readonly hasPipefail: boolean;
  /** the functions of the script that can fail it */
  readonly failing: ReadonlySet<string>;
  /** it runs the functions of another file */
  readonly loadsFunctions: boolean;
  /** the place of the last command that passes on what `$?` says; -1 if there is none */
  readonly lastStatusRead: number;
}

export function modeOf(
  {text, stops = false, hasPipefail = false, isIgnored = false}: ShellLine,
  commands: readonly SimpleCommand[],
): ExitMode {
  const mode = {
    isIgnored: isIgnored || endsByTrap(text),
    isOneLine: !text.trim().includes("\n"),
    stops: (stops || stopsIn(text)) && !continuesIn(text),
    hasPipefail: hasPipefail || commands.some((one) => isSet(one, "-", /^pipefail$/)),
    failing: failingFunctions(commands),
    loadsFunctions: commands.some((one) => [".", "source"].includes(one.words[0] ?? "")),
    lastStatusRead: -1,
  };
  return {...mode, lastStatusRead: lastStatusRead(commands, mode)};
}

const valuesOf = ({raws, env}: SimpleCommand): string => [...raws.slice(1), ...Object.values(env)].join(" ");
const TESTS = new Set(["[", "[[", "test", "(("]);
/** A test that holds after a failure too: `[ $? -le 1 ]`. */
const HOLDS = /\$\??\w*\W? -(?:ge 0|le 0*[1-9]|lt (?:[2-9]|\d\d))/;

/**
 * The last command that reads `$?` and ends the script with it: by `exit`, by a test, in a function that fails, or through a variable.
 * From the end, so that the variables that decide are known where they get their values.
 */
function lastStatusRead(commands: readonly SimpleCommand[], mode: ExitMode): number {
  if (!commands.some((one) => valuesOf(one).includes("$?"))) return -1;
  const deciding = new Set<string>();
  return commands.findLastIndex((one, i) => {
    const {words, env} = one;
    const name = words[0] ?? "";
    const given = [
      ...Object.keys(env),
      ...(ASSIGNS.has(name) ? (valuesOf(one).match(/[A-Za-z_]\w*(?=\W{0,3}=)/g) ?? []) : []),
    ];
    const isGiven = (words.length === 0 || ASSIGNS.has(name)) && given.some((variable) => deciding.has(variable));
    const isTest = TESTS.has(name) && !HOLDS.test(words.join(" ")) && decidesByTest(commands, i, {mode, deciding});
    if (!isGiven && !isTest && !["exit", "return"].includes(name) && !mode.failing.has(name)) return false;
    for (const [read] of valuesOf(one).matchAll(/[A-Za-z_]\w*/g)) deciding.add(read);
    return valuesOf(one).includes("$?");
  });
}

const ASSIGNS = new Set(["export", "local", "declare", "typeset", "readonly", "let", ":", "(("]);

function decidesByTest(
  commands: readonly SimpleCommand[],
  i: number,
  {mode, deciding}: {mode: ExitMode; deciding: ReadonlySet<string>},
): boolean {
  const isPassedOn = (one: SimpleCommand) => fails(one) || Object.keys(one.env).some((name) => deciding.has(name));
  return fateOf(commands, i, mode) === "decides" || joinedAfter(commands, i).some(isPassedOn);
}

/** The functions of a script that fail, end it, or give a variable a value. */
function failingFunctions(commands: readonly SimpleCommand[]): Set<string> {
  const failing = new Set<string>();
  for (const one of commands)
    if (
      fails(one) ||
      one.words.length === 0 ||
      ["exit", "return", "((", "let"].includes(one.words[0] ?? "") ||
      failing.has(one.words[0] ?? "")
    )
      for (const {kind, name} of one.inside) if (kind === "function") failing.add(name);
  return failing;
}

/** Whether the failure of a command stops the script, or is what it ends with. */
export function fateOf(commands: readonly SimpleCommand[], i: number, mode: ExitMode): CommandFate {
  const command = commands[i];
  if (command === undefined || command.isBackground || mode.isIgnored) return "ignored";
  const {inside, start} = command;
  const joined = joinedAfter(commands, i).filter((one) => one.inside.length >= inside.length);
  const pipe = joined.findIndex(({joint}) => joint !== "|");
  const isPrinted = joined.slice(0, pipe < 0 ? joined.length : pipe).some(({words}) => PRINTS_ON.has(words[0] ?? ""));
  if (isPrinted && !mode.hasPipefail) return "ignored";
  const other = joined.findIndex(({joint}) => joint === "||");
  if (other >= 0) return fateBefore(joined.slice(other), command, mode);
  const condition = inside.findLast(({part}) => part === "condition");
  if (condition !== undefined) {
    const block = commands.filter((one) => one.start > start && one.inside.some(({node}) => node === condition.node));
    const isUsed = block.some(
      (one) =>
        ["exit", "return", "false", "break", "continue"].includes(one.words[0] ?? "") ||
        one.words.length === 0 ||
        (one.inside.some(({node, part}) => node === condition.node && part === "else") &&
          !PASSES.test(one.words[0] ?? "")),
    );
    return isUsed ? "decides" : "ignored";
  }
  const isAtEnd = isLast(commands, command);
  const isInLoop = inside.some(({kind}) => kind === "loop");
  // `set -e` does not stop at a command before `&&`, and a loop ends as its last round.
  if (mode.stops)
    return (isAtEnd && !isInLoop) || !joined.some((one) => one.joint === "&&" && PASSES.test(one.words[0] ?? ""))
      ? "decides"
      : "ignored";
  if ((isAtEnd && !isInLoop) || i < mode.lastStatusRead) return "decides";
  return mode.isOneLine || isPassed(commands) ? "ignored" : "unread";
}

/** What the commands behind `||` do with the failure of the one in front of it. A program that is not known may pass. */
function fateBefore(
  others: readonly SimpleCommand[],
  {words}: SimpleCommand,
  {failing, loadsFunctions}: ExitMode,
): CommandFate {
  const passesOn = (one: SimpleCommand, i: number) => {
    const [name = "", ...rest] = one.words;
    const isBareEnd = i === 0 && rest.length === 0 && ["exit", "return"].includes(name);
    const isFailing = TESTS.has(name) || failing.has(name) || FAILS.test(rest.join(" "));
    const isFailingToo = isFailing || toolOf(one.words) === toolOf(words) || (loadsFunctions && !STANDS_IN.test(name));
    return name === "" || fails(one) || isBareEnd || (!PASSES.test(name) && isFailingToo);
  };
  if (others.some(passesOn)) return "decides";
  return others.some((one) => !STANDS_IN.test(one.words[0] ?? "")) ? "unread" : "ignored";
}

const isPassed = (commands: readonly SimpleCommand[]): boolean =>
  ["true", ":", "exit", "exit 0"].includes(commands.at(-1)?.words.join(" ") ?? "");

/** True if no command runs after the list of this one; the other branch of an `if` is none. */
const isLast = (commands: readonly SimpleCommand[], {listEnd, inside}: SimpleCommand): boolean =>
  // From the end: the last command of a script mostly shows it.
  commands.findLast(
    (one) =>
      one.start >= listEnd &&
      !one.inside.some(({node, part}) => inside.some((other) => other.node === node && other.part !== part)),
  ) === undefined;
