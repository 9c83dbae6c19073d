/** Adds CI steps that create files for later checks to the setup: generated code, and builds of a workspace. */

import {plainPath} from "../../git/paths.ts";
import type {SetupStep} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {assignments} from "../../shell/quote.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS, programsWith} from "../../tools/all-commands.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {isCommandIn} from "../../tools/names.ts";
import {BROWSER_DOWNLOAD} from "../../tools/playwright.ts";
import type {GeneratorDirectives} from "../../tools/tool-command.ts";
import {textAt, textEntries, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {filesBelow, foldersBelow, originOf} from "../proposals/candidate-stages.ts";
import type {InstallRow} from "../proposals/ecosystem.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {safeVariant, screen} from "../proposals/screen.ts";
import {type CiCommand, wholeLine} from "../scripts/shell-lines.ts";
import {enter, isPlain} from "../scripts/shell-values.ts";
import {bodyOf} from "./bodies.ts";
import {INPUTS} from "./job-installs.ts";

/** A command of CI at its place in a job. */
export interface OrderedCommand {
  readonly command: CiCommand;
  readonly kind: StageKind | null;
  readonly script: {
    readonly file: string;
    readonly key: string;
    readonly text?: string;
    readonly job?: string;
    readonly blocked?: string | null;
    readonly isRequired?: boolean;
    readonly isOfOlderVersion?: true;
  };
  readonly isDependent: boolean;
}

const GENERATORS = COMMANDS.flatMap(({generates = []}) => generates);
/** Names of scripts and targets that make code for the others. */
const GENERATES = /(^|[:._-])(codegen|generate|gen|generated|protoc?|grammar)([:._-]|$)|^dev[:-]prepare$/;
/** Commands after which CI checks the output of a generator instead of using it. */
const COMPARES_OUTPUT = /^git (diff|status|add)\b|\b(check|verify|dry-run)\b/;
const HARMLESS = new Set(["ok", "mutates", "placeholder"]);
/** Task runners that build what a task needs before it. */
const ORDER_TASKS = programsWith("orders tasks");
const STARTS_SCRIPTS = programsWith("starts package scripts");
const MAX_FILES = 1000;
const MAX_PACKAGES = 300;

/** The setup steps for commands that later commands of the same job need, each once, in CI's order. */
export function setUpSteps(project: Project, ordered: readonly OrderedCommand[]): InstallRow[] {
  const steps = new Map<string, InstallRow>();
  let isBuilt: boolean | undefined;
  const needsBuild = (): boolean => (isBuilt ??= hasBuiltPackages(project));
  for (const [i, entry] of ordered.entries()) {
    const {command, script, isDependent} = entry;
    const {blocked = null} = script;
    if (isDependent || command.trouble !== null || !command.raws.every(isPlain) || wholeLine(command, "") !== "")
      continue;
    if (blocked !== null && !/^CI (starts|installs|pulls|puts|downloads) /.test(blocked)) continue;
    const environment = blocked === null ? makeEnvironment(entry) : null;
    if (environment !== null) steps.set(`${environment.cwd}\0${environment.command}`, environment);
    const later = ordered.slice(i + 1).filter((other) => script.job !== undefined && other.script.job === script.job);
    const step =
      knownGenerator(project, entry) ?? downloadBefore(entry, later) ?? laterNeed(project, entry, {later, needsBuild});
    if (step !== null) steps.set(`${command.cwd}\0${step.command}`, step);
  }
  return [...steps.values()];
}

/** True for a step that makes the environment of a session, or downloads a browser: other checks do not need it. */
export const servesSomeChecks = ({provides}: Pick<SetupStep, "provides">): boolean =>
  provides.some((path) => path === BROWSER_DOWNLOAD.into || /(?:^|\/)\.(?:tox|nox|hatch)$/.test(path));

/** CI's own download of browsers before other commands of its job (fastify/secure-json-parse, sveltejs/kit). */
function downloadBefore(
  {command: {words, text, cwd}, script}: OrderedCommand,
  later: readonly OrderedCommand[],
): InstallRow | null {
  const call = unwrap(words).join(" ");
  const isUsed = later.some(({kind, command}) => kind === "test" || (kind === null && isScript(command)));
  if (!isCommandIn(BROWSER_DOWNLOAD.commands, call) || !isUsed) return null;
  const {into, asRoot} = BROWSER_DOWNLOAD;
  const command = text.split(` ${asRoot}`).join("");
  const ofSystem = `; \`${asRoot}\` needs administrator rights: install those libraries in a step before Assay`;
  const why = `CI downloads with it what its tests use${command === text ? "" : ofSystem}`;
  const origin = originOf(script.file, why, script.key);
  return {command, cwd, inputs: INPUTS.node_modules, provides: [`/${into}`], tools: [], origin};
}

const isScript = ({words}: CiCommand): boolean => toolOf(words).startsWith("script ");

/** The folder in which hatch keeps its environments: below the project, where a check finds them in any checkout. */
export const HATCH_DATA = {HATCH_DATA_DIR: ".hatch"};

/**
 * The start of a session that makes its environments, and runs nothing in them: a check has no network. The options are
 * those of the manuals of tox and nox; hatch makes the environment for any command (pytest-dev/iniconfig).
 */
function makeEnvironment({command, kind, script}: OrderedCommand): InstallRow | null {
  const {cwd} = command;
  // As the check starts it, which is `tox -e py` for each interpreter of `uvx --python 3.14t` (python-humanize/humanize).
  const raws = splitShell(safeVariant(command.raws.join(" ")))?.[0]?.raws ?? command.raws;
  // Of python-attrs/attrs, `uv run --only-group tox tox run`, the second one is the program.
  const at = raws.findIndex((word, i) => ["tox", "nox", "hatch"].includes(word) && raws[i + 1] !== word);
  const [program, verb = ""] = raws.slice(Math.max(at, 0));
  const place = raws.findIndex((word, i) => i > at + 1 && !/^[-+]/.test(word));
  const environment = /^[\w.-]+:/.exec(raws[place] ?? "")?.[0] ?? "";
  // A linter is optional: an environment that cannot be made must not stop the others.
  if (kind === null || kind === "lint" || at < 0) return null;
  const line =
    program === "tox"
      ? raws.toSpliced(at + (["r", "run", "p", "run-parallel"].includes(verb) ? 2 : 1), 0, "--notest")
      : program === "nox"
        ? raws.toSpliced(at + 1, 0, "--install-only")
        : verb === "run" && place > 0
          ? [...assignments(HATCH_DATA), ...raws.slice(0, place), `${environment}python`, "--version"]
          : null;
  if (line === null) return null;
  const origin = originOf(script.file, "CI runs its checks in the environments that it makes", script.key);
  const start = `PATH=".venv/bin:$PATH" ${line.join(" ")}`;
  return {command: start, cwd, inputs: ["/**"], provides: [`.${program}`], tools: [], origin};
}

const bodyIn = (project: Project, {cwd, words}: CiCommand): string[] =>
  bodyOf({project, cwd, words}) ?? [words.join(" ")];

/** A command that only generates code, itself or by a script. */
function knownGenerator(project: Project, {command, script}: OrderedCommand): InstallRow | null {
  const lines = bodyIn(project, command);
  const [line = ""] = lines;
  const call = unwrap(line.split(" ")).join(" ");
  const generator = lines.length === 1 ? GENERATORS.find(({calls}) => calls.test(call)) : undefined;
  return generator === undefined || generator.directives !== undefined
    ? null
    : rowOf({command, script}, generator.inputs);
}

function rowOf({command, script}: Pick<OrderedCommand, "command" | "script">, inputs: readonly string[]): InstallRow {
  const why = "CI runs it before its checks, which need its output";
  const {raws, cwd} = command;
  return {command: raws.join(" "), cwd, inputs, tools: [], origin: originOf(script.file, why, script.key)};
}

/** A generator or a build whose output the tests after it need; null for others. Any change may change its output. */
function laterNeed(
  project: Project,
  entry: OrderedCommand,
  {later, needsBuild}: {later: readonly OrderedCommand[]; needsBuild: () => boolean},
): InstallRow | null {
  const {command, kind, script} = entry;
  if (script.job === undefined || script.isRequired === false || isSampleFolder(command.cwd)) return null;
  if (script.isOfOlderVersion) return null;
  if (copyOf(project, command) === "new") return later.some((other) => other.kind !== null) ? rowOf(entry, []) : null;
  const isNeeded = later.some(
    (other) =>
      (other.kind === "test" || other.kind === "typecheck") &&
      !bodyIn(project, other.command).every((line) => ORDER_TASKS.has(unwrap(line.split(" "))[0] ?? "")),
  );
  if (!isNeeded) return null;
  if (isGenerator(project, command)) {
    const isCompared = later.some((other) => COMPARES_OUTPUT.test(other.command.words.join(" ")));
    return isCompared ? null : rowOf(entry, []);
  }
  const [program = ""] = unwrap(command.words);
  const isBuild = kind === "build" && (toolOf(command.words).startsWith("script ") || STARTS_SCRIPTS.has(program));
  if (!isBuild || !needsBuild()) return null;
  const lines = [command.words.join(" "), ...bodyIn(project, command)];
  return lines.every((line) => HARMLESS.has(screen(safeVariant(line)).kind)) ? rowOf(entry, []) : null;
}

/**
 * Tells of a copy of one file of the tree whether the tree has its target: `cp .env.example .env` (t3-oss/create-t3-turbo),
 * `cp Cargo.lock.msrv Cargo.lock` (mitsuhiko/minijinja). Null for another command.
 */
export function copyOf(project: Project, {words, cwd}: Pick<CiCommand, "words" | "cwd">): "new" | "replaced" | null {
  const [program, from = "", to = "", more] = words.filter((word) => !/^-\w+$/.test(word));
  const [source, target] = [enter(cwd, from), enter(cwd, to)];
  if (program !== "cp" || more !== undefined || source === null || target === null || !project.has(source)) return null;
  return project.has(target) ? "replaced" : "new";
}

function isGenerator(project: Project, command: CiCommand): boolean {
  const tool = toolOf(command.words);
  const call = unwrap(command.words).join(" ");
  const directives = GENERATORS.find(({calls}) => calls.test(call))?.directives;
  if (directives !== undefined) return hasOnlySafe(project, command.cwd, directives);
  const name = /^(?:script|make|just|task|composer) (\S+)$/.exec(tool)?.[1];
  if (name === undefined || !GENERATES.test(name) || /docs?|readme|changelog|check|verify/.test(name)) return false;
  const lines = bodyOf({project, cwd: command.cwd, words: command.words}) ?? [];
  return lines.length > 0 && lines.every((line) => HARMLESS.has(screen(line).kind));
}

/** True if the files start only safe programs. Other programs may not be installed. */
function hasOnlySafe(project: Project, cwd: string, {files, line, safe}: GeneratorDirectives): boolean {
  const texts = filesBelow(project, cwd, files)
    .slice(0, MAX_FILES)
    .map((path) => project.text(path) ?? "");
  const calls = texts.flatMap((text) => Array.from(text.matchAll(line), ([, call = ""]) => call));
  return calls.length > 0 && calls.every((call) => safe.test(call));
}

/** True for a workspace with a package that others import, and whose entry file only exists after a build. */
function hasBuiltPackages(project: Project): boolean {
  const folders = foldersBelow(project, ".", ["package.json"]).slice(0, MAX_PACKAGES);
  const manifests = folders.map((folder) => ({folder, manifest: project.json(inside(folder, "package.json"))}));
  const imported = new Set(
    manifests.flatMap(({manifest}) =>
      ["dependencies", "devDependencies", "peerDependencies"].flatMap((key) => [
        ...textEntries(valueAt(manifest, key)).keys(),
      ]),
    ),
  );
  return manifests.some(({folder, manifest}) => {
    const entry = textAt(manifest, "main") ?? textAt(manifest, "module") ?? textAt(manifest, "types");
    if (entry === null || !imported.has(textAt(manifest, "name") ?? "")) return false;
    const path = inside(folder, plainPath(entry));
    return !project.has(path) && !project.has(`${path}.js`) && project.below(path).length === 0;
  });
}
