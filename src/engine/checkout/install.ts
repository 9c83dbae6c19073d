/** Installs dependencies: once on the base, and again for a commit that changes an input of the install. */

import {existsSync} from "node:fs";
import {readdir, readFile} from "node:fs/promises";
import {join, posix} from "node:path";
import {matchesWhen} from "../../changes/when.ts";
import {servesSomeChecks} from "../../detect/ci/set-up-steps.ts";
import {SETTINGS_FILES, settingsVariables} from "../../detect/files/settings-variables.ts";
import {entriesAt, isGitlink} from "../../git/private-index.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {SetupStep} from "../../record/plan.ts";
import {type Change, changedPaths} from "../../record/verification.ts";
import {ok, type Result} from "../../record/words.ts";
import {runStage, type StageEnvironment, wholeText} from "../stage/stage.ts";
import {addedSince, foldersOf, listFolders} from "./folders.ts";
import {choosePathsToOverlay} from "./overlaid-installs.ts";
import {failIfRewritten, rewrittenFiles} from "./rewritten-files.ts";
import {type CheckoutFolders, type CheckoutOptions, openStageEnvironment} from "./stage-environment.ts";

/** The result of the setup on the base. */
export interface BaseInstall extends CheckoutFolders {
  /** paths below `root` that the setup created */
  readonly added: readonly string[];
  /** the paths in `added` that checkouts see through an overlay instead of a copy */
  readonly overlaid: readonly string[];
  readonly results: readonly StageResult[];
  /** true if stages may read the machine's build caches */
  readonly readsBuildCaches: boolean;
  /** true if the install contains links to the folder that it is in, so that no other checkout can use it */
  readonly linksToRoot: boolean;
}

/** Runs in each checkout: what it writes depends on any file of the commit. */
export const isOwnScript = ({ownScript}: SetupStep): boolean => ownScript !== undefined;

/** A virtual environment usually links to the code of its folder, so each checkout gets its own. */
const makesEnvironment = ({provides}: SetupStep): boolean => provides.includes(".venv");

/** The install of the base for commits that get their own: nothing is installed. */
export async function withoutInstall(options: CheckoutOptions): Promise<Result<BaseInstall, Failure>> {
  const readsBuildCaches = await mayReadBuildCaches(options);
  const folders = {root: join(options.folder, "base"), home: join(options.folder, "base-home")};
  return ok({...folders, added: [], overlaid: [], results: [], readsBuildCaches, linksToRoot: true});
}

/** Runs the setup on the base, or uses the dependencies that a developer's working folder already has. */
export async function installOnBase(options: CheckoutOptions): Promise<Result<BaseInstall, Failure>> {
  const {repository, base, dependencies} = options;
  const setup = options.setup.filter((step) => !isOwnScript(step));
  const root = join(options.folder, "base");
  const home = join(options.folder, "base-home");
  const checkOut = () => repository.checkOut({commit: base, folder: root, withSubmodules: true});
  const needsFiles = setup.length > 0 && dependencies.kind === "install";
  const [readsBuildCaches, checkedOut] = await Promise.all([
    mayReadBuildCaches(options),
    needsFiles ? checkOut() : ok(null),
    options.home.populate(home),
  ]);
  if (!checkedOut.ok) return checkedOut;
  const describe = async (folder: string, added: readonly string[], results: readonly StageResult[]) => {
    const overlaid = await choosePathsToOverlay(options, {root: folder, added});
    const linksToRoot = await linksBack(folder, added);
    return ok({root: folder, home, added, overlaid, results, readsBuildCaches, linksToRoot});
  };
  if (setup.length === 0) return describe(root, [], []);

  if (dependencies.kind === "folder") {
    const tracked = await trackedFolders(options);
    if (!tracked.ok) return tracked;
    const {folder} = dependencies;
    const existingFolders = await dependencyFolders({before: tracked.value, folder, setup});
    if (existingFolders.length > 0) return describe(folder, existingFolders, []);
    if (setup.some(makesEnvironment)) return withoutInstall(options);
    const checkoutResult = await checkOut();
    if (!checkoutResult.ok) return checkoutResult;
  }
  const foldersBefore = await listFolders(root);
  const results = await runSetup(options, {root, home, commit: base, baseHome: null});
  await options.home.moveDownloads(home);
  return describe(root, await addedSince(root, foldersBefore), results);
}

/**
 * The folders of the base's files, without a checkout if its list of files is sufficient: the list lacks the files of
 * submodules.
 */
async function trackedFolders(options: CheckoutOptions): Promise<Result<Map<string, Set<string>>, Failure>> {
  const {repository, base: commit} = options;
  const entries = await entriesAt({git: repository.git, commit});
  if (!entries.ok) return entries;
  if (!entries.value.some(isGitlink)) return ok(foldersOf(entries.value.map(({path}) => path)));
  const folder = join(options.folder, "base-with-submodules");
  const checkedOut = await repository.checkOut({commit, folder, withSubmodules: true});
  return checkedOut.ok ? ok(await listFolders(folder)) : checkedOut;
}

/** Only Go's build cache is read. A search in all files is slow in a large repository, and another language needs none. */
async function mayReadBuildCaches(options: CheckoutOptions): Promise<boolean> {
  const {repository, base: commit} = options;
  const entries = await entriesAt({git: repository.git, commit});
  const hasGo = entries.ok && entries.value.some(({path}) => path.endsWith(".go"));
  return hasGo && !(await mayTrimPaths(options));
}

