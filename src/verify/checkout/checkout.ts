/** Opens fresh checkouts to verify in: files from Assay's own repository, dependencies from the base's install. */
import {dirname, join} from "node:path";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import {type DependencyCache, openDependencyCache} from "./dependency-cache.ts";
import {copyPaths, openRemover} from "./folders.ts";
import {type BaseInstall, installOnBase, isTouched, runSetup} from "./install.ts";
import {createMountPoints} from "./overlaid-installs.ts";
import {openPrecopiedInstalls, type PrecopiedInstall, useInstall} from "./precopied-installs.ts";
import {type CheckoutFolders, type CheckoutOptions, openStageEnvironment} from "./stage-environment.ts";

/** A checkout that is ready for stages. If `setupFailedOnBase`, a failed setup is not caused by the change. */
export interface Checkout {
  readonly environment: StageEnvironment;
  readonly setup: readonly StageResult[];
  readonly setupFailedOnBase: boolean;
  /** Opens another checkout of the same commit with the base's install; null if the commit has its own install. */
  readonly openAnother: (() => Promise<Result<StageEnvironment, Failure>>) | null;
  /**
   * Saves the caches of a stage that has just ended here, for checkouts that are opened later. Only for the base's checkout.
   * Runs at low priority until the signal aborts; an error costs only time.
   */
  saveCaches(stage: Stage, signal: AbortSignal): Promise<void>;
}

export interface Checkouts {
  /**
   * Opens a fresh checkout of a commit with the base's dependencies, which the first call installs. `changes` are those since
   * the base: if they touch an input of the install, the commit gets its own install. The checkout contains only caches that
   * the base's stages wrote, because the author of one candidate also writes the next and could leave a fake pass in a cache.
   */
  open(options: {commit: string; changes: readonly Change[]}): Promise<Result<Checkout, Failure>>;
  /**
   * Copies the base's install and saved caches in advance for `count` checkouts, at low priority, while nothing is verified.
   * The signal stops it at once. An error costs only time.
   */
  prepare(options: {count: number; signal: AbortSignal}): Promise<void>;
  dispose(): Promise<void>;
}

export function openCheckouts(given: CheckoutOptions): Checkouts {
  let baseInstall: Promise<Result<BaseInstall, Failure>> | undefined;
  let count = 0;
  const precopied = openPrecopiedInstalls(given.folder);
  const remove = openRemover();
  const cache = openDependencyCache(join(given.folder, "warm"));
  const options = {...given, hidden: [...(given.hidden ?? []), cache.folder]};
  const install = async () => {
    const obstacle = options.isolation.refusal ?? (await missingSpace(dirname(options.folder)));
    if (obstacle !== null) return refused({kind: "internal" as const, message: obstacle});
    baseInstall ??= installOnBase(options);
    return baseInstall;
  };
  return {
    async open({commit, changes}) {
      const installed = await install();
      if (!installed.ok) return installed;
      const base = installed.value;
      const nextName = () => `checkout-${++count}`;
      const opening = {options, base, precopied, cache, nextName, commit};
      // The base's own checkout may use an install that links to the base, but never one that links to a developer's folder.
      const isForeign = commit !== options.base || options.dependencies.kind === "folder";
      const needsInstall = isTouched(options.setup, changes) || (base.linksToRoot && isForeign);
      return needsInstall ? openWithSetup(opening) : openWithBaseInstall(opening);
    },
    async prepare({count: copies, signal}) {
      const installed = await install();
      if (!installed.ok) return;
      const {added, overlaid} = installed.value;
      const paths = added.filter((path) => !overlaid.includes(path));
      // A developer's own folder is linked, not copied.
      const isWorthCopying = added.length > 0 && options.dependencies.kind === "install";
      if (isWorthCopying) await precopied.prepare({from: installed.value, paths, copies, signal});
      await cache.prepare(copies, signal);
    },
    dispose: () => remove(options.folder),
  };
}

interface CheckoutRequest {
  readonly options: CheckoutOptions;
  readonly base: BaseInstall;
  readonly precopied: ReturnType<typeof openPrecopiedInstalls>;
  readonly cache: DependencyCache;
  /** gives a new folder name for each checkout */
  readonly nextName: () => string;
  readonly commit: string;
}

