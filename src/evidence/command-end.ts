/** Where words can be put at the end of a command line: its last command, or the script that this one starts. */
import {type SimpleCommand, splitShell} from "../plan/shell.ts";

/** The scripts of a package.json by their names. */
export type Scripts = Readonly<Record<string, string>>;

/** The command that a line ends with, where all before it must have passed for it to run; null where that cannot be told. */
export function lastCommand(line: string): SimpleCommand | null {
  const commands = splitShell(line);
  const last = commands?.at(-1);
  if (commands === null || last === undefined || last.writes.length > 0 || last.dynamic) return null;
  // A command in front must have passed for the last one to run, and is needed for it.
  if (commands.some(({joint}) => joint !== "start" && joint !== "&&")) return null;
  return /^(?:!|xargs|do|then|else|elif|if|while|until|\{)$/.test(last.words[0] ?? "") ? null : last;
}

const MANAGER = /^(npm|pnpm|yarn|bun(?= run )|node --run) (?:run |run-script )?(?:-s |--silent )?([\w:.-]+)(?: |$)/;

export interface StartedScript {
  readonly name: string;
  readonly body: string;
  /** the words behind the script's name, and what must stand between them and more for it */
  readonly handedOn: readonly string[];
  readonly separator: "" | " --";
}

/** The script that these words start through a package manager; null where it is none, or takes no words. */
export function startedScript(words: readonly string[], scripts: Scripts): StartedScript | null {
  const [all = "", manager = "", named = ""] = MANAGER.exec(words.join(" ")) ?? [];
  const name = /^ts?t$/.test(named) ? "test" : named;
  const body = scripts[name];
  const handedOn = words.slice(all.trim().split(" ").length);
  const separates = manager === "npm" || manager === "node --run";
  if (body === undefined || (separates && handedOn.length > 0 && handedOn[0] !== "--")) return null;
  return {name, body, handedOn, separator: separates && handedOn.length === 0 ? " --" : ""};
}
