/** Fresh checkouts to verify in: the candidate's files from the bot's own repository, the dependencies from the base's install. */
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
import {openPrecopiedInstalls, type PrecopiedInstall, useInstall} from "./precopied-installs.ts";
import {type CheckoutOptions, type CheckoutPlace, openStageEnvironment} from "./stage-environment.ts";

/** A checkout that is ready for stages. `setupFailedOnBase` says whom a failed setup is charged to. */
export interface Checkout {
  readonly surroundings: StageEnvironment;
  readonly setup: readonly StageResult[];
  readonly setupFailedOnBase: boolean;
  /** one more checkout of the same commit with the base's install; null where the commit has an install of its own */
  readonly another: (() => Promise<Result<StageEnvironment, Failure>>) | null;
  /**
   * Keeps what this stage, which has just ended here, left in its caches, for the checkouts that are opened later. For the
   * base's checkout only. At low priority, until the signal ends it; what goes wrong costs time only.
   */
  keepCaches(o: {stage: Stage; signal: AbortSignal}): Promise<void>;
}

export interface Checkouts {
  /**
   * A fresh checkout of a commit, with the dependencies of the base, which the first call installs. `changes` are those
   * since the base: where they touch what the install depends on, the commit gets an install of its own. The only caches in
   * it are those that were kept: whoever wrote one candidate wrote the next, and could have left a green there for it.
   */
  open(o: {commit: string; changes: readonly Change[]}): Promise<Result<Checkout, Failure>>;
  /**
   * Copies the base's install and kept caches ahead for so many checkouts, at low priority, while nothing is verified. The
   * signal ends it at once. What goes wrong costs time only.
   */
  prepare(o: {upTo: number; signal: AbortSignal}): Promise<void>;
  dispose(): Promise<void>;
}

export function openCheckouts(given: CheckoutOptions): Checkouts {
  let base: Promise<Result<BaseInstall, Failure>> | undefined;
  let count = 0;
  const spares = openPrecopiedInstalls(given.folder);
  const remove = openRemover();
  const warm = openDependencyCache(join(given.folder, "warm"));
  const options = {...given, hidden: [...(given.hidden ?? []), warm.folder]};
  const installed = async () => {
    const obstacle = options.fence.refusal ?? (await missingSpace(dirname(options.folder)));
    if (obstacle !== null) return refused({kind: "internal" as const, message: obstacle});
    base ??= installOnBase(options);
    return base;
  };
  return {
    async open({commit, changes}) {
      const done = await installed();
      if (!done.ok) return done;
      const name = () => `checkout-${++count}`;
      const opening = {options, base: done.value, spares, warm, name, commit};
      // The base's own checkout may use what leads back to the base, but not what leads to a developer's folder.
      const isForeign = commit !== options.base || options.dependencies.kind === "folder";
      const isOwn = isTouched(options.setup, changes) || (done.value.isBound && isForeign);
      return isOwn ? withOwnInstall(opening) : withBasesInstall(opening);
    },
    async prepare({upTo, signal}) {
      const done = await installed();
      if (!done.ok) return;
      // Where nothing was installed there is nothing worth a copy, and a developer's own folder is linked.
      const isWorthIt = done.value.added.length > 0 && options.dependencies.kind === "install";
      if (isWorthIt) await spares.fill({from: done.value, paths: done.value.added, upTo, signal});
      await warm.stock({upTo, signal});
    },
    async dispose() {
      await remove(options.folder);
    },
  };
}

interface Opening {
  readonly options: CheckoutOptions;
  readonly base: BaseInstall;
  readonly spares: ReturnType<typeof openPrecopiedInstalls>;
  readonly warm: DependencyCache;
  /** a name for the folder of each checkout */
  readonly name: () => string;
  readonly commit: string;
}