async function openWithBaseInstall(request: CheckoutRequest): Promise<Result<Checkout, Failure>> {
  const {base} = request;
  const first = await copyBaseInstall(request);
  if (!first.ok) return first;
  return ok({
    environment: first.value.environment,
    setup: base.results,
    setupFailedOnBase: hasFailed(base),
    async openAnother() {
      const another = await copyBaseInstall(request);
      return another.ok ? ok(another.value.environment) : another;
    },
    saveCaches: cacheSaver({...first.value, cache: request.cache}),
  });
}

/** Runs the whole setup on the candidate, because a step may depend on what an earlier step installed. */
async function openWithSetup(request: CheckoutRequest): Promise<Result<Checkout, Failure>> {
  const {options, base, cache} = request;
  const created = await createFolders(request, null);
  if (!created.ok) return created;
  const {home} = created.value;
  const setup = await runSetup(options, {...created.value, baseHome: base.home});
  const environment = openStageEnvironment(options, {
    ...created.value,
    isSetup: false,
    alsoReadable: [],
    baseHome: base.home,
    readsBuildCaches: base.readsBuildCaches,
  });
  const saveCaches = cacheSaver({cache, environment, home});
  return ok({environment, setup, setupFailedOnBase: hasFailed(base), openAnother: null, saveCaches});
}

/** The commands of the caches' own checks run in the environment of the stage. */
function cacheSaver(o: {cache: DependencyCache; environment: StageEnvironment; home: string}): Checkout["saveCaches"] {
  return (stage, signal) => {
    const environment = {...o.environment, signal, isBackground: true};
    const check = {...stage, name: "caches", kind: "check" as const, timeout: 60, tools: []};
    const passes = async (command: string) => (await runStage({...check, command}, environment)).outcome === "passed";
    return o.cache.save({checkout: environment.folder, home: o.home, cwd: stage.cwd, passes, signal});
  };
}

const hasFailed = ({results}: BaseInstall): boolean => results.some(({outcome}) => outcome !== "passed");

/** A checkout with the base's dependencies. */
async function copyBaseInstall(
  request: CheckoutRequest,
): Promise<Result<{environment: StageEnvironment; home: string}, Failure>> {
  const {options, base} = request;
  const precopied = request.precopied.take();
  const created = await createFolders(request, precopied);
  if (!created.ok) return created;
  const hardLinks = options.dependencies.kind === "folder";
  const {root, home} = created.value;
  const overlaidInstalls = await createMountPoints({from: base.root, to: root, paths: base.overlaid});
  const overlaid = new Set(overlaidInstalls.map(({at}) => at));
  const notOverlaid = base.added.filter((path) => !overlaid.has(join(root, path)));
  const paths = precopied === null ? notOverlaid : await useInstall({precopied, to: root, paths: notOverlaid});
  const copied = await copyPaths({from: base.root, to: root, paths, hardLinks, signal: options.signal});
  if (!copied.ok) return refused({kind: "internal", message: `dependencies were not copied: ${copied.failure}`});
  const environment = openStageEnvironment(options, {
    ...created.value,
    isSetup: false,
    // A copied Python environment may still contain paths of the folder that it was installed in.
    alsoReadable: [base.root],
    overlaidInstalls,
    baseHome: base.home,
    readsBuildCaches: base.readsBuildCaches,
  });
  return ok({environment, home});
}

/** Creates the checkout's files and its home, from a precopied install or as a copy of the base's, and restores caches. */
async function createFolders(
  {options, base, cache, nextName, commit}: CheckoutRequest,
  precopied: PrecopiedInstall | null,
): Promise<Result<CheckoutFolders, Failure>> {
  const name = nextName();
  const root = join(options.folder, name);
  const home = precopied?.home ?? join(options.folder, `${name}-home`);
  const {setup, signal} = options;
  const createHome = async (): Promise<Result<null, string>> => {
    if (precopied !== null) return ok(null);
    if (setup.length > 0) return copyPaths({from: base.home, to: home, paths: ["."], hardLinks: false, signal});
    await options.home.populate(home);
    return ok(null);
  };
  const [checkedOut, homeCreated] = await Promise.all([
    options.repository.checkOut({commit, folder: root, withSubmodules: true}),
    createHome(),
  ]);
  if (!checkedOut.ok) return checkedOut;
  if (!homeCreated.ok)
    return refused({kind: "internal", message: `the stages' home was not made: ${homeCreated.failure}`});
  await cache.restore({checkout: root, home, signal});
  return ok({root, home});
}
