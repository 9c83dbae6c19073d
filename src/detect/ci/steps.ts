/** The steps of a GitHub job or composite action: their scripts, and those of the local actions they use. */
import {plainPath} from "../../git/paths.ts";
import {nameSet, namesIn} from "../../tools/names.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {enter} from "../scripts/shell-values.ts";
import {fillIn, type Lookup, mayHold, surelyHolds} from "./expression.ts";
import type {CiScript} from "./jobs.ts";
import {type CiLocation, keyIn} from "./jobs.ts";
import {commandOfAction} from "./known-actions.ts";
import {usesSecret} from "./plain-job.ts";
import {preparedFor, servedBy} from "./prepared-tests.ts";
import {interpreterOf} from "./step-shell.ts";
import {filledEnv, namedIn, type RowValues, textValues, withToxEnvironment} from "./step-variables.ts";
import {
  recordProgram,
  recordWrites,
  setVariablesIn,
  type WrittenValues,
  withoutWritten,
  withWritten,
} from "./written-values.ts";

export interface StepLocation extends CiLocation, RowValues {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** the lookup of conditions, without what steps and jobs have written */
  readonly conditions: Lookup;
  /** why none of its commands becomes a stage */
  readonly blocked: string | null;
  readonly isOnMac: boolean;
  /** the shell of steps that do not name one; empty for the default */
  readonly shell: string;
  /** the folder into which the job checks the tree out */
  readonly checkout: string;
  /** the repository that the job checks out into its main folder in place of this one; null for the usual case */
  readonly otherRepository: string | null;
  /** true for a step whose result a later step of the job reads */
  readonly isDecisive?: (step: unknown) => boolean;
  /** what earlier steps have set */
  readonly written: WrittenValues;
}

/** Matches a `uses` with an action or workflow of the same repository. */
export const OWN_FILE = /^[.$]\//;
const MAX_DEPTH = 4;
/** A check that only needs a secret for its report can run without it. */
const REPORT_SECRET = /codecov|coveralls|codeclimate|github|cc_test|turbo|nx_cloud|sonar|buildpulse|cachix/i;

/** Actions that fetch, install, log in, store files or report, and check nothing, by the last part of their names. */
const HELPER_NAMES = nameSet(
  "checkout cache github-script save restore rust-cache codecov-action free-disk-space harden-runner ssh-agent",
);
const HELPER_PARTS = namesIn(
  "setup install login metadata toolchain upload download artifact buildx qemu comment notify slack coveralls",
  "report sccache set-shas msvc label paths-filter changed-files buildpkg processcoverage",
);

/** Owners and names of actions that only send results, or keep files for later jobs. */
const REPORTERS =
  /^(coverallsapp|codecov|codacy|codeclimate|qltysh|re-actors)\/|[-_/]cache(-action)?$|^[\w.-]+\/cache-/i;

/** True for an action that checks nothing. An action in a subfolder of a repository has its own name. */
export function isHelper(uses: string): boolean {
  const path = uses.split("@")[0] ?? "";
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  return HELPER_NAMES.has(name) || HELPER_PARTS.some((part) => name.includes(part)) || REPORTERS.test(path);
}

/** Commands that need Apple's tools. */
const NEEDS_MAC =
  /\b((ios|macos|tvos|watchos)(Simulator|Arm|X64|Test)\w*|swift|xcode\w*|xcrun|brew|pod|fastlane|tuist|carthage|codesign|simctl|osascript|sw_vers)\b/;

/** True for a text that names Apple's tools, or starts a script of the tree that does. */
function needsMac(project: Project, text: string, cwd: string): boolean {
  const scripts = Array.from(text.matchAll(/^\s*(?:(?:ba)?sh )?(?:\.\/)?([\w./-]+\/[\w.-]+)/gm), ([, path = ""]) =>
    project.text(inside(cwd, path)),
  );
  return [text, ...scripts].some((one) => one !== null && NEEDS_MAC.test(one));
}

/** Why a command whose folder cannot be computed is no stage. */
export const ONLY_CI_KNOWS_FOLDER = "it runs in a folder that only CI knows";

