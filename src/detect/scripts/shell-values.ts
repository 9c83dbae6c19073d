/** What is known about the values in shell text: variables and folders. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";

/** Replaces `$NAME` and `${NAME}` if the value is known and consists of plain words. */
export function fillVariables(line: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0 || !line.includes("$")) return line;
  return line.replace(
    /"\$\{(\w+\[@\])\}"|\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (whole, array: string | undefined, braced: string | undefined, bare: string | undefined) =>
      values.get(array ?? braced ?? bare ?? "") ?? whole,
  );
}

/** A command of a text with the values of variables filled in. */
export function fillCommand(text: string, command: SimpleCommand, fill: (text: string) => string): SimpleCommand {
  const own = text.slice(command.start, command.end);
  const filled = fill(own);
  const [one, ...others] = filled === own ? [] : (splitShell(filled) ?? []);
  if (one === undefined || others.length > 0) return command;
  const {words, raws, env, dynamic} = one;
  return {...command, words, raws, env, dynamic};
}

/** True for a value that means the same with and without quotes. */
export const isPlain = (value: string): boolean => value.length < 500 && /^[\w@%+=:,./ -]*$/.test(value);

/** The folder after `cd`; null if it cannot be known or is outside the tree. */
export function enter(cwd: string | null, target: string): string | null {
  const workspace =
    /^(?:\$\{\{\s*github\.workspace\s*\}\}|\$\{?(?:GITHUB_WORKSPACE|CI_PROJECT_DIR|TRAVIS_BUILD_DIR)\}?)/;
  const fromTop = workspace.test(target) || target.startsWith("$(Build.SourcesDirectory)");
  const path = target.replace(workspace, ".").replace(/^\$\(Build\.SourcesDirectory\)/, ".");
  if ((cwd === null && !fromTop) || /^[/~]|[$`{}*]/.test(path) || target === "" || target === "-") return null;
  const parts = fromTop || cwd === "." || cwd === null ? [] : cwd.split("/");
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.length === 0 ? "." : parts.join("/");
}
