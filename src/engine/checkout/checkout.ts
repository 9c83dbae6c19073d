/** Opens fresh checkouts to verify in: files from Assay's own repository, dependencies from the base's install. */
import {existsSync, realpathSync} from "node:fs";
import {mkdir} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import {isBelow} from "../../process/mounts.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {keepInstallWrites, type OverlaidInstall} from "../isolation/sandbox-view.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import {type DependencyCache, openDependencyCache} from "./dependency-cache.ts";
import {copyPaths, openRemover} from "./folders.ts";
import {
  type BaseInstall,
  installOnBase,
  isOwnScript,
  isTouched,
  runOwnScripts,
  runSetup,
  withoutInstall,
} from "./install.ts";
import {createMountPoints} from "./overlaid-installs.ts";
import {type ChangedInstall, changedInstalls, type ScriptWrites, scriptWrites} from "./script-writes.ts";
import {type CheckoutFolders, type CheckoutOptions, openStageEnvironment} from "./stage-environment.ts";

/** A checkout that is ready for stages. If `setupFailedOnBase`, a failed setup is not caused by the change. */
export interface Checkout {
  readonly environment: StageEnvironment;
  readonly setup: readonly StageResult[];
  /** true if stages can run: no required step of the setup failed */
  readonly isReady: boolean;
  readonly setupFailedOnBase: boolean;
  /** Opens another checkout of the same commit with the base's install; null if the commit has its own install. */
  readonly openAnother: (() => Promise<Result<StageEnvironment, Failure>>) | null;
  /**
   * Saves the caches of a stage that has just ended here, for checkouts that are opened later. Only for the base's
   * checkout. Runs at low priority until the signal aborts; an error costs only time.
   */
  saveCaches(stage: Stage, signal: AbortSignal): Promise<void>;
}

/** Has what its own scripts wrote into installed packages, and the root of these. */
interface OpenedCheckout extends Checkout {
  readonly installRoot: string;
  readonly writes: ScriptWrites;
}

export interface Checkouts {
  /** the commit whose dependencies are installed */
  readonly base: string;
  /**
   * Opens a fresh checkout of a commit with the base's dependencies, which the first call that needs them installs.
   * `changes` are those since the base: if they touch an input of the install, the commit gets its own install. The
   * checkout contains only caches that the base's stages wrote, because the author of one candidate also writes the
   * next and could leave a fake pass in a cache.
   */
  open(options: {commit: string; changes: readonly Change[]}): Promise<Result<Checkout, Failure>>;
  /**
   * The first checkout of a commit, with what its stages built; null if there was none. Only for runs after the
   * verdict.
   */
  firstOf(commit: string): StageEnvironment | null;
  /** Paths of installed packages that the own scripts in any checkout of a commit leave otherwise than on the base. */
  changedInstalls(commit: string): readonly ChangedInstall[];
  /** An empty folder with a new home, for an installed program that must not read the change. */
  openEmpty(): Promise<StageEnvironment>;
  /** Saves the downloads of the base's install for other machines, and returns whether that install passed. */
  saveDownloads(folder: string): Promise<boolean>;
  dispose(): Promise<void>;
}

export function openCheckouts(given: CheckoutOptions): Checkouts {
  let baseInstall: Promise<Result<BaseInstall, Failure>> | undefined;
  let count = 0;
  const remove = openRemover();
  const firstEnvironments = new Map<string, StageEnvironment>();
  const changed = new Map<string, ChangedInstall[]>();
  const cache = openDependencyCache(join(given.folder, "warm"));
  const options = {...given, hidden: [...(given.hidden ?? []), cache.folder]};
  return {
    base: options.base,
    async open({commit, changes}) {
      const obstacle = options.isolation.refusal ?? (await missingSpace(dirname(options.folder)));
      if (obstacle !== null) return refused({kind: "internal" as const, message: obstacle});
      const isInstallTouched = isTouched(options.setup, changes);
      // On a developer's machine nothing is installed on the base ahead of a commit that gets its own install anyway.
      if (!isInstallTouched || options.dependencies.kind === "install") baseInstall ??= installOnBase(options);
      const installResult = await (baseInstall ?? withoutInstall(options));
      if (!installResult.ok) return installResult;
      const base = installResult.value;
      // The base's own checkout may use an install that links to the base, but never one that links to a developer's
      // folder.
      const isForeign = commit !== options.base || options.dependencies.kind === "folder";
      const hasOwnInstall = isInstallTouched || (base.linksToRoot && isForeign);
      const isFirst = commit !== options.base && !firstEnvironments.has(commit);
      const checkout = await openOne({
        options,
        isFirst,
        base,
        cache,
        commit,
        hasOwnInstall,
        nextName: () => `checkout-${++count}`,
        onChangedInstalls: (paths) => changed.set(commit, [...(changed.get(commit) ?? []), ...paths]),
      });
      if (checkout.ok && !firstEnvironments.has(commit)) firstEnvironments.set(commit, checkout.value.environment);
      return checkout;
    },
    firstOf: (commit) => firstEnvironments.get(commit) ?? null,
    changedInstalls: (commit) => changed.get(commit) ?? [],
    async openEmpty() {
      const root = join(options.folder, `empty-${++count}`);
      const home = `${root}-home`;
      await mkdir(root, {recursive: true});
      await options.home.populate(home);
      return openStageEnvironment(options, {root, home, isSetup: true});
    },
    async saveDownloads(folder) {
      baseInstall ??= installOnBase(options);
      const install = await baseInstall;
      if (!install.ok || install.value.results.some(isBroken)) return false;
      await options.home.saveDownloads(install.value.home, folder);
      return true;
    },
    dispose: () => remove(options.folder),
  };
}