/** The scripts in these steps that CI runs for an ordinary push or pull request. */
export function scriptsOfSteps(steps: unknown, outer: StepLocation): CiScript[] {
  const stepList = listOf(steps);
  const failing = stepList.filter((step) => /\bexit [1-9]/.test(textAt(step, "run") ?? ""));
  const conditionsOfFailing = failing.map((step) => textAt(step, "if") ?? "").join("\n");
  const here = {
    ...outer,
    lookup: withWritten(outer.lookup, outer.written),
    conditions: withoutWritten(outer.conditions, outer.written),
    // A later step fails the job by what this one has found.
    isDecisive: (step: unknown) => conditionsOfFailing.includes(`steps.${textAt(step, "id") ?? "*"}.`),
  };
  // The workflow of an action's repository runs the action itself, and then checks its effects.
  const actionStep = stepList.findIndex((step) => [".", "./"].includes(textAt(step, "uses") ?? ""));
  const blocked = here.blocked ?? "it checks the result of this repository's own action, which an earlier step runs";
  let added: string | null = null;
  let served: string | null = null;
  let prepared: string | null = null;
  let downloaded: string | undefined;
  let isOfArtifact = false;
  return stepList.flatMap((step, i) => {
    if (here.budget.steps-- <= 0) return [];
    const why =
      here.blocked ??
      (added === null ? null : `CI installs \`${added}\` before it, which no manifest declares`) ??
      served;
    const before = prepared;
    const scripts = scriptsOfStep(
      step,
      actionStep >= 0 && i > actionStep ? {...here, blocked} : {...here, blocked: why},
    );
    for (const {text, cwd, blocked: reason} of scripts) {
      if (reason === UNDECIDED) continue;
      added ??= addedPackage(here.project, text, cwd);
      served ??= servedBy(text);
      prepared ??= preparedFor(text);
    }
    const uses = textAt(step, "uses") ?? "";
    served ??= servedBy(uses);
    prepared ??= preparedFor(uses);
    if (uses.startsWith("actions/download-artifact@")) downloaded = textAt(step, "with", "path") ?? ".";
    isOfArtifact ||= downloaded !== undefined && scripts.some(({text}) => INSTALLS_ARCHIVE.test(text));
    return scripts.map((script) => ({
      ...script,
      isOfArtifact,
      ...(downloaded !== undefined && {downloaded}),
      ...(before !== null && {prepared: before}),
    }));
  });
}

/** Installs an archive that another job has built. */
const INSTALLS_ARCHIVE = /\b(?:add|install|i) (?:\S+ )*\S*\.(?:tgz|tar\.gz|whl|nupkg|gem|deb|jar)\b/;

/** A package that `npm i -D NAME` and the like add to the dependencies, if no package.json there names it. */
function addedPackage(project: Project, text: string, cwd: string): string | null {
  const [, into, name = ""] =
    /(?:^|\n|cd (\S+) && ?)\s*(?:npm (?:i|install|add)|pnpm (?:i|install|add)|yarn add|bun add)(?: -(?:D|E|-save-dev|-dev|-no-save))* ((?:@[\w.-]+\/)?[a-z][\w.-]*)(?=[@\s]|$)/.exec(
      text,
    ) ?? [];
  const ofComposer = /\bcomposer require (?:-\S+ )*([\w.-]+\/[\w.-]+)/.exec(text)?.[1];
  if (ofComposer !== undefined)
    return project.text(inside(cwd, "composer.json"))?.includes(`"${ofComposer}"`) === true ? null : ofComposer;
  const manifests = [".", cwd, enter(cwd, into ?? ".") ?? cwd].map((folder) =>
    project.text(inside(folder, "package.json")),
  );
  const isDeclared = manifests.some((manifest) => manifest?.includes(`"${name}"`) === true);
  return name === "" || isDeclared ? null : name;
}

