/** The functions that a script defines: which there are, and which run the command that they are given. */

/** The beginning of a shell function, up to its body. */
const FUNCTION = /^\s*(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)\s*/;
/** The arguments of a function as a command: `if "$@"; then`. */
const RUNS_ARGUMENTS = /(?:^|[;&|{(!]|\b(?:then|do|else|if|until|while|time))\s*"?\$[@*]"?(?=\s|$|[;&|)])/m;

/** The functions of a script by name, each with whether it runs its arguments: `retry npm test`. */
export function functionsOf(lines: readonly string[]): Map<string, {readonly runsArguments: boolean}> {
  const functions = new Map<string, {readonly runsArguments: boolean}>();
  for (const [i, line] of lines.entries()) {
    const name = FUNCTION.exec(line)?.[1];
    if (name === undefined) continue;
    const end = line.includes("}") ? i : lines.findIndex((other, at) => at > i && /^\s*\}/.test(other));
    const body = lines.slice(i, end < 0 ? undefined : end + 1).join("\n");
    functions.set(name, {runsArguments: RUNS_ARGUMENTS.test(body)});
  }
  return functions;
}

/** A line without the beginning of a function. */
export const withoutFunctionHead = (line: string): string => line.replace(FUNCTION, "");
