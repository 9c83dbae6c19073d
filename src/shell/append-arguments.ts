/** Finds where arguments can be appended to a command line: at its last command, or at the script that it starts. */
import {type SimpleCommand, splitShell} from "./split.ts";
import {type PackageScripts, startedScript} from "./started-script.ts";

/** The last command of a line, if all earlier commands must pass before it; null if that is not certain. */
export function lastCommand(line: string): SimpleCommand | null {
  const commands = splitShell(line);
  const lastCommand = commands?.at(-1);
  if (commands === null || lastCommand === undefined || lastCommand.writes.length > 0 || lastCommand.dynamic)
    return null;
  // The last command needs the earlier ones, and runs only if they pass.
  if (commands.some(({joint}) => joint !== "start" && joint !== "&&")) return null;
  const {isNegated, isBackground, input, inside, words} = lastCommand;
  const isAlone = !isNegated && !isBackground && input === null && inside.length === 0;
  return isAlone && words[0] !== "xargs" ? lastCommand : null;
}

/** The maximum depth of scripts that start scripts; it also ends a script that starts itself. */
const MAX_DEPTH = 4;
const MAX_CHARS = 20_000;

/**
 * The line with each started script replaced by its body, and by its pre and post scripts, as npm runs them. A line
 * that cannot be read, and a script of another package, stay unchanged.
 */
export function withScripts(line: string, scripts: PackageScripts, depth = 0): string {
  const commands = splitShell(line);
  if (commands === null || depth === MAX_DEPTH) return line;
  return commands.toReversed().reduce((now, {words, raws, isNegated, start, end}) => {
    const script = startedScript(words, scripts);
    if (script === null || isNegated || now.length > MAX_CHARS) return now;
    const {name, body, handedOn} = script;
    const argumentCount = handedOn.filter((word, at) => at > 0 || word !== "--").length;
    const addedText = argumentCount === 0 ? "" : ` ${raws.slice(-argumentCount).join(" ")}`;
    const bodies = [scripts[`pre${name}`], `${body}${addedText}`, scripts[`post${name}`]].filter(
      (one) => one !== undefined,
    );
    const inner = bodies.map((one) => withScripts(one, scripts, depth + 1)).join(" && ");
    return `${now.slice(0, start)}(${inner})${now.slice(end).replace(/^(?=\w)/, " ")}`;
  }, line);
}