function scriptsOfStep(step: unknown, outer: StepLocation): CiScript[] {
  const {project, file, above, lookup} = outer;
  const name = textAt(step, "name");
  const key = keyIn(project, file, name ?? "", outer.key);
  if (!mayHold(valueAt(step, "if"), outer.conditions)) return listUndecided(step, outer);
  // Parallel steps are a nested list; the nesting depth of the file limits lists within it.
  const parallelSteps = valueAt(step, "parallel");
  if (Array.isArray(parallelSteps))
    return above.length > MAX_DEPTH ? [] : scriptsOfSteps(parallelSteps, {...outer, above: [...above, "parallel"]});
  const inContainer = (textAt(step, "uses") ?? "").startsWith("devcontainers/ci@")
    ? textAt(step, "with", "runCmd")
    : null;
  const text = textAt(step, "run") ?? inContainer ?? actionCommand(step, outer);
  const whyContainer = inContainer === null ? null : "CI runs it in a development container";
  const stepPlace = {
    ...outer,
    key,
    blocked: outer.blocked ?? whyContainer ?? whyBlocked(step, text ?? "", outer.isDecisive),
  };
  if (text === null) return scriptsOfAction(step, stepPlace);
  const interpreter = interpreterOf(textAt(step, "shell") ?? outer.shell, text);
  if (interpreter !== null) {
    recordProgram(outer.written, text);
    const why = stepPlace.blocked ?? `CI runs this text in \`${interpreter}\``;
    return [opaqueScript({here: stepPlace, command: text, why})];
  }
  const filled = fillIn(text, (path) => lookup(path) ?? emptyVariable(project.text(file) ?? "", path));
  const folder = textAt(step, "working-directory") ?? folderInput((name) => textAt(step, "with", name));
  // A step's working folder is relative to the checkout, not to the default of its job.
  const cwd = enter(".", folder === null ? stepPlace.cwd : fillIn(folder, lookup));
  if (cwd === null) return [opaqueScript({here: stepPlace, command: filled, why: ONLY_CI_KNOWS_FOLDER})];
  const stepEnv = valueAt(step, "env");
  const ownEnv = {...filledEnv(stepEnv, outer), ...namedIn(filled, stepEnv, outer)};
  const env = {...stepPlace.env, ...knownEntries(outer.written.env), ...ownEnv};
  const setVariables = setVariablesIn(filled, outer.written, ownEnv);
  recordStep(step, outer, {text: filled, cwd, env});
  const isMac = stepPlace.isOnMac && needsMac(project, filled, cwd);
  return [
    {
      file,
      key,
      text: withToxEnvironment(filled, env["TOXENV"] ?? env["TOX_ENV"]),
      cwd,
      env,
      setVariables,
      blocked: stepPlace.blocked ?? whyElsewhere(cwd, outer) ?? (isMac ? "CI runs it on macOS only" : null),
      checkout: outer.checkout,
      isRequired: true,
      source: text,
      ...(usesSecret(step) && {usesSecret: true}),
    },
  ];
}

