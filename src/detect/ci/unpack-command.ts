/** Unpacks a CI command: removes recorders and options that split a run among machines. */
import {baseName} from "../../shell/program.ts";
import {programsWith} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";

/** Options that give one of several machines its part of the tests. */
const SPLIT_OPTION = /^--(shard|splits|group|partition|shard-index|total-shards|test-group)(=[\w:/]*\d)?$/;
const PART = /^(\w+:)?\d+(\/\d+)?$/;
/** The machine that cargo builds for without the option. */
const USUAL_TARGET = "x86_64-unknown-linux-gnu";
const RECORDERS = programsWith("records a command");
const HAVE_TARGETS = programsWith("targets by -t");

/** Returns the command without a recorder around it, and without options that only split it among machines. */
export function plainCommand<Command extends CiCommand>(command: Command): Command {
  const {words, raws} = command;
  const recorder = words.indexOf("record");
  const inner = RECORDERS.has(baseName(words[recorder - 1] ?? "")) ? words.indexOf("--", recorder) + 1 : 0;
  const isSplit = (i: number): boolean => {
    const [before = "", word = "", value = ""] = [words[i - 1], words[i], words[i + 1]];
    if ((word === "--target" && value === USUAL_TARGET) || (before === "--target" && word === USUAL_TARGET))
      return true;
    // An earlier step of CI has installed the package.
    if (word === "--skip-pkg-install") return true;
    return SPLIT_OPTION.test(word)
      ? word.includes("=") || PART.test(value)
      : SPLIT_OPTION.test(before) && PART.test(word);
  };
  // What is affected depends on a base that only CI knows.
  if (words.includes("affected") && HAVE_TARGETS.has(unwrap(words)[0] ?? "")) {
    const inAll = (list: readonly string[]) => list.map((word) => (word === "affected" ? "run-many" : word));
    return {...command, words: inAll(words), raws: inAll(raws)};
  }
  const kept = words.flatMap((_, i) => (i >= inner && !isSplit(i) ? [i] : []));
  if (kept.length === words.length || kept.length === 0) return command;
  return {...command, words: kept.map((i) => words[i] ?? ""), raws: kept.map((i) => raws[i] ?? "")};
}
