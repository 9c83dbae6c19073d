/** Lists the commands of a place of commands that check something, with what their failure does. */
import type {StageKind} from "../../record/words.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {toolOf} from "../../tools/command-name.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import {type CommandFate, commandsIn, endsByTrap, fails, fateOf, modeOf, type ShellLine} from "./command-fates.ts";

export interface CheckCommand {
  readonly tool: string;
  /** `other`: a program without a known tool */
  readonly kind: StageKind | "other" | "failure";
  readonly words: readonly string[];
  /** those of the loops around it */
  readonly values: readonly string[];
  /** the variables that are set for it */
  readonly env: Readonly<Record<string, string>>;
  readonly fate: CommandFate;
  readonly isNegated: boolean;
  /** a condition of the script decides whether it runs */
  readonly isConditional: boolean;
  readonly isPrerequisite: boolean;
}

const COMPARES = new Set(["diff", "cmp"]);
/** Commands that report nothing about the code. */
const NO_CHECK = new Set(
  `echo printf cat tee head tail tr sort sed true : exit return sleep rm rmdir mkdir mv cp ln touch chmod unlink kill pkill
  killall docker podman git curl wget which command type rimraf cd set unset export local read shift trap source . test [ [[ ((
  let eval wait popd pushd alias /bin/true /usr/bin/true continue break declare readonly`.split(/\s+/),
);

/** All commands except those that report nothing; of a text that is no complete shell text, line by line. */
export function checksIn(lines: readonly ShellLine[]): CheckCommand[] {
  return lines.flatMap((line) => {
    const commands = commandsIn(line.text);
    const mode = modeOf(line, commands);
    return reachable(commands).flatMap((command, i) => {
      const {words, env, inside, joint, isNegated} = command;
      const isFailure = fails(command) && line.text.trim().includes("\n");
      const kind = kindOfWords(words) ?? (isFailure ? "failure" : COMPARES.has(words[0] ?? "") ? "check" : "other");
      if (words.length === 0 || isSkipped(commands, i) || (!isFailure && NO_CHECK.has(words[0] ?? ""))) return [];
      const isBranch = inside.some((one) => one.part === "then" || one.part === "else" || one.kind === "case");
      const isAsked = ["&&", "||"].includes(joint) && ["[", "[[", "test"].includes(commands[i - 1]?.words[0] ?? "");
      const fate = isFailure ? "decides" : fateOf(commands, i, mode);
      return [
        {
          tool: toolOf(words),
          kind,
          words,
          values: inside.flatMap((one) => one.values),
          env,
          fate,
          isPrerequisite: line.isPrerequisite === true,
          isNegated,
          isConditional: isBranch || isAsked || line.isConditional === true,
        },
      ];
    });
  });
}

/** Those before an unconditional end of the script. */
function reachable(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const end = commands.findIndex(
    ({words: [name = "", program], inside, joint}) =>
      (["exit", "return"].includes(name) || (name === "exec" && program !== undefined)) &&
      inside.length === 0 &&
      joint !== "||" &&
      joint !== "&&",
  );
  return end < 0 ? commands : commands.slice(0, end + 1);
}

/** True behind `true ||`, alone or in a group. */
function isSkipped(commands: readonly SimpleCommand[], i: number): boolean {
  const passes = (one: SimpleCommand | undefined) =>
    one !== undefined &&
    one.joint !== "&&" &&
    !one.isNegated &&
    ["true", ":", "echo", "printf", "/bin/true"].includes(one.words[0] ?? "");
  const {joint, inside} = commands[i] ?? {joint: "start", inside: []};
  const groups = inside.filter((one) => one.joint === "||").map(({node}) => node.pos);
  return (
    (joint === "||" && passes(commands[i - 1])) ||
    groups.some((start) => passes(commands.findLast((one, at) => at < i && one.end <= start)))
  );
}

export const alwaysPasses = (lines: readonly ShellLine[]): boolean =>
  lines.every(({text}) => commandsIn(text).every(({words}) => NO_CHECK.has(words[0] ?? "true")) || endsByTrap(text));