const knownEntries = (written: ReadonlyMap<string, string | null>): Record<string, string> =>
  Object.fromEntries([...written].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** The scripts of an action of the repository; any other one only GitHub runs. */
function scriptsOfAction(step: unknown, here: StepLocation): CiScript[] {
  const uses = textAt(step, "uses") ?? "";
  if (OWN_FILE.test(uses)) return localAction(step, plainPath(uses.replace(OWN_FILE, "")), here);
  recordProgram(here.written, textAt(step, "with", "script") ?? "");
  if (uses === "" || isHelper(uses)) return [];
  return [opaqueScript({here, command: `uses: ${uses}`, why: here.blocked ?? "only GitHub runs actions"})];
}

function recordStep(
  step: unknown,
  {project, written, conditions}: StepLocation,
  script: Pick<CiScript, "text" | "cwd" | "env">,
): void {
  const isCertain = surelyHolds(valueAt(step, "if"), conditions);
  recordWrites(written, {...script, project, id: textAt(step, "id") ?? "", isCertain});
}

const UNDECIDED = "its condition reads a variable that an earlier step may set, so only a run of the workflow knows it";

/** A step whose condition is false only by a variable of the file is listed, because any program may set the variable. */
function listUndecided(step: unknown, outer: StepLocation): CiScript[] {
  const {project, file, lookup, conditions, cwd, checkout} = outer;
  const text = textAt(step, "run");
  const isByVariable = mayHold(valueAt(step, "if"), (path) => (path[0] === "env" ? undefined : conditions(path)));
  if (text === null || !isByVariable) return [];
  const key = keyIn(project, file, textAt(step, "name") ?? "", outer.key);
  const blocked = outer.blocked ?? UNDECIDED;
  return [{file, key, text: fillIn(text, lookup), cwd, env: {}, blocked, checkout, isRequired: true}];
}

const FOLDER_INPUTS = ["working-directory", "working_directory", "workdir", "dir", "cwd"];

/** The folder that an action or workflow of another repository gets for its commands; null if it gets none. */
export function folderInput(inputOf: (name: string) => unknown): string | null {
  return FOLDER_INPUTS.map(inputOf).find((value) => typeof value === "string") ?? null;
}

/** An unset variable is empty, unless a step sets it for some combinations of the matrix. */
function emptyVariable(workflow: string, [context, name = ""]: readonly string[]): string | undefined {
  return context === "env" && new RegExp(`^\\s+${name}:[ \\t]*$`, "m").test(workflow) ? "" : undefined;
}

/** The folder into which these steps check out the tree itself; `.` for the usual one. */
export function checkoutFolder(steps: unknown): string {
  const own = listOf(steps).find(
    (step) =>
      (textAt(step, "uses") ?? "").startsWith("actions/checkout@") && textAt(step, "with", "repository") === null,
  );
  return enter(".", textAt(own, "with", "path") ?? ".") ?? ".";
}

function whyElsewhere(cwd: string, {otherRepository, checkout}: StepLocation): string | null {
  if (otherRepository === null || cwd === checkout || cwd.startsWith(`${checkout}/`)) return null;
  return `CI runs it in the files of \`${otherRepository}\`, which it checks out there`;
}

/**
 * The other repository whose files the steps have in their main folder, with this one below it: aio-libs/yarl tests
 * aiohttp with itself in `vendor/yarl`.
 */
export function otherRepository(steps: unknown): string | null {
  if (checkoutFolder(steps) === ".") return null;
  const other = listOf(steps).find(
    (step) =>
      (textAt(step, "uses") ?? "").startsWith("actions/checkout@") &&
      enter(".", textAt(step, "with", "path") ?? ".") === "." &&
      textAt(step, "with", "repository") !== null,
  );
  return textAt(other, "with", "repository");
}

/** A step without shell text: an action, or a script in another language. */
export function opaqueScript(options: {
  here: Pick<CiLocation, "file" | "key">;
  command: string;
  why: string;
}): CiScript {
  const {here, command, why} = options;
  const {file, key} = here;
  return {file, key, text: command, cwd: ".", env: {}, blocked: why, isRequired: true, isOpaque: true};
}

/**
 * The need of a step that Assay does not provide, or the reason why the step decides nothing; null if there is neither.
 */
function whyBlocked(step: unknown, text: string, isDecisive: StepLocation["isDecisive"]): string | null {
  if (valueAt(step, "continue-on-error") === true && isDecisive?.(step) !== true) return "CI continues when it fails";
  const values = Object.entries(textValues(valueAt(step, "env")));
  const secret = [["", text] as const, ...values].find(
    ([name, value]) => value.includes("secrets.") && !REPORT_SECRET.test(name + value),
  );
  if (secret === undefined) return null;
  const [, name = ""] = /secrets\.(\w+)/.exec(secret[1]) ?? [];
  return `CI gives it the secret \`${name}\``;
}

function actionCommand(step: unknown, here: StepLocation): string | null {
  const uses = textAt(step, "uses");
  const inputs = Object.fromEntries(
    [...mapOf(valueAt(step, "with"))].map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );
  const command = uses === null ? null : commandOfAction(uses, inputs);
  return command === null ? null : fillIn(command, here.lookup);
}

function localAction(step: unknown, folder: string, here: StepLocation): CiScript[] {
  const {project, above} = here;
  const file = findFirst(project, folder, ["action.yml", "action.yaml"]);
  if (file === null) return [];
  if (above.includes(file) || above.length > MAX_DEPTH) {
    here.notes.push({about: file, text: "left out: actions that use each other in a circle, or too deep"});
    return [];
  }
  const action = project.yaml(file);
  // The values of the inputs in an action, for a lookup of the step that starts it.
  const inAction = (outer: Lookup): Lookup => {
    const inputs = new Map<string, unknown>();
    for (const [name, input] of mapOf(valueAt(action, "inputs"))) inputs.set(name, valueAt(input, "default") ?? "");
    for (const [name, value] of mapOf(valueAt(step, "with")))
      inputs.set(name, typeof value === "string" ? fillIn(value, outer) : value);
    return (path) => {
      if (path[0] !== "inputs") return outer(path);
      const value = inputs.get(path[1] ?? "");
      return typeof value === "string" && value.includes("${{") ? undefined : (value ?? "");
    };
  };
  const written = {...here.written, outputs: new Map()};
  const [lookup, conditions] = [inAction(here.lookup), inAction(here.conditions)];
  const env = {...here.env, ...filledEnv(valueAt(step, "env"), here)};
  const place = {...here, file, key: "steps", cwd: ".", env, lookup, conditions, written, above: [...above, file]};
  return scriptsOfSteps(valueAt(action, "runs", "steps"), place);
}