interface CheckoutRequest {
  readonly options: CheckoutOptions;
  /** true for the first checkout of the change, whose own scripts are shown */
  readonly isFirst: boolean;
  readonly base: BaseInstall;
  readonly cache: DependencyCache;
  readonly commit: string;
  /** The whole setup runs on the candidate, because a step may depend on what an earlier step installed. */
  readonly hasOwnInstall: boolean;
  /** gives a new folder name for each checkout */
  readonly nextName: () => string;
  readonly onChangedInstalls: (paths: readonly ChangedInstall[]) => void;
}

async function openOne(request: CheckoutRequest): Promise<Result<OpenedCheckout, Failure>> {
  const {options, base, commit, hasOwnInstall} = request;
  const foldersResult = await createFolders(request);
  if (!foldersResult.ok) return foldersResult;
  const {root, home} = foldersResult.value;
  const setup = hasOwnInstall ? await runSetup(options, {root, home, commit, baseHome: base.home}) : base.results;
  const overlaid = hasOwnInstall ? ok([]) : await addBaseInstall(options, {base, to: root});
  if (!overlaid.ok) return overlaid;
  const environment = openStageEnvironment(options, {
    ...{root, home, commit, isSetup: false, baseHome: base.home, readsBuildCaches: base.readsBuildCaches},
    // A copied Python environment may still contain paths of the folder that it was installed in.
    alsoReadable: hasOwnInstall ? [] : [base.root],
    overlaidInstalls: overlaid.value,
  });
  const openAnother = async () => {
    const otherCheckout = await openOne(request);
    return otherCheckout.ok ? ok(otherCheckout.value.environment) : otherCheckout;
  };
  const hasFailed = hasOwnInstall && setup.some(isBroken);
  const files = {root, home, environment, overlaid: overlaid.value};
  const ran = setup.some(isBroken) ? null : await comparedOwnScripts(request, files);
  const {compared = [], writes = new Map()} = ran ?? {};
  const ownScripts = compared.map(({result}) => result);
  const broken = compared.find(({result}) => isBroken(result));
  return ok({
    environment,
    setup: [...setup, ...ownScripts],
    isReady: ![...setup, ...ownScripts].some(isBroken),
    setupFailedOnBase:
      base.results.some(isBroken) || (hasFailed && (await failsOnBase(request))) || broken?.failsOnBase === true,
    openAnother: hasOwnInstall ? null : openAnother,
    saveCaches: cacheSaver({cache: request.cache, environment, home}),
    installRoot: hasOwnInstall ? root : base.root,
    writes,
  });
}

/**
 * Runs the repository's own scripts, and compares them with those of the base: what they write into installed packages,
 * and how they fail. One that fails in the same way on the base is optional: the stages decide.
 */
async function comparedOwnScripts(
  request: CheckoutRequest,
  files: CheckoutFolders & {environment: StageEnvironment; overlaid: readonly OverlaidInstall[]},
) {
  const {options, commit} = request;
  if (!options.setup.some(isOwnScript)) return null;
  const {home, environment} = files;
  const quiet = {...options, onEvent: () => undefined};
  const sinceMs = Date.now();
  const results = await runOwnScripts(request.isFirst ? options : quiet, {commit, environment});
  keepInstallWrites(home);
  const names = new Set(options.setup.flatMap(({provides}) => provides.map((path) => basename(path))));
  const writes = await scriptWrites({...files, names, sinceMs});
  const isBase = commit === options.base;
  const isCompared = !isBase && (results.some(isNotPassed) || writes.size > 0);
  const opened = isCompared ? await openOne({...request, options: quiet, isFirst: false, commit: options.base}) : null;
  const base = opened?.ok ? opened.value : null;
  const onBase = {onBase: base?.writes ?? new Map(), baseRoot: base?.installRoot ?? files.root};
  if (isCompared) request.onChangedInstalls(changedInstalls(writes, onBase));
  const baseResults = isBase ? results : (base?.setup ?? []);
  const compared = results.map((result) => {
    const other = baseResults.find(({name}) => name === result.name);
    const failsOnBase = isNotPassed(result) && other !== undefined && isNotPassed(other);
    const [one, two] = [result, other].map((ran) => ran && [ran.exit, withoutFolder(ran, options.folder)]);
    if (!failsOnBase || JSON.stringify(one) !== JSON.stringify(two)) return {result, failsOnBase};
    const reason = isBase ? result.reason : `${result.reason}; it fails in the same way without the change`;
    return {result: {...result, optional: true, reason}, failsOnBase};
  });
  return {compared, writes};
}

