/** Writes the entry of verify.json that makes a stage of a check of CI, if it can be pasted as it is. */

import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {toolOf} from "../../tools/command-name.ts";
import {hasPassingOption} from "../../tools/integrity-names.ts";
import {nameSet} from "../../tools/names.ts";
import type {CiCall} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {IN_BACKGROUND} from "../scripts/shell-lines.ts";

/** Words that begin or end a part of a longer text. */
const KEYWORD = nameSet("if then else elif fi for while until do done case esac function select { } ( ) ! [ [[");
/** A value that only CI or an earlier line knows. What is in single quotes is for the program itself. */
const VALUE = /\$|`|…/;
/** Another system, another shell, or a folder that a fresh checkout lacks. */
const ELSEWHERE = /^CI runs (?:it|this text) (?:on|in) |\bfolder\b/;

/** The entry of `extraStages`; empty for a command that the owner should not be offered. `names` are those in use. */
export function readyMadeStage(call: CiCall, names: Set<string>): string {
  if (!canBePasted(call)) return "";
  const name = freeName(nameFor(call), names);
  const folder = call.cwd === "." ? {} : {cwd: call.cwd};
  return `"extraStages": [${JSON.stringify({name, command: call.text, ...folder})}]`;
}

/** True for a whole command that is known to check, that can fail, and that writes nothing. */
function canBePasted({text, runs, isCheck, why}: CiCall): boolean {
  // No command starts an action. What CI leaves running never ends.
  const isKnown = isCheck || screen(text).kind === "browser";
  if (!isKnown || text.startsWith("uses: ") || why === IN_BACKGROUND || ELSEWHERE.test(why ?? "")) return false;
  if (VALUE.test(text.replace(/'[^']*'/g, "")) || hasPassingOption(text)) return false;
  return [text, ...runs].every((line) => canFail(line) && mayRun(line));
}

/** True for whole commands that write no file, if each of them can fail the line. */
function canFail(line: string): boolean {
  const commands = splitShell(line) ?? [];
  return (
    commands.length > 0 &&
    commands.every(
      ({words, joint, writes}) =>
        words.length > 0 &&
        !KEYWORD.has(words[0] ?? "") &&
        // After a pipe or `||`, another command decides.
        ["start", "&&"].includes(joint) &&
        writes.every((path) => path.startsWith("/dev/")),
    )
  );
}

/** What an owner may have at hand, a browser or the service that a name suggests, does no harm. */
function mayRun(line: string): boolean {
  const screening = screen(line);
  return (
    ["ok", "placeholder", "browser"].includes(screening.kind) || (screening.kind === "service" && "byName" in screening)
  );
}

/** A name by what CI starts: the target of make, not the compiler that its recipe starts. */
const nameFor = ({text}: CiCall): string =>
  baseName(toolOf(splitShell(text)?.[0]?.words ?? []).replace(/^(script|make|just|task|composer|rake|mix|npm) /, ""))
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase()
    .slice(0, 40) || "ci";

/** Adds the result to `names`, which contains the names in use. */
function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let n = 2; names.has(free); n++) free = `${name}-${n}`;
  names.add(free);
  return free;
}
