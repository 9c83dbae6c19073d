/** Compares how a shell script ends: by its last command, by a variable with the result, or at the first failure. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";

const PASSES = /^(?:echo|printf|true|:|cat|sed|tee|head|tail|tr|sort|sleep|rm|cd|unset|export|\/bin\/true)$/;
const ERREXIT = /^\s*set\s+-\w*e|^\s*set\s+-o\s+errexit|^#!.*sh\s+-\w*e/m;
const PIPEFAIL = /\bset\s+-\w*o?\s*pipefail|\bpipefail\b/;
/** A line that only closes a block. */
const CLOSES = /^(?:fi|done|esac|\}|\)|;;)\s*$/;

/** Why a failure is lost that the script reported before; null if nothing is. */
export function lostFailure(before: string, after: string): string | null {
  if (before === after || splitShell(before) === null) return null;
  const [base, head] = [linesOf(before), linesOf(after)];
  const [last, newLast] = [base.at(-1) ?? "", head.at(-1) ?? ""];
  const traps = (text: string) => /\btrap\s+(["']).*\bexit\s+0\b.*\1\s+.*\bEXIT\b/.test(text);
  if (traps(after) && !traps(before)) return "a trap decides its exit code";
  const [stopped, stops] = [before, after].map((text) => ERREXIT.test(text));
  if ((stopped || canFail(last, before)) && !stops && !canFail(newLast, after))
    return "its last command always passes, so a failure before it is lost";
  const swallowed = (lines: readonly string[], text: string) => lines.filter((line) => hidesFailure(line, text)).length;
  if (stops && swallowed(head, after) > swallowed(base, before)) return "it continues after a failing command";
  const questioned = base.find((line) => failsAlone(line) && head.some((one) => isOnlyAsked(one, line, after)));
  if (stops && questioned !== undefined && !head.includes(questioned))
    return `\`${questioned.slice(0, 60)}\` is only a condition now`;
  if (stops && unstopped(head) > unstopped(base)) return "`set -e` does not stop at a command before `&&`";
  const results = resultsIn(last);
  const isLost = results.some(
    (name) =>
      inSubshells(name, after) > inSubshells(name, before) ||
      failuresOf(name, after) < failuresOf(name, before) ||
      resetsOf(name, after) > resetsOf(name, before),
  );
  // Another variable, or a command, decides now.
  return isLost && resultsIn(newLast).every((name) => results.includes(name) || failuresOf(name, after) === 0)
    ? "it records a failure in fewer places"
    : null;
}

/** The two scripts end with the same result, written in another way. */
export function endsAlike(before: string, after: string): boolean {
  const [last, newLast] = [before, after].map((text) => linesOf(text).at(-1) ?? "");
  const [names, newNames] = [last, newLast].map((line) => (COUNTS.test(line ?? "") ? resultsIn(line ?? "") : []));
  return names !== undefined && names.length > 0 && names.join() === newNames?.join();
}

/** A number decides: `exit $failed`, `[ $failed -eq 0 ]`. */
const COUNTS = /^(?:(?:exit|return)\s+\S.*|\[{1,2}\s+\S+\s+-(?:eq|le|lt)\s+\d+\s+\]{1,2}|\(\(.*\)\))$/;

const linesOf = (text: string): string[] =>
  text
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

/** False if the line ends with 0 whatever happens. */
function canFail(line: string, text: string): boolean {
  if (CLOSES.test(line)) return true;
  if (/[^&]&\s*(?:#.*)?$/.test(line)) return false;
  const commands = splitShell(line);
  if (commands === null) return true;
  return commands.reduce((fails, command) => {
    const own = failsItself(command);
    if (command.joint === "&&") return fails || own;
    if (command.joint === "||") return fails && own;
    if (command.joint === "|") return own || (fails && PIPEFAIL.test(text));
    return own || (command.joint === ";" && fails && ERREXIT.test(text));
  }, false);
}

function failsItself({words: [name = "", argument = ""]}: SimpleCommand): boolean {
  if (name === "exit" || name === "return") return argument !== "0";
  return name !== "" && !PASSES.test(name);
}

/** `check || echo failed`: its first command can fail, and the line cannot. */
function hidesFailure(line: string, text: string): boolean {
  const commands = splitShell(line) ?? [];
  const [first] = commands;
  const isList = commands.some(({joint}) => joint === "||" || joint === "|");
  return isList && first !== undefined && failsItself(first) && first.words[0] !== "exit" && !canFail(line, text);
}

const failsAlone = (line: string): boolean => {
  const [command, ...others] = splitShell(line) ?? [];
  return (
    command !== undefined && others.length === 0 && failsItself(command) && !CONDITION.test(command.words[0] ?? "")
  );
};

/** `if check; then echo ok; fi`, without another end for a failure. */
function isOnlyAsked(line: string, command: string, text: string): boolean {
  if (!line.startsWith(`if ${command};`) && line !== `if ${command}`) return false;
  const block = text.slice(text.indexOf(`if ${command}`));
  return !/\b(?:else|elif|exit|return)\b/.test(block.slice(0, Math.max(0, block.search(/\bfi\b/))));
}

/**
 * The lines before the last one whose failure `set -e` ignores: `check && echo ok`. Tests of conditions, such as
 * `[ -f a ] && b`, are written so on purpose.
 */
function unstopped(lines: readonly string[]): number {
  return lines.slice(0, -1).filter((line) => {
    const commands = splitShell(line) ?? [];
    const end = commands.at(-1);
    const left = commands.slice(0, -1);
    return (
      end?.joint === "&&" &&
      !failsItself(end) &&
      left.every(({joint}) => joint !== "||") &&
      left.some((command) => failsItself(command) && !CONDITION.test(command.words[0] ?? ""))
    );
  }).length;
}

const CONDITION = /^(?:\[{1,2}|test|command|which|type|if|while|until|exit|return|!|\w*=.*)$/;

/** The variables that decide how the last command ends. */
function resultsIn(line: string): string[] {
  if (!/^(?:exit|return|\[{1,2}|test|\(\()\s*/.test(line)) return [];
  const names = line.replace(/^(?:exit|return|test)\b/, "").match(/[A-Za-z_]\w*/g) ?? [];
  return [...new Set(names.filter((name) => !/^(?:eq|ne|gt|lt|ge|le|z|n|echo|exit|true|false)$/.test(name)))];
}

/** How often it becomes something else than 0, in this shell. */
function failuresOf(name: string, text: string): number {
  const pattern = String.raw`(?<![\w$(]|\(\s)${name}(?:=(?!0\b|["']{2}|\s|$)|\+=)|\(\(\s*(?:${name}\s*(?:\+\+|\+=|=(?!=))|\+\+\s*${name})|\blet\s+["']?${name}`;
  return text.match(new RegExp(pattern, "g"))?.length ?? 0;
}

/** A loop at the end of a pipe runs in a shell of its own, so what it counts is lost (POSIX, 2.12). */
function inSubshells(name: string, text: string): number {
  const loops = text
    .split(/\|\s*(?=while\b)/)
    .slice(1)
    .map((rest) => rest.split(/^\s*done\b/m, 1)[0] ?? "");
  return [...loops, ...pipedGroups(text)].reduce((sum, part) => sum + failuresOf(name, part), 0);
}

const MAX_GROUPS = 100;

/** The text of `{ … } | sort`. */
function pipedGroups(text: string): string[] {
  return [...text.matchAll(/^([ \t]*)\}\s*\|(?!\|)/gm)].slice(0, MAX_GROUPS).flatMap(({index, 1: indent = ""}) => {
    const open = text.lastIndexOf(`\n${indent}{`, index);
    return open < 0 ? [] : [text.slice(open, index)];
  });
}

/** The first variable of a sourced file whose failures are lost in a pipe now. */
export function lostInPipe(before: string, after: string): string | null {
  const names = new Set([...before.matchAll(/^\s*(\w+)=(?:1|\$\(\()/gm)].map(([, name = ""]) => name));
  return [...names].find((name) => inSubshells(name, after) > inSubshells(name, before)) ?? null;
}

const resetsOf = (name: string, text: string): number =>
  text.match(new RegExp(String.raw`(?<![\w$-])${name}=(?:0\b|["']{2}|\s|$)`, "gm"))?.length ?? 0;

/** Programs that always pass. */
export const ALWAYS_PASSES = /^(?:true|:|echo|exit|printf|cat|tee|sleep|\/bin\/true|\/usr\/bin\/true)$/;
const KEEPS_STATUS = /\$\?|\bset\s+-\w*e|\btrap\b|^\s*(?:for|while|if|case)\b/;
const BLOCK = /^(?:then|do|done|fi|else|elif|esac|exit|\})?$/;

/** `|| true`, `; exit 0`, `| cat`, `&`. */
export function isSwallowed(next: readonly {joint: string; words: readonly string[]}[], text: string): boolean {
  const [first] = next;
  if (first === undefined) return /[^&]&\s*$/.test(text);
  const [name = "", argument] = first.words;
  if (first.joint === "||" && /^(?:npm|npx|node|python3?|sh|bash)$/.test(name) && !text.includes("\n"))
    return !/\bexit [^0]|\bfalse\b/.test(text);
  if (first.joint === "||")
    return ALWAYS_PASSES.test(name) && !(name === "exit" && argument !== "0" && argument !== undefined);
  if (first.joint === "|" && next.length > 1 && isSwallowed(next.slice(1), text)) return true;
  if (first.joint === "|") return /^(?:cat|tee|head|tail|grep|sed|true)$/.test(name) && !/pipefail/.test(text);
  // The next command decides.
  if (first.joint === ";" && !text.trim().includes("\n") && ALWAYS_PASSES.test(name) && !/\bset\s+-\w*e/.test(text))
    return !/^exit$/.test(name) || argument === "0";
  if (first.joint === "&") return true;
  // The status of another command is the status of the line, unless the script kept that of this one.
  if (first.joint === ";" && !text.trim().includes("\n") && !KEEPS_STATUS.test(text) && !BLOCK.test(name)) return true;
  const last = next.at(-1);
  const isEnd =
    last?.joint === ";" &&
    (last.words[0] === "true" || last.words[0] === ":" || (last.words[0] === "exit" && last.words[1] === "0"));
  return isEnd && !/\bset\s+-\w*e/.test(text);
}
