/** Compares which commands of a shell script can make it fail, and what a variable records of that. */
import {memoize} from "../../shell/memoize.ts";
import {joinedAfter, type SimpleCommand, splitShell} from "../../shell/split.ts";

/** Programs that always pass. */
export const ALWAYS_PASSES = /^(?:true|:|echo|exit|printf|cat|tee|sleep|\/bin\/true|\/usr\/bin\/true)$/;
const PASSES = /^(?:echo|printf|true|:|cat|sed|tee|head|tail|tr|sort|sleep|rm|cd|unset|export|set|local|\/bin\/true)$/;
/** Programs that print their input, whatever it says. */
const PRINTS_ON = /^(?:cat|tee|head|tail|grep|sed|true)$/;
const COMPARES = /^(?:\[{1,2}|test|\(\(|command|which|type)$/;

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
  (/^(?:exit|return)$/.test(name) && /^(?:[1-9]|\$)/.test(status)) || name === "false";

/** True for `set -e`, `set -o errexit` or `set +e`. */
const isSet = ({words}: SimpleCommand, sign: string, option: RegExp): boolean =>
  words[0] === "set" &&
  words.some((word, i) => (word.startsWith(sign) || words[i - 1]?.startsWith(sign)) && option.test(word));
const ERREXIT = /^[-+][a-z]*e|^errexit$/;

/** How the shell of a script ends it. */
export const stopsIn: (text: string) => boolean = memoize(
  (text) => /^#!.*sh\s+-\w*e/.test(text) || commandsIn(text).some((command) => isSet(command, "-", ERREXIT)),
);
export const continuesIn = (text: string): boolean => commandsIn(text).some((command) => isSet(command, "+", ERREXIT));

/** True for a script whose exit code a trap decides. */
export const endsByTrap = (text: string): boolean =>
  commandsIn(text).some(
    ({words}) =>
      words[0] === "trap" && words.includes("EXIT") && /\b(?:exit(?: +0)?|true|:) *;? *$/.test(words[1] ?? ""),
  );

/** A command that can fail, and whether the script then fails. */
interface Fate {
  readonly text: string;
  readonly decides: boolean;
  /** no other command runs after it */
  readonly isAtEnd: boolean;
  /** a comparison of values, or the condition of others */
  readonly isQuestion: boolean;
}

function fatesIn(text: string): Fate[] {
  const commands = commandsIn(text);
  const mode = {
    stops: stopsIn(text),
    pipefail: commands.some((one) => isSet(one, "-", /^pipefail$/)),
    lastStatusRead: commands.findLastIndex(({raws, env}) => /\$\?/.test([...raws, ...Object.values(env)].join(" "))),
  };
  return commands.flatMap((command, i) => {
    const [name = ""] = command.words;
    if (name === "" || PASSES.test(name) || (/^(?:exit|return)$/.test(name) && !fails(command))) return [];
    const isQuestion = COMPARES.test(name) || command.inside.some(({part}) => part === "condition");
    return [
      {
        text: command.words.join(" "),
        decides: fails(command) || reachesEnd(commands, i, mode),
        isAtEnd: isLast(commands, command),
        isQuestion,
      },
    ];
  });
}

interface StatusMode {
  readonly stops: boolean;
  readonly pipefail: boolean;
  /** the place of the last command that reads `$?`; -1 if there is none */
  readonly lastStatusRead: number;
}

/** True if the failure of a command stops the script, or is what it ends with. */
function reachesEnd(commands: readonly SimpleCommand[], i: number, mode: StatusMode): boolean {
  const command = commands[i];
  if (command === undefined || command.isBackground) return false;
  const {inside, start} = command;
  const joined = joinedAfter(commands, i).filter((one) => one.inside.length >= inside.length);
  const [next] = joined;
  if (next?.joint === "|" && !mode.pipefail && PRINTS_ON.test(next.words[0] ?? "")) return false;
  const other = joined.findIndex(({joint}) => joint === "||");
  if (other >= 0) return joined.slice(other).some((one) => fails(one) || !PASSES.test(one.words[0] ?? ""));
  const condition = inside.findLast(({part}) => part === "condition");
  if (condition !== undefined) {
    const block = commands.filter((one) => one.start > start && one.inside.some(({node}) => node === condition.node));
    return block.some(
      (one) =>
        /^(?:exit|return|false|break|continue)$/.test(one.words[0] ?? "") ||
        one.words.length === 0 ||
        one.inside.some(({part}) => part === "else"),
    );
  }
  const isAtEnd = isLast(commands, command);
  const isInLoop = inside.some(({kind}) => kind === "loop");
  // `set -e` does not stop at a command before `&&`, and a loop ends as its last round.
  if (mode.stops)
    return (isAtEnd && !isInLoop) || !joined.some((one) => one.joint === "&&" && PASSES.test(one.words[0] ?? ""));
  return isAtEnd || i < mode.lastStatusRead;
}

/** True if no command runs after the list of this one; the other branch of an `if` is none. */
const isLast = (commands: readonly SimpleCommand[], {listEnd, inside}: SimpleCommand): boolean =>
  // From the end: the last command of a script mostly shows it.
  commands.findLast(
    (one) =>
      one.start >= listEnd &&
      !one.inside.some(({node, part}) => inside.some((other) => other.node === node && other.part !== part)),
  ) === undefined;

/** Why a failure is lost that the script reported before; null if nothing is. */
export function lostFailure(before: string, after: string): string | null {
  if (before === after || splitShell(before) === null) return null;
  if (endsByTrap(after) && !endsByTrap(before)) return "a trap decides its exit code";
  const [base, head] = [fatesIn(before), fatesIn(after)];
  const endsFailing = (fates: readonly Fate[]) => fates.some(({decides, isAtEnd}) => decides && isAtEnd);
  if ((stopsIn(before) || endsFailing(base)) && !stopsIn(after) && !endsFailing(head))
    return "its last command always passes, so a failure before it is lost";
  const counted = (fates: readonly Fate[], decides: boolean, text: string) =>
    fates.filter((one) => one.decides === decides && one.text === text).length;
  const lost = base.find(
    ({text, decides, isQuestion}) =>
      decides &&
      !isQuestion &&
      counted(head, true, text) < counted(base, true, text) &&
      counted(head, false, text) > counted(base, false, text),
  );
  if (lost !== undefined) return `a failure of \`${lost.text.slice(0, 60)}\` does not fail it any more`;
  const swallowed = (fates: readonly Fate[]) => fates.filter(({decides, isQuestion}) => !decides && !isQuestion).length;
  if (stopsIn(after) && swallowed(head) > swallowed(base)) return "it continues after a failing command";
  const results = resultsOf(before);
  const isLost = results.some(
    (name) =>
      recordsOf(name, after).length < recordsOf(name, before).length || resetsOf(name, after) > resetsOf(name, before),
  );
  // Another variable, or a command, decides now.
  return isLost && resultsOf(after).every((name) => results.includes(name) || recordsOf(name, after).length === 0)
    ? "it records a failure in fewer places"
    : null;
}

/** The two scripts end with the same number as their result, written in another way. */
export function endsAlike(before: string, after: string): boolean {
  const [names, newNames] = [resultsOf(before), resultsOf(after)];
  return names.length > 0 && names.join() === newNames.join();
}

/** The variables that decide how the last command ends: `exit $failed`, `[ $failed -eq 0 ]`. */
function resultsOf(text: string): string[] {
  const last = commandsIn(text).at(-1);
  if (!/^(?:exit|return|\[{1,2}|test|\(\()$/.test(last?.words[0] ?? "")) return [];
  const names = last?.words.slice(1).flatMap((word) => word.match(/(?<![-\w])[A-Za-z_]\w*/g) ?? []) ?? [];
  return [...new Set(names.filter((name) => !/^(?:exit|true|false)$/.test(name)))];
}

/** The places where a variable becomes something else than 0, in this shell: what a pipe or `( … )` sets is lost (POSIX, 2.12). */
function recordsOf(name: string, text: string): SimpleCommand[] {
  const commands = commandsIn(text);
  const isRecord = ({words, env}: SimpleCommand): boolean =>
    (env[name] !== undefined && !/^0?$/.test(env[name] ?? "")) ||
    ((words[0] === "((" || words[0] === "let") &&
      new RegExp(`\\b${name}\\s*(?:\\+\\+|[-+|]?=(?!=))|\\+\\+\\s*${name}\\b`).test(words[1] ?? ""));
  const isPiped = (end: number) => commands.find(({start}) => start >= end)?.joint === "|";
  return commands.filter(
    (one) =>
      isRecord(one) &&
      !one.inside.some(({kind, joint, node}) => kind === "subshell" || joint === "|" || isPiped(node.end)),
  );
}

const resetsOf = (name: string, text: string): number =>
  commandsIn(text).filter(({words, env}) => words.length === 0 && /^0?$/.test(env[name] ?? "-")).length;

/** The first variable of a sourced file whose failures are lost in a pipe now. */
export function lostInPipe(before: string, after: string): string | null {
  const names = new Set(commandsIn(before).flatMap(({env}) => Object.keys(env)));
  const isKept = (name: string) =>
    commandsIn(after).filter(({env}) => name in env).length >= commandsIn(before).filter(({env}) => name in env).length;
  return (
    [...names].find((name) => isKept(name) && recordsOf(name, after).length < recordsOf(name, before).length) ?? null
  );
}

/** `|| true`, `; exit 0`, `| cat`, `&`: the failure of the command at `i` does not reach the exit code. */
export function isSwallowed(commands: readonly SimpleCommand[], i: number, text: string): boolean {
  const first = commands[i + 1];
  if (commands[i]?.isBackground) return true;
  if (first === undefined) return false;
  const [name = "", argument = ""] = first.words;
  const isLine = !text.trim().includes("\n");
  const stops = stopsIn(text);
  if (first.joint === "||") {
    if (joinedAfter(commands, i).some(fails)) return false;
    return (
      ALWAYS_PASSES.test(name) ||
      (isLine && /^(?:npm|npx|node|python3?|sh|bash)$/.test(name) && !/\bexit [^0]|\bfalse\b/.test(text))
    );
  }
  if (first.joint === "|" && commands.length > i + 2 && isSwallowed(commands, i + 1, text)) return true;
  if (first.joint === "|") return PRINTS_ON.test(name) && !/pipefail/.test(text);
  const isOutside = first.joint === ";" && commands[i]?.inside.length === 0;
  // The status of the next command is that of the line, unless the script kept the one of this command.
  if (isOutside && isLine && !stops && !/\$\?|\btrap\b/.test(text) && !(name === "exit" && !/^0?$/.test(argument)))
    return first.inside.length === 0;
  const last = commands.at(-1);
  return (
    last?.joint === ";" && !stops && (/^(?:true|:)$/.test(last.words[0] ?? "") || last.words.join(" ") === "exit 0")
  );
}
