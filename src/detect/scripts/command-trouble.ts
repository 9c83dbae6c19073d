/** Explains why a command of a CI script cannot run as written: its values, or the commands that its result goes to. */

import {baseName} from "../../shell/program.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {CHOOSES_COMPILER, haskellCommand} from "../../tools/haskell.ts";
import {isOptionIn} from "../../tools/names.ts";

/** Commands that may follow a pipe without changing the result of the command before it. */
const PASSIVE =
  /^(tee|cat|tail|head|ts|xcbeautify|xcpretty|gotestfmt|go-junit-report|tap-\w+|faucet|pino-pretty|less|sed|tparse|cs2pr|reviewdog|cargo2junit|bunyan)$/;
/** Substitutions that every shell makes in the same way. */
const HARMLESS =
  /\$\((nproc|pwd|getconf _NPROCESSORS_ONLN|go list [\w./ -]+|git ls-files[\w./ '"*-]*|find [\w./ '"*-]+)\)|\$\{?(PWD|HOME)\b\}?|\$(GITHUB_WORKSPACE\b|\{GITHUB_WORKSPACE\})(?=\/)/g;
const OF_OUTPUT = "one of its arguments is the output of another command";
/** The end of the reason of a command with a variable that the CI file gives no value. */
export const ONLY_CI = /whose value only CI knows$/;

/** Why a command cannot be used as written; null if it can. `next` are the commands after it in its line. */
export function troubleWith(command: SimpleCommand, next: readonly SimpleCommand[]): string | null {
  const [following] = next;
  const afterPipe = next.find(({joint}) => joint !== "|");
  if (afterPipe?.joint === "||" && !next.some((other) => other.words[0] === "exit" && other.words[1] !== "0"))
    return "CI goes on when it fails";
  const piped = next.slice(0, next.findIndex((other) => other.joint !== "|") < 0 ? next.length : undefined);
  // A group can decide by its own commands.
  const reader = piped.find(({words, inside, joint}) => {
    const group = inside[command.inside.length];
    return (group ?? {joint}).joint === "|" && (group !== undefined || !PASSIVE.test(words[0] ?? ""));
  });
  // A negated command is used with its whole pipe.
  if (following?.joint === "|" && reader !== undefined && !command.isNegated)
    return `its output goes to \`${reader.words[0]}\``;
  const {inputLine, documents} = command;
  const isLiteral = /<<-?\s*['"\\]/.test(inputLine);
  const input = isLiteral ? inputLine : inputLine + documents;
  const text = [...command.raws, ...Object.values(command.env), input].join(" ");
  const expression = /\$\{\{.*?\}\}/s.exec(text)?.[0];
  if (expression !== undefined) return `it depends on \`${expression}\`, whose value only a run of the workflow knows`;
  const remaining = text.replace(HARMLESS, "");
  // In single quotes a dollar is only a dollar.
  const unquoted = remaining.replace(/'[^']*'/g, "");
  if ((!command.dynamic && !/[$`]|<\(/.test(input)) || !/[$`]|<\(/.test(unquoted)) return null;
  const variable = /\$(?:\{[#!]?)?(\w+|[@*#?])/.exec(unquoted)?.[1];
  return variable === undefined ? OF_OUTPUT : `it depends on \`$${variable}\`, whose value only CI knows`;
}

/** A command without the options that name a program of CI's machine, such as its compiler. Assay uses the one on PATH. */
export function withoutCiPrograms(command: SimpleCommand): SimpleCommand {
  if (haskellCommand.programs?.includes(baseName(command.words[0] ?? "")) !== true) return command;
  const chooses = (word = ""): boolean => isOptionIn(CHOOSES_COMPILER, word);
  const isComputed = (word = ""): boolean => word.includes("$");
  const isDropped = (word: string, i: number): boolean =>
    (chooses(word) && isComputed(word.includes("=") ? word : command.words[i + 1])) ||
    (isComputed(word) && chooses(command.words[i - 1]));
  const kept = command.words.flatMap((word, i) => (isDropped(word, i) ? [] : [i]));
  const pick = (words: readonly string[]): string[] => kept.map((i) => words[i] ?? "");
  return {...command, words: pick(command.words), raws: pick(command.raws)};
}