/** The excerpt without the numbers and folders that differ in each run. */
const withoutFolder = ({excerpt}: StageResult, folder: string): string =>
  excerpt.replaceAll(folder, "").replaceAll(/\d+/g, "0");

const isNotPassed = ({outcome}: StageResult): boolean => outcome !== "passed";
const isBroken = (result: StageResult): boolean => isNotPassed(result) && !result.optional;

/** True if the setup that failed on a commit fails on the base too, or cannot run there. */
async function failsOnBase(request: CheckoutRequest): Promise<boolean> {
  const {options, base, commit} = request;
  if (base.results.length > 0) return false;
  if (commit === options.base) return true;
  const baseCheckout = await openOne({...request, commit: options.base});
  return !baseCheckout.ok || baseCheckout.value.setup.some(isBroken);
}

/** Commands with which a cache checks itself run in the environment of the stage. */
function cacheSaver(options: {
  cache: DependencyCache;
  environment: StageEnvironment;
  home: string;
}): Checkout["saveCaches"] {
  return (stage, signal) => {
    const environment = {...options.environment, signal, isBackground: true};
    const check = {...stage, name: "caches", kind: "check" as const, timeout: 60, tools: []};
    const passes = async (command: string) => (await runStage({...check, command}, environment)).outcome === "passed";
    return options.cache.save({checkout: environment.folder, home: options.home, cwd: stage.cwd, passes, signal});
  };
}

/** Copies the base's dependencies into a checkout. Returns the folders that stages see through an overlay instead. */
async function addBaseInstall(
  {dependencies, setup, signal}: CheckoutOptions,
  {base, to}: {base: BaseInstall; to: string},
): Promise<Result<OverlaidInstall[], Failure>> {
  const overlaid = await createMountPoints({from: base.root, to, paths: base.overlaid});
  const paths = base.added.filter((path) => !overlaid.some(({at}) => at === join(to, path)));
  // A link of the candidate would lead the copy somewhere else.
  const escapingPath = paths.find((path) => !isBelow(realFolderOf(join(to, path)), realpathSync(to)));
  if (escapingPath !== undefined)
    return refused({
      kind: "internal",
      message: `dependencies were not copied: ${escapingPath} leads out of the checkout`,
    });
  const copyResult = await copyPaths({
    ...{from: base.root, to, paths, signal},
    // An own script may change its dependencies, and must not change those of the developer's folder.
    hardLinks: dependencies.kind === "folder" && !setup.some(isOwnScript),
  });
  if (copyResult.ok) return ok(overlaid);
  return refused({kind: "internal", message: `dependencies were not copied: ${copyResult.failure}`});
}

/** The nearest existing folder above the path, with links resolved. */
function realFolderOf(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? realpathSync(folder) : realFolderOf(folder);
}

/** Creates the checkout's files and its home, which contains what the base's setup left there, and restores caches. */
async function createFolders({
  options,
  base,
  cache,
  nextName,
  commit,
}: CheckoutRequest): Promise<Result<CheckoutFolders, Failure>> {
  const {signal, repository, folder} = options;
  const root = join(folder, nextName());
  const home = `${root}-home`;
  const createHome = async (): Promise<Result<null, string>> => {
    if (base.results.length > 0) return copyPaths({from: base.home, to: home, paths: ["."], signal});
    await options.home.populate(home);
    return ok(null);
  };
  const [checkedOut, homeCreated] = await Promise.all([
    repository.checkOut({commit, folder: root, withSubmodules: true}),
    createHome(),
  ]);
  if (!checkedOut.ok) return checkedOut;
  if (!homeCreated.ok)
    return refused({kind: "internal", message: `the stages' home was not made: ${homeCreated.failure}`});
  await cache.restore({checkout: root, home, signal});
  return ok({root, home});
}
