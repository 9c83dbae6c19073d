/** Where words can be put at the end of a command line: its last command, or the script that this one starts. */
import {type SimpleCommand, splitShell} from "./split.ts";
import {type Scripts, startedScript} from "./started-script.ts";

/** The command that a line ends with, where all before it must have passed for it to run; null where that cannot be told. */
export function lastCommand(line: string): SimpleCommand | null {
  const commands = splitShell(line);
  const last = commands?.at(-1);
  if (commands === null || last === undefined || last.writes.length > 0 || last.dynamic) return null;
  // A command in front must have passed for the last one to run, and is needed for it.
  if (commands.some(({joint}) => joint !== "start" && joint !== "&&")) return null;
  return /^(?:!|xargs|do|then|else|elif|if|while|until|\{)$/.test(last.words[0] ?? "") ? null : last;
}

/** So deep do scripts that start scripts go; one that starts itself ends there. */
const MOST_DEPTH = 4;
const MOST_CHARS = 20_000;

/**
 * The line with each script that it starts in its place, together with the scripts that run before and after it, as npm does.
 * A line that cannot be read, and a script of another package, stay as they are.
 */
export function withScripts(line: string, scripts: Scripts, depth = 0): string {
  const commands = splitShell(line);
  if (commands === null || depth === MOST_DEPTH) return line;
  return commands.toReversed().reduce((now, {words, raws, start, end}) => {
    const started = startedScript(words, scripts);
    if (started === null || now.length > MOST_CHARS) return now;
    const {name, body, handedOn} = started;
    const more = handedOn.filter((word, at) => at > 0 || word !== "--").length;
    const given = more === 0 ? "" : ` ${raws.slice(-more).join(" ")}`;
    const all = [scripts[`pre${name}`], `${body}${given}`, scripts[`post${name}`]].filter((one) => one !== undefined);
    const inner = all.map((one) => withScripts(one, scripts, depth + 1)).join(" && ");
    return `${now.slice(0, start)}(${inner})${now.slice(end).replace(/^(?=\w)/, " ")}`;
  }, line);
}
