/** Splits the shell text of a CI step into the plain commands that it always runs, with their folders. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";

export interface CiCommand {
  readonly words: readonly string[];
  readonly raws: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** the folder it runs in, from the root of the tree */
  readonly cwd: string;
  /** why it cannot be used as written; null if it can */
  readonly trouble: string | null;
}

const MAX_LINES = 400;
const OPENS = new Set(["if", "for", "while", "until", "case", "{", "select", "function"]);
const CLOSES = new Set(["fi", "done", "esac", "}"]);
/** Commands that may follow a pipe without changing the result of the command before it. */
const PASSIVE =
  /^(tee|cat|tail|head|ts|xcbeautify|xcpretty|gotestfmt|go-junit-report|tap-\w+|faucet|pino-pretty|less|sed|grep|tparse|cs2pr|reviewdog|jq|cargo2junit|bunyan)$/;
/** Substitutions that every shell makes in the same way. */
const HARMLESS =
  /\$\((nproc|pwd|getconf _NPROCESSORS_ONLN|go list [\w./ -]+|git ls-files[\w./ '"*-]*|find [\w./ '"*-]+)\)|\$\{?(PWD|HOME)\b\}?/g;

/**
 * The commands of a script in order, without those that run only under a condition, in a loop or in a function, and without
 * those after the start of a background server. `values` fills in variables whose value the CI file gives.
 */
export function commandsOf(options: {
  text: string;
  cwd: string;
  values: ReadonlyMap<string, string>;
}): readonly CiCommand[] {
  const ciCommands: CiCommand[] = [];
  const values = new Map(options.values);
  let cwd: string | null = options.cwd;
  let depth = 0;
  for (const line of logicalLines(options.text)) {
    const commands = splitShell(fillVariables(line, values));
    if (commands === null) continue;
    // Commands after the start of a server may need it.
    if (/(^|[^&])&\s*$/.test(line)) return ciCommands;
    const cwdBefore: string | null = cwd;
    for (const [i, command] of commands.entries()) {
      const [first = ""] = command.words;
      if (OPENS.has(first)) depth++;
      const conditional = depth > 0;
      if (CLOSES.has(first)) depth = Math.max(0, depth - 1);
      if (conditional || first === "") {
        for (const [name, value] of Object.entries(command.env))
          if (!conditional && isPlain(value)) values.set(name, value);
          else values.delete(name);
        continue;
      }
      if (first === "exit" && command.joint !== "||") return ciCommands;
      if (first === "export") {
        for (const word of command.words.slice(1)) {
          const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(word) ?? [];
          if (name !== "" && isPlain(value)) values.set(name, value);
        }
      } else if (first === "cd" || first === "pushd") cwd = enter(cwd, command.words[1] ?? "");
      else if (first === "popd") cwd = options.cwd;
      else if (commands[i + 1]?.joint === "&") return ciCommands;
      else if (command.joint !== "|" && command.joint !== "||") {
        ciCommands.push({
          words: command.words,
          raws: command.raws,
          env: command.env,
          cwd: cwd ?? options.cwd,
          trouble:
            cwd === null ? "it runs in a folder that only CI knows" : troubleWith(command, commands.slice(i + 1)),
        });
      }
    }
    // The end of a group is not recognised, so a folder change inside it ends with its line.
    if (commands.some((command) => command.joint === "(")) cwd = cwdBefore;
  }
  return ciCommands;
}

function troubleWith(command: SimpleCommand, next: readonly SimpleCommand[]): string | null {
  const [following] = next;
  if (following?.joint === "||" && !next.some((other) => other.words[0] === "exit" && other.words[1] !== "0"))
    return "CI goes on when it fails";
  const piped = next.slice(0, next.findIndex((other) => other.joint !== "|") < 0 ? next.length : undefined);
  if (following?.joint === "|" && !piped.every((other) => other.joint !== "|" || PASSIVE.test(other.words[0] ?? "")))
    return "its output is what CI checks";
  const text = [...command.raws, ...Object.values(command.env)].join(" ");
  if (text.includes("${{")) return "it depends on an expression that only a run of the workflow knows";
  const remaining = text.replace(HARMLESS, "");
  // In single quotes a dollar is only a dollar.
  return command.dynamic && /[$`]/.test(remaining.replace(/'[^']*'/g, ""))
    ? "it depends on values that only CI has"
    : null;
}

/** Lines with continuations and open quotes joined, and without here-documents. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  const physical = text.slice(0, 20_000).replaceAll("\r\n", "\n").split("\n").slice(0, MAX_LINES);
  for (let i = 0; i < physical.length; i++) {
    let line = physical[i] ?? "";
    const end = /<<-?\s*['"\\]?([A-Za-z_]\w*)/.exec(line)?.[1];
    if (end !== undefined) {
      const stop = physical.findIndex((other, at) => at > i && other.trim() === end);
      i = stop < 0 ? physical.length : stop;
      continue;
    }
    const lastIndex = Math.min(i + 15, physical.length - 1);
    let joined = i;
    while (joined < lastIndex && (/\\\s*$/.test(line) || isOpen(line))) line = `${line}\n${physical[++joined] ?? ""}`;
    // A quote that never closes may be an apostrophe: only its own line is lost.
    if (!isOpen(line)) i = joined;
    lines.push(line);
  }
  return lines;
}

const isOpen = (line: string): boolean => line.length < 4000 && splitShell(line) === null;

/** Replaces `$NAME` and `${NAME}` if the value is known and consists of plain words. */
function fillVariables(line: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0 || !line.includes("$")) return line;
  return line.replace(
    /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (whole, braced: string | undefined, bare: string | undefined) => values.get(braced ?? bare ?? "") ?? whole,
  );
}

/** True for a value that means the same with and without quotes. */
export const isPlain = (value: string): boolean => value.length < 500 && /^[\w@%+=:,./ -]*$/.test(value);

/** The folder after `cd`; null if it cannot be known or is outside the tree. */
export function enter(cwd: string | null, target: string): string | null {
  const workspace =
    /^(?:\$\{\{\s*github\.workspace\s*\}\}|\$\{?(?:GITHUB_WORKSPACE|CI_PROJECT_DIR|TRAVIS_BUILD_DIR)\}?)/;
  const fromTop = workspace.test(target) || /^\$\(Build\.SourcesDirectory\)/.test(target);
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
