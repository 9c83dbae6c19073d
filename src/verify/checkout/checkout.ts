/** Fresh checkouts to verify in: the candidate's files from the bot's own repository, the dependencies from the base's install. */
import {rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {minimatch} from "minimatch";
import type {Repository} from "../../changes/repository.ts";
import type {OnEvent} from "../../events.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {SetupStep, Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../words.ts";
import {scriptsAt} from "../commands/scripts.ts";
import type {StageEnvironment} from "../isolation/environment.ts";
import {type Fence, lackOfRoom} from "../isolation/fence.ts";
import type {StageSandbox} from "../isolation/sandbox-view.ts";
import type {Logs} from "../stage/logs.ts";
import {openReports} from "../stage/reports.ts";
import {runStage, type Surroundings} from "../stage/stage.ts";
import {addedSince, copyPaths, listFolders} from "./folders.ts";
import {moveIn, openSpares, type Spare} from "./spares.ts";
import {openWarm, type Warm} from "./warm.ts";

/** Where dependencies come from: an install of the base, or what a developer's working folder already has. */
export type Dependencies = {readonly kind: "install"} | {readonly kind: "folder"; readonly folder: string};

/** A checkout that is ready for stages. `setupFailedOnBase` says whom a failed setup is charged to. */
export interface Checkout {
  readonly surroundings: Surroundings;
  readonly setup: readonly StageResult[];
  readonly setupFailedOnBase: boolean;
  /** one more checkout of the same commit with the base's install; null where the commit has an install of its own */
  readonly another: (() => Promise<Result<Surroundings, Failure>>) | null;
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

interface Options {
  readonly folder: string;
  readonly repository: Repository;
  readonly base: string;
  readonly setup: readonly SetupStep[];
  readonly dependencies: Dependencies;
  readonly environment: StageEnvironment;
  /** puts into a new home what package managers need (settings without credentials, download caches) */
  readonly furnishHome: (home: string) => Promise<void>;
  readonly fence: Fence;
  readonly sandbox: StageSandbox;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** where the long outputs of set-up and stages are kept */
  readonly logs?: Logs;
  /** folders that are empty for them where there is no sandbox, but a process namespace */
  readonly hidden?: readonly string[];
}

interface BaseInstall {
  readonly root: string;
  readonly home: string;
  readonly added: readonly string[];
  readonly results: readonly StageResult[];
}

export function openCheckouts(given: Options): Checkouts {
  let base: Promise<Result<BaseInstall, Failure>> | undefined;
  let count = 0;
  const spares = openSpares(given.folder);
  const warm = openWarm(join(given.folder, "warm"));
  const options = {...given, hidden: [...(given.hidden ?? []), warm.folder]};
  const installed = async () => {
    const obstacle = options.fence.refusal ?? (await lackOfRoom(dirname(options.folder)));
    if (obstacle !== null) return refused({kind: "internal" as const, message: obstacle});
    base ??= installOnBase(options);
    return base;
  };
  return {
    async open({commit, changes}) {
      const done = await installed();
      if (!done.ok) return done;
      const name = () => `checkout-${++count}`;
      return openCommit({options, base: done.value, spares, warm, name, commit, changes});
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
      await rm(options.folder, {recursive: true, force: true, maxRetries: 3});
    },
  };
}

async function installOnBase(options: Options): Promise<Result<BaseInstall, Failure>> {
  const root = join(options.folder, "base");
  const home = join(options.folder, "base-home");
  await options.furnishHome(home);
  if (options.setup.length === 0) return ok({root, home, added: [], results: []});
  const placed = await options.repository.checkOut({commit: options.base, folder: root});
  if (!placed.ok) return placed;

  const before = await listFolders(root);
  if (options.dependencies.kind === "folder") {
    const found = await dependencyFolders({before, folder: options.dependencies.folder, setup: options.setup});
    if (found.length > 0) return ok({root: options.dependencies.folder, home, added: found, results: []});
  }
  const surroundings = surround({options, root, home, installs: true, alsoShown: []});
  const results = await runSetup({steps: options.setup, surroundings, onEvent: options.onEvent});
  return ok({root, home, added: await addedSince({root, before}), results});
}

interface Opening {
  readonly options: Options;
  readonly base: BaseInstall;
  readonly spares: ReturnType<typeof openSpares>;
  readonly warm: Warm;
  /** a name for the folder of each checkout */
  readonly name: () => string;
  readonly commit: string;
  readonly changes: readonly Change[];
}

async function openCommit(o: Opening): Promise<Result<Checkout, Failure>> {
  const {options, base} = o;
  const setupFailedOnBase = base.results.some((result) => result.outcome !== "passed");
  if (!options.setup.some((step) => isTouched(step, o.changes))) {
    const first = await furnish(o);
    if (!first.ok) return first;
    const {surroundings, home} = first.value;
    const another = async () => {
      const further = await furnish(o);
      return further.ok ? ok(further.value.surroundings) : further;
    };
    const keepCaches = keeping({...o, surroundings, home});
    return ok({surroundings, setup: base.results, setupFailedOnBase, another, keepCaches});
  }
  // A manifest or lock file changed: the base's install says nothing any more, so the whole setup runs on the candidate.
  const placed = await place(o, null);
  if (!placed.ok) return placed;
  const installing = surround({options, ...placed.value, installs: true, alsoShown: []});
  const setup = await runSetup({steps: options.setup, surroundings: installing, onEvent: options.onEvent});
  const surroundings = surround({options, ...placed.value, installs: false, alsoShown: []});
  const keepCaches = keeping({...o, surroundings, home: placed.value.home});
  return ok({surroundings, setup, setupFailedOnBase, another: null, keepCaches});
}

function keeping(o: {warm: Warm; surroundings: Surroundings; home: string}): Checkout["keepCaches"] {
  return ({stage, signal}) => {
    const surroundings = {...o.surroundings, signal, isBackground: true};
    const asked = {...stage, name: "caches", kind: "check" as const, timeout: 60, tools: []};
    const passes = async (command: string) => (await runStage({...asked, command}, surroundings)).outcome === "passed";
    return o.warm.keep({checkout: surroundings.folder, home: o.home, cwd: stage.cwd, passes, signal});
  };
}

/** A checkout with the base's dependencies. */
async function furnish(o: Opening): Promise<Result<{surroundings: Surroundings; home: string}, Failure>> {
  const {options, base} = o;
  const spare = o.spares.take();
  const placed = await place(o, spare);
  if (!placed.ok) return placed;
  const hardLinks = options.dependencies.kind === "folder";
  const {root} = placed.value;
  const paths = spare === null ? base.added : await moveIn({spare, to: root, paths: base.added});
  const copied = await copyPaths({from: base.root, to: root, paths, hardLinks, signal: options.signal});
  if (!copied.ok) return refused({kind: "internal", message: `dependencies were not copied: ${copied.failure}`});
  // What was copied may point back to where it was installed: a Python environment does, and to the project there.
  const surroundings = surround({options, ...placed.value, installs: false, alsoShown: [base.root]});
  return ok({surroundings, home: placed.value.home});
}

/** The commit's files, and a home: the spare's, or one more copy of the base's. In both what caches were kept. */
async function place(o: Opening, spare: Spare | null): Promise<Result<{root: string; home: string}, Failure>> {
  const {options, commit} = o;
  const name = o.name();
  const root = join(options.folder, name);
  const home = spare?.home ?? join(options.folder, `${name}-home`);
  const {signal} = options;
  const paths = spare === null ? ["."] : [];
  const [placed, copied] = await Promise.all([
    options.repository.checkOut({commit, folder: root}),
    copyPaths({from: o.base.home, to: home, paths, hardLinks: false, signal}),
  ]);
  if (!placed.ok) return placed;
  if (!copied.ok) return refused({kind: "internal", message: `the stages' home was not made: ${copied.failure}`});
  await o.warm.lay({checkout: root, home, signal});
  return ok({root, home});
}

function surround(o: {
  options: Options;
  root: string;
  home: string;
  installs: boolean;
  alsoShown: readonly string[];
}): Surroundings {
  const {root, home, installs, alsoShown} = o;
  const {fence, signal, environment, sandbox, logs, hidden, repository, base} = o.options;
  const tmp = join(home, ".assay-tmp");
  const network = fence.network === "all" || (installs && fence.network === "setup");
  const {TMPDIR: seen} = environment({home, tmp, pathFirst: [], extra: {}});
  // The change must not choose its own commands (P4).
  const scripts = (cwd: string) => scriptsAt({repository, commit: base, cwd});
  return {
    folder: root,
    isolation: fence.isolation,
    signal,
    ...(logs && {logs}),
    ...(hidden && {hidden}),
    ...(seen !== undefined && {reports: openReports({folder: root, here: tmp, seen, scripts})}),
    sandbox: (env) => sandbox({checkout: root, home, alsoShown, env, installs, network}),
    environment: ({pathFirst, extra}) => environment({home, tmp, pathFirst, extra}),
  };
}

/** Runs the steps in order and stops at the first that does not pass: the later ones build on it. */
async function runSetup(o: {
  steps: readonly SetupStep[];
  surroundings: Surroundings;
  onEvent: OnEvent;
}): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (const [index, step] of o.steps.entries()) {
    o.onEvent({kind: "setup-started", command: step.command});
    const name = o.steps.length === 1 ? "setup" : `setup ${index + 1}`;
    const result = await runStage({...step, name, kind: "check", optional: false, env: {}, path: []}, o.surroundings);
    o.onEvent({kind: "setup-finished", result});
    results.push(result);
    if (result.outcome !== "passed") break;
  }
  return results;
}

/** Folders such as `node_modules` that the developer's working folder has at places that exist in the checkout too. */
async function dependencyFolders(o: {
  before: ReadonlyMap<string, ReadonlySet<string>>;
  folder: string;
  setup: readonly SetupStep[];
}): Promise<string[]> {
  const names = [...new Set(o.setup.flatMap((step) => step.provides.map((path) => path.split("/").at(-1) ?? path)))];
  const present = await addedSince({root: o.folder, before: o.before});
  return present.filter((path) => names.includes(path.split("/").at(-1) ?? path));
}

function isTouched(step: SetupStep, changes: readonly Change[]): boolean {
  const paths = changes.flatMap((change) => (change.from === undefined ? [change.path] : [change.path, change.from]));
  return paths.some((path) => step.inputs.some((glob) => minimatch(path, glob, {dot: true})));
}
