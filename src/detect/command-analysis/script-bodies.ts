/** Reads the shell text that a command runs: a script of package.json, a shell file, or a makefile target. */

import {startedScript} from "../../shell/started-script.ts";
import {unwrap} from "../../tools/command-name.ts";
import {textEntries, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {makefileOf, recipeOf} from "../scripts/makefile.ts";
import {scriptPath} from "../scripts/shell-file.ts";
import {enter} from "../scripts/shell-values.ts";

/** The options of a shell: stages run with `bash -e -o pipefail`, scripts of package.json with plain `sh`. */
export interface ShellMode {
  readonly stopsAtFailure: boolean;
  readonly pipefail: boolean;
}
export const STAGE_SHELL: ShellMode = {stopsAtFailure: true, pipefail: true};
const PLAIN_SHELL: ShellMode = {stopsAtFailure: false, pipefail: false};

/** One shell text of a command. The texts of a command run in order until one fails. */
export interface ScriptBody {
  readonly text: string;
  readonly cwd: string;
  readonly mode: ShellMode;
  /** the place of the text, for people */
  readonly place: string;
  /** the caller ignores its exit code, as make does for a line that begins with `-` */
  readonly isIgnored: boolean;
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

export interface CommandContext {
  readonly project: Project;
  /** the folder in which the command runs */
  readonly cwd: string;
}

/**
 * The bodies of the scripts that this command starts; all must pass. Null if it starts no script that Assay can read.
 */
export function readScriptBodies(words: readonly string[], context: CommandContext): ScriptBody[] | null {
  return scriptBodies(words, context) ?? shellBodies(words, context) ?? makeBodies(words, context);
}

/** npm runs the `pre` and `post` scripts before and after the script. */
function scriptBodies(words: readonly string[], {project, cwd}: CommandContext): ScriptBody[] | null {
  const scripts = Object.fromEntries(textEntries(valueAt(project.json(inside(cwd, "package.json")), "scripts")));
  const script = startedScript(words, scripts);
  if (script === null) return null;
  const {name} = script;
  return [`pre${name}`, name, `post${name}`].flatMap((one) => {
    const text = scripts[one];
    const place = `script \`${one}\` of ${inside(cwd, "package.json")}`;
    return text === undefined ? [] : [{text, cwd, mode: PLAIN_SHELL, place, isIgnored: false}];
  });
}

function shellBodies(words: readonly string[], {project, cwd}: CommandContext): ScriptBody[] | null {
  const [program = "", ...rest] = unwrap(words);
  const isShell = SHELLS.has(program);
  const firstArgument = rest.findIndex((word) => !/^-\w+$/.test(word));
  const options = isShell ? rest.slice(0, Math.max(0, firstArgument)) : [];
  const mode = applyShellOptions(options, PLAIN_SHELL);
  if (isShell && options.some((word) => /^-\w*c$/.test(word))) {
    const text = rest[options.length] ?? "";
    return [{text, cwd, mode, place: `\`${program} -c\``, isIgnored: false}];
  }
  const path = scriptPath(project, cwd, words);
  const text = path === null ? null : project.text(path);
  if (path === null || text === null) return null;
  const [, shebang] = /^#!(.*)/.exec(text) ?? [];
  if (shebang !== undefined && !/\b(?:ba|da|z|k)?sh\b/.test(shebang)) return null;
  // The options of the shebang line apply only if the file is started directly.
  const fileMode = isShell ? mode : applyShellOptions((shebang ?? "").split(/\s+/).slice(1), mode);
  return [{text, cwd, mode: fileMode, place: `\`${path}\``, isIgnored: false}];
}

/** The mode after `set` with these words, or of a shell that is started with them. */
export function applyShellOptions(words: readonly string[], mode: ShellMode): ShellMode {
  let {stopsAtFailure, pipefail} = mode;
  for (const [i, word] of words.entries()) {
    if (!/^[-+][a-zA-Z]+$/.test(word)) continue;
    const isOn = word.startsWith("-");
    const longName = word.endsWith("o") ? words[i + 1] : undefined;
    if (word.includes("e") || longName === "errexit") stopsAtFailure = isOn;
    if (longName === "pipefail") pipefail = isOn;
  }
  return {stopsAtFailure, pipefail};
}

/** Options of make without a separate value that do not change which line fails. */
const HARMLESS = /^-[skBjOw]\d*$|^--(?:silent|quiet|keep-going|no-print-directory|always-make|output-sync)\b|^\w+=/;
const IGNORES = new Set(["-i", "--ignore-errors"]);

function makeBodies(words: readonly string[], {project, cwd}: CommandContext): ScriptBody[] | null {
  const [program = "", ...rest] = unwrap(words);
  if (!["make", "gmake", "$(MAKE)", "$(MAKE}", "${MAKE)", "${MAKE}"].includes(program)) return null;
  const targets: string[] = [];
  let folder: string | null = cwd;
  let isIgnored = false;
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? "";
    if (word === "-C") folder = enter(folder, rest[++i] ?? "");
    else if (word === "-j" && /^\d+$/.test(rest[i + 1] ?? "")) i++;
    else if (IGNORES.has(word)) isIgnored = true;
    else if (/^[\w./-]+$/.test(word) && !word.startsWith("-")) targets.push(word);
    else if (!HARMLESS.test(word)) return null;
  }
  const makefile = folder === null ? null : makefileOf(project, folder);
  if (folder === null || makefile === null || targets.length === 0) return null;
  const {path, text} = makefile;
  // A makefile that sets its shell's options may set the strict ones.
  const mode = /^\s*(?:export\s+)?\.?SHELL(?:FLAGS)?\s*[:+?]*=/m.test(text) ? STAGE_SHELL : PLAIN_SHELL;
  const bodies: ScriptBody[] = [];
  for (const target of targets) {
    const recipe = recipeOf(text, target);
    if (recipe === null || !recipe.files.every((file) => project.has(inside(folder ?? ".", file)))) return null;
    const place = `target \`${target}\` of ${path}`;
    for (const line of recipe.lines)
      bodies.push({text: line.text, cwd: folder, mode, place, isIgnored: isIgnored || line.isIgnored});
  }
  return bodies.length === 0 ? null : bodies;
}
