/** Unpacks a CI command: removes recorders and options that split a run, and separates a runner's targets. */
import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {programsWith} from "../../tools/all-commands.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import type {Project} from "../files/project.ts";
import {screenName} from "../proposals/screen-name.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {bodyOf} from "./bodies.ts";

/** Options that give one of several machines its part of the tests. */
const SPLIT_OPTION = /^--(shard|splits|group|partition|shard-index|total-shards|test-group)(=[\w:/]*\d)?$/;
const PART = /^(\w+:)?\d+(\/\d+)?$/;
/** The machine that cargo builds for without the option. */
const USUAL_TARGET = /^x86_64-unknown-linux-gnu$/;
/** The file that a build tool reads without the option. */
const USUAL_FILES: readonly (readonly [programs: RegExp, option: RegExp, file: RegExp])[] = [
  [/^(\.\/)?mvnw?$/, /^(-f|--file)$/, /^(\.\/)?pom\.xml$/],
  [/^cargo$/, /^--manifest-path$/, /^(\.\/)?Cargo\.toml$/],
];
const HAVE_TARGETS = programsWith("targets by -t");
const RECORDERS = programsWith("records a command");
const TARGETS = /^(-t|--targets?)(=.*)?$/;

/** Returns the command without a recorder around it, and without options that only split it among machines. */
export function plainCommand<Command extends CiCommand>(command: Command): Command {
  const {words, raws} = command;
  const recorder = words.indexOf("record");
  const inner = RECORDERS.has(baseName(words[recorder - 1] ?? "")) ? words.indexOf("--", recorder) + 1 : 0;
  const isSplit = (i: number): boolean => {
    const [before = "", word = "", value = ""] = [words[i - 1], words[i], words[i + 1]];
    const usualFile = USUAL_FILES.find(([programs]) => programs.test(words[0] ?? ""));
    if (usualFile !== undefined) {
      const [, option, file] = usualFile;
      if ((option.test(word) && file.test(value)) || (option.test(before) && file.test(word))) return true;
    }
    if ((word === "--target" && USUAL_TARGET.test(value)) || (before === "--target" && USUAL_TARGET.test(word)))
      return true;
    // An earlier step of CI has installed the package.
    if (word === "--skip-pkg-install") return true;
    return SPLIT_OPTION.test(word)
      ? word.includes("=") || PART.test(value)
      : SPLIT_OPTION.test(before) && PART.test(word);
  };
  const kept = words.flatMap((_, i) => (i >= inner && !isSplit(i) ? [i] : []));
  if (kept.length === words.length || kept.length === 0) return command;
  return {...command, words: kept.map((i) => words[i] ?? ""), raws: kept.map((i) => raws[i] ?? "")};
}

/** One command for each target of `run-many -t a b`, without those whose name shows that they cannot run; null if it has one target. */
export function commandsOfTargets<Command extends CiCommand>(command: Command): Command[] | null {
  const {words, raws} = command;
  const [program = "", verb = ""] = unwrap(words);
  const start = words.findIndex((word) => TARGETS.test(word));
  if (start < 0 || !HAVE_TARGETS.has(program) || !/^(run-many|affected)$/.test(verb)) return null;
  const inlineTargets = words[start]?.split("=")[1];
  let end = start + 1;
  while (inlineTargets === undefined && end < words.length && !words[end]?.startsWith("-")) end++;
  const targets = (inlineTargets === undefined ? words.slice(start + 1, end) : [inlineTargets]).flatMap((word) =>
    word.split(","),
  );
  if (targets.length < 2) return null;
  return targets
    .filter((target) => target !== "" && screenName(target).kind === "ok")
    .map((target) => ({
      ...command,
      words: [...words.slice(0, start).map(inAll), "-t", target, ...words.slice(end)],
      raws: [...raws.slice(0, start).map(inAll), "-t", target, ...raws.slice(end)],
    }));
}

/** The same for a script of package.json that only starts such a runner. */
export function targetsOfScript<Command extends CiCommand>(project: Project, command: Command): Command[] | null {
  const {cwd, words} = command;
  const body = toolOf(words).startsWith("script ") ? bodyOf({project, cwd, words}) : null;
  const [line = "", ...others] = body ?? [];
  const [started, ...more] = (others.length === 0 && splitShell(line)) || [];
  return started === undefined || more.length > 0
    ? null
    : commandsOfTargets({...command, words: started.words, raws: started.raws});
}

/** One command for each argument of a tool that takes commands; null if it has fewer than two, or one changes the others. */
export function commandsOfArguments<Command extends CiCommand>(command: Command): Command[] | null {
  const {words, raws} = command;
  const start = words.findIndex((word) => TAKE_COMMANDS.has(baseName(word)));
  const first = words.findIndex((word, i) => i > start && !word.startsWith("-"));
  const names = words.slice(first);
  if (start < 0 || first < 0 || names.length < 2 || names.some((name) => CHANGES_OTHERS.test(name))) return null;
  return names.map((name, i) => ({
    ...command,
    words: [...words.slice(0, first), name],
    raws: [...raws.slice(0, first), raws[first + i] ?? name],
  }));
}

const TAKE_COMMANDS = programsWith("commands as arguments");
/**
 * An argument that selects a version, a project or a setting for later arguments, or that contains several commands.
 */
const CHANGES_OTHERS = /^(\+|;|-|project |set |shell$|reload|clean$)|;/;

/** The affected targets depend on a base that only CI knows. */
const inAll = (word: string): string => (word === "affected" ? "run-many" : word);