/**
 * With `-trimpath`, Go's cache mixes up the files of different folders (see `dependency-cache.ts`). Exit code 1 of `git
 * grep`: no match.
 */
export async function mayTrimPaths({repository, base}: Pick<CheckoutOptions, "repository" | "base">): Promise<boolean> {
  const match = await repository.git(["grep", "--quiet", "--fixed-strings", "-e", "-trimpath", base]);
  return match.ok || match.failure.code !== 1;
}

/** Runs the install steps in order and stops at the first required one that does not pass, because later steps depend on it. */
export async function runSetup(
  options: CheckoutOptions,
  folders: CheckoutFolders & {baseHome: string | null},
): Promise<StageResult[]> {
  const environment = openStageEnvironment(options, {...folders, isSetup: true});
  const results: StageResult[] = [];
  for (const step of options.setup.filter((one) => !isOwnScript(one))) {
    const result = await runStep(step, {options, environment});
    results.push(result);
    if (result.outcome !== "passed" && !result.optional) break;
  }
  return results;
}

/**
 * Runs the repository's own scripts of the install in a checkout of `commit`, as stages run there. Each one runs, as
 * some fail in every fresh checkout without a loss. One that rewrites tracked files fails (P3).
 */
export async function runOwnScripts(
  options: CheckoutOptions,
  {commit, environment}: {commit: string; environment: StageEnvironment},
): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (const step of options.setup.filter(isOwnScript)) {
    results.push(await runStep(step, {options, environment, commit}));
  }
  return results;
}

/** With `commit`, a step that rewrites its tracked files fails. */
async function runStep(
  step: SetupStep,
  {options, environment, commit}: {options: CheckoutOptions; environment: StageEnvironment; commit?: string},
): Promise<StageResult> {
  const {repository, setup, onEvent} = options;
  const {env = {}, path = []} = step.ownScript ?? {};
  const name = setup.length === 1 ? "setup" : `setup ${setup.indexOf(step) + 1}`;
  onEvent({kind: "setup-started", command: step.command});
  const ran = await runStage({...step, name, kind: "check", optional: false, env, path}, environment);
  // The checks that need it say what is missing, and the others run.
  const isSpared = servesSomeChecks(step) && ran.failureKind === "environment";
  const explained = isSpared ? {...ran, optional: true} : await withMissingVariable(ran, environment);
  const {folder} = environment;
  const result =
    commit === undefined ? explained : failIfRewritten(explained, await rewrittenFiles({repository, folder, commit}));
  onEvent({kind: "setup-finished", result});
  return result;
}

/** A failure whose output names a variable that the settings of a package manager read, and that is not set. */
async function withMissingVariable(result: StageResult, environment: StageEnvironment): Promise<StageResult> {
  if (result.outcome !== "failed" || result.output === null) return result;
  const output = wholeText(result.output);
  const variables = environment.variables({pathFirst: [], extra: {}});
  for (const folder of new Set([result.cwd, "."])) {
    for (const file of SETTINGS_FILES) {
      const text = await readFile(join(environment.folder, folder, file), "utf8").catch(() => "");
      const name = settingsVariables(text).find(
        (one) => !(one in variables) && new RegExp(`\\b${one}\\b`).test(output),
      );
      if (name === undefined) continue;
      const reason = `\`${posix.join(folder, file)}\` reads the variable \`${name}\`, which is not passed on; give it a default there: \`\${${name}:-}\``;
      return {...result, failureKind: "environment", reason};
    }
  }
  return result;
}

/** Folders such as `node_modules` in the developer's working folder whose parent folders exist in the checkout too. */
async function dependencyFolders(options: {
  before: ReadonlyMap<string, ReadonlySet<string>>;
  folder: string;
  setup: readonly SetupStep[];
}): Promise<string[]> {
  const names = new Set(options.setup.flatMap((step) => step.provides.map((path) => posix.basename(path))));
  const addedFolders = await addedSince(options.folder, options.before);
  return addedFolders.filter((path) => names.has(posix.basename(path)));
}

/**
 * True if a change touches an input of the install, such as a manifest or lock file. Then the base's install is not
 * valid.
 */
export function isTouched(setup: readonly SetupStep[], changes: readonly Change[]): boolean {
  const inputs = setup.flatMap((step) => step.inputs);
  const fromRoot = inputs.map((glob) => `/${glob.replace(/^\.?\/+/, "")}`);
  return changedPaths(changes).some((path) => matchesWhen(path, fromRoot));
}

/** pip, uv and poetry write these files for an editable install; each contains a path, or a module with one. */
const EDITABLE = /\.pth$|\.egg-link$|^__editable__/;

/**
 * True if a Python virtual environment among the `added` paths links to the code below `root`. A candidate's tests
 * would then import that code instead of their own.
 */
async function linksBack(root: string, added: readonly string[]): Promise<boolean> {
  for (const path of added) {
    const lib = join(root, path, "lib");
    if (!existsSync(join(root, path, "pyvenv.cfg")) || !existsSync(lib)) continue;
    for (const version of await readdir(lib)) {
      const folder = join(lib, version, "site-packages");
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const name of names.filter((one) => EDITABLE.test(one))) {
        if ((await readFile(join(folder, name), "utf8")).includes(root)) return true;
      }
    }
  }
  return false;
}
