/** Finds checks that a script writes as shell logic: a condition that ends it with a failure, with what the condition reads. */
import {type Construct, joinedAfter, type SimpleCommand, splitShell} from "../../shell/split.ts";
import {substitutionsIn} from "../../shell/tree.ts";

/** A check that several commands of a script are together. */
export interface ShellCheck {
  /** the index after its last command */
  readonly end: number;
  /** as written, in one line */
  readonly text: string;
  /** the line that checks the same */
  readonly check: string;
}

const ASSIGNS_OUTPUT = /^["']?(?:\$\(|`)/;
const COMPARES_WITH_GIT = /\bgit (?:-\S+ )*(?:diff|status)\b/;
/** Commands of a branch that only tell what is wrong. */
const ONLY_TELLS = /^(?:echo|printf|cat|true|:|exit|return|false|tee|sed|head)$/;
const TESTS = /^(?:test|\[\[?)$/;

/** The check that begins with the command at `start`; null if none does. What git compares is recognized elsewhere. */
export function checkAt(text: string, commands: readonly SimpleCommand[], start: number): ShellCheck | null {
  let first = start;
  while (assignsOutput(commands[first])) first++;
  const command = commands[first];
  if (command === undefined) return null;
  const construct = command.inside.at(-1);
  const isIf =
    construct?.kind === "if" &&
    construct.part === "condition" &&
    commands[first - 1]?.inside.includes(construct) !== true;
  const found = isIf ? checkOfIf(text, commands, construct) : checkOfTest(text, commands, first);
  const uses = (one: SimpleCommand): boolean =>
    Object.keys(one.env).every((name) => new RegExp(`\\$\\{?#?${name}\\b`).test(found?.check ?? ""));
  const before = commands.slice(start, first);
  if (found === null || !before.every(uses)) return null;
  const join = (last: string): string => [...before.map((one) => text.slice(one.start, one.end)), last].join("; ");
  const check = join(found.check);
  if (COMPARES_WITH_GIT.test(check) || commandsOfCheck(check).length === 0) return null;
  return {end: found.end, text: join(found.text), check};
}

/** True for a command that gives a variable the output of a command. */
const assignsOutput = (command: SimpleCommand | undefined): boolean =>
  command?.words.length === 0 && Object.values(command.env).some((value) => ASSIGNS_OUTPUT.test(value));

const fails = ({words: [program, status = ""]}: SimpleCommand): boolean =>
  (program === "exit" && /^[1-9]/.test(status)) || (program === "false" && status === "");

const onlyTells = ({words: [program = ":"]}: SimpleCommand): boolean => ONLY_TELLS.test(program);

/** The commands of an `if` in one of its parts; null for an `if` that contains other constructs. */
function partsOfIf(commands: readonly SimpleCommand[], {node}: Construct): PartOfIf | null {
  const own = commands.flatMap((command) => {
    const at = command.inside.findIndex((one) => one.node === node);
    return at < 0 ? [] : [{command, part: command.inside[at]?.part, inner: command.inside.slice(at + 1)}];
  });
  if (own.some(({inner}) => inner.some(({kind}) => kind !== "group"))) return null;
  return (part) => own.flatMap((one) => (one.part === part ? [one.command] : []));
}

type PartOfIf = (part: Construct["part"]) => SimpleCommand[];

/** The check of an `if` with one branch that ends the script with a failure, and another that does nothing; null for others. */
function checkOfIf(text: string, commands: readonly SimpleCommand[], construct: Construct): ShellCheck | null {
  const commandsIn = partsOfIf(commands, construct);
  if (commandsIn === null) return null;
  const branches = [commandsIn("then"), commandsIn("else")];
  const failing = branches.findIndex((branch) => branch.some(fails));
  if (!branches.flat().every(onlyTells) || failing < 0 || branches[1 - failing]?.some(fails) === true) return null;
  const {node} = construct;
  const end = commands.findLastIndex(({inside}) => inside.some((one) => one.node === node)) + 1;
  const block = inOneLine(text, node, commands);
  const [condition, ...others] = commandsIn("condition");
  if (condition === undefined || block === null) return null;
  // The exit status of one command is that of the check.
  if (others.length === 0 && !TESTS.test(condition.words[0] ?? "") && (failing === 0) === condition.isNegated)
    return {end, text: block, check: text.slice(condition.start, condition.end).replace(/^!\s+/, "")};
  return {end, text: block, check: block};
}

/** The text of a construct with `;` at the ends of its lines; null if it contains a document. */
function inOneLine(text: string, {pos, end}: Construct["node"], commands: readonly SimpleCommand[]): string | null {
  const own = commands.filter((one) => one.start >= pos && one.end <= end);
  if (own.some(({input}) => input?.includes("\n"))) return null;
  const isEnd = (at: number): boolean => text[at] === "\n" && !own.some((one) => at > one.start && at < one.end);
  const ends = Array.from({length: end - pos}, (_, i) => pos + i).filter(isEnd);
  return [...ends, end]
    .map((at, i) => text.slice(i === 0 ? pos : (ends[i - 1] ?? 0), at).trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .reduce((joined, line) =>
      /(?:^|\s)(?:then|else|do|\{|&&|\|\|?)$|;$/.test(joined) ? `${joined} ${line}` : `${joined}; ${line}`,
    );
}

/** A test of the output of a command, alone or with the message that follows it; null for another command. */
function checkOfTest(text: string, commands: readonly SimpleCommand[], at: number): ShellCheck | null {
  const test = commands[at];
  if (test === undefined || !TESTS.test(test.words[0] ?? "") || !/\$\(|`/.test(text.slice(test.start, test.end)))
    return null;
  const others = joinedAfter(commands, at);
  if (!others.every((one) => one.joint !== "&&" && one.joint !== "|" && onlyTells(one))) return null;
  if (others.length > 0 && !others.some(fails)) return null;
  const line = text.slice(test.start, test.listEnd);
  return {end: at + 1 + others.length, text: line, check: line};
}

/** The commands within a check that do more than test and print, with those whose output it uses. */
export function commandsOfCheck(check: string): string[] {
  return [check, ...substitutionsIn(check)].flatMap((text) =>
    (splitShell(text) ?? [])
      .filter((command) => !TESTS.test(command.words[0] ?? "test") && !onlyTells(command))
      .map(({raws}) => raws.join(" ")),
  );
}

/** Why a command within a check may fail without failing the check; null if its failure fails the check. */
export function whyUndecided(check: string, command: string): string | null {
  const commands = splitShell(check) ?? [];
  const construct = commands.flatMap(({inside}) => inside).find(({kind}) => kind === "if");
  const commandsIn = construct === undefined ? null : partsOfIf(commands, construct);
  const condition = commandsIn?.("condition") ?? [];
  const own = condition.findIndex(({raws}) => raws.join(" ") === command);
  if (own < 0 || condition[own + 1]?.joint === "|") return "its script reads the output of the check, not its result";
  const failsIfTrue = commandsIn?.("then").some(fails) === true;
  const isAlone = condition.slice(1).every(({joint}) => joint === "|" || joint === (failsIfTrue ? "||" : "&&"));
  return isAlone && condition[own]?.isNegated === failsIfTrue
    ? null
    : `a failure of \`${command}\` alone does not fail it`;
}