async function withBasesInstall(o: Opening): Promise<Result<Checkout, Failure>> {
  const first = await furnish(o);
  if (!first.ok) return first;
  const {surroundings, home} = first.value;
  const another = async () => {
    const further = await furnish(o);
    return further.ok ? ok(further.value.surroundings) : further;
  };
  return ok({
    surroundings,
    setup: o.base.results,
    setupFailedOnBase: hasFailed(o.base),
    another,
    keepCaches: keeping({warm: o.warm, surroundings, home}),
  });
}

/** The whole set-up runs on the candidate: a step may build on what an earlier one installed. */
async function withOwnInstall(o: Opening): Promise<Result<Checkout, Failure>> {
  const {options, base, warm} = o;
  const placed = await place(o, null);
  if (!placed.ok) return placed;
  const {home} = placed.value;
  const setup = await runSetup(options, {...placed.value, baseHome: base.home});
  const {readsBuildCaches} = base;
  const surroundings = openStageEnvironment(options, {
    ...placed.value,
    installs: false,
    alsoShown: [],
    baseHome: base.home,
    readsBuildCaches,
  });
  return ok({
    surroundings,
    setup,
    setupFailedOnBase: hasFailed(base),
    another: null,
    keepCaches: keeping({warm, surroundings, home}),
  });
}

/** The caches say what they need by commands of their own, which run where the stage has run. */
function keeping(o: {warm: DependencyCache; surroundings: StageEnvironment; home: string}): Checkout["keepCaches"] {
  return ({stage, signal}) => {
    const surroundings = {...o.surroundings, signal, isBackground: true};
    const asked = {...stage, name: "caches", kind: "check" as const, timeout: 60, tools: []};
    const passes = async (command: string) => (await runStage({...asked, command}, surroundings)).outcome === "passed";
    return o.warm.keep({checkout: surroundings.folder, home: o.home, cwd: stage.cwd, passes, signal});
  };
}

const hasFailed = ({results}: BaseInstall): boolean => results.some(({outcome}) => outcome !== "passed");

/** A checkout with the base's dependencies. */
async function furnish(o: Opening): Promise<Result<{surroundings: StageEnvironment; home: string}, Failure>> {
  const {options, base} = o;
  const spare = o.spares.take();
  const placed = await place(o, spare);
  if (!placed.ok) return placed;
  const hardLinks = options.dependencies.kind === "folder";
  const {root} = placed.value;
  const paths = spare === null ? base.added : await useInstall({spare, to: root, paths: base.added});
  const copied = await copyPaths({from: base.root, to: root, paths, hardLinks, signal: options.signal});
  if (!copied.ok) return refused({kind: "internal", message: `dependencies were not copied: ${copied.failure}`});
  // What was copied may point back to where it was installed: a Python environment does, and to the project there.
  const surroundings = openStageEnvironment(options, {
    ...placed.value,
    installs: false,
    alsoShown: [base.root],
    baseHome: base.home,
    readsBuildCaches: base.readsBuildCaches,
  });
  return ok({surroundings, home: placed.value.home});
}

/** A copy of the base's home. Where nothing was installed, that has only what every new home has. */
async function furnishHome({options, base}: Opening, home: string): Promise<Result<null, string>> {
  const {setup, signal} = options;
  if (setup.length > 0) return copyPaths({from: base.home, to: home, paths: ["."], hardLinks: false, signal});
  await options.home.furnish(home);
  return ok(null);
}

/** The commit's files, and a home: the spare's, or one more copy of the base's. In both what caches were kept. */
async function place(o: Opening, spare: PrecopiedInstall | null): Promise<Result<CheckoutPlace, Failure>> {
  const {options, commit} = o;
  const name = o.name();
  const root = join(options.folder, name);
  const home = spare?.home ?? join(options.folder, `${name}-home`);
  const {signal} = options;
  const [placed, copied] = await Promise.all([
    options.repository.checkOut({commit, folder: root, withSubmodules: true}),
    spare === null ? furnishHome(o, home) : ok(null),
  ]);
  if (!placed.ok) return placed;
  if (!copied.ok) return refused({kind: "internal", message: `the stages' home was not made: ${copied.failure}`});
  await o.warm.lay({checkout: root, home, signal});
  return ok({root, home});
}
