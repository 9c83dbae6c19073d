/** Decides what the earlier lines of a script of CI change for a command of it: variables, and lines in front of it. */
import {plainPath} from "../../git/paths.ts";
import {inside, type Project} from "../files/project.ts";
import type {CiCommand, ShellChange} from "../scripts/shell-lines.ts";
import {isPlain} from "../scripts/shell-values.ts";
import {variablesOf} from "./check-variables.ts";

/** What a command needs of the shell of its script; `trouble` if only that script can give it. */
interface CommandShell {
  readonly before: string;
  readonly exported: Readonly<Record<string, string>>;
  readonly trouble: string | null;
}

/** Options of `set` that change no word of a line; Assay sets `-e` and `pipefail` itself. */
const WITHOUT_EFFECT = /^[-+][euxvhETmbo]+$|^(?:errexit|errtrace|functrace|nounset|pipefail|verbose|xtrace)$/;
/** A folder of CI's machine. */
const OF_MACHINE = /^(?:[/~]|\$\{?HOME\b)/;

/** The shell of a command, after the lines of its script before it. */
export function shellOfCommand(project: Project, command: CiCommand): CommandShell {
  const exported: Record<string, string> = {};
  let before = "";
  let trouble: string | null = null;
  const changes = command.changes ?? [];
  const readsFile = changes.some((change) => readsOwnFile(project, change));
  for (const change of changes) {
    const [builtin = ""] = change.words;
    const isFile = readsOwnFile(project, change);
    if (builtin === "unset") for (const name of change.words) delete exported[name];
    else if (["export", "declare", "typeset"].includes(builtin)) {
      for (const [name, value] of exportsOf(change))
        if (!change.isKnown) trouble ??= `the script of CI computes \`${name}\` before it`;
        else if (value === undefined) continue;
        // A file may set it, too: the last line counts.
        else if (isPlain(value) && !readsFile) exported[name] = value;
        else if (!before.includes(change.text)) before += `${change.text} && `;
    } else if (isFile || changesWords(command, change, readsFile)) {
      const isElsewhere = !change.isKnown || (isFile && change.cwd !== command.cwd);
      if (isElsewhere) trouble ??= `the script of CI changes its shell before it: \`${change.text.slice(0, 100)}\``;
      // In a list with `&&`, the commands of a file that is read may fail.
      before += `${change.text}${isFile ? ";" : " &&"} `;
    }
  }
  return {before, exported, trouble};
}

/** The variables of an export that may change the result of a check, with their values. */
function exportsOf({words: [builtin, ...words]}: ShellChange): [string, string | undefined][] {
  if (builtin !== "export" && !words.some((word) => /^-\w*x/.test(word))) return [];
  return words.flatMap((word): [string, string | undefined][] => {
    const [, name, value] = /^(\w+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined || OF_MACHINE.test(value ?? "")) return [];
    const sample = value !== undefined && isPlain(value) ? value : "1";
    return name in variablesOf({env: {[name]: sample}}) ? [[name, value]] : [];
  });
}

/** True for the start of a file of the tree in the shell itself. Another file is of CI's machine. */
const readsOwnFile = (project: Project, {words: [builtin = "", file = ""], cwd}: ShellChange): boolean =>
  ["source", "."].includes(builtin) && project.has(inside(cwd, plainPath(file)));

/** True for a change of how the shell runs this command, and the files that it reads. */
function changesWords({raws}: CiCommand, {words: [builtin, ...words]}: ShellChange, readsFile: boolean): boolean {
  if (builtin === "umask") return true;
  if (builtin === "set" && words.every((word) => WITHOUT_EFFECT.test(word))) return false;
  const hasPattern = raws.some((raw) => /[*?[]/.test(raw.replace(/'[^']*'|"[^"]*"/g, "")));
  return (builtin === "set" || builtin === "shopt") && (hasPattern || readsFile);
}
