/** The install of dependencies: once on the base, for all checkouts, and again where a commit changes what it depends on. */
import {join} from "node:path";
import {matchesWhen} from "../../changes/when.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {SetupStep} from "../../record/plan.ts";
import {type Change, changedPaths} from "../../record/verification.ts";
import {ok, type Result} from "../../record/words.ts";
import {runStage} from "../stage/stage.ts";
import {addedSince, listFolders} from "./folders.ts";
import {linksToCheckout} from "./linked-installs.ts";
import {type CheckoutOptions, type CheckoutPlace, openStageEnvironment} from "./stage-environment.ts";

/** What the set-up left on the base. */
export interface BaseInstall extends CheckoutPlace {
  /** paths below `root` that the set-up made */
  readonly added: readonly string[];
  readonly results: readonly StageResult[];
  /** whether stages may read what the machine has compiled before */
  readonly readsBuildCaches: boolean;
  /** true where what it made leads back to `root`: no other checkout can use it */
  readonly isBound: boolean;
}

/** Runs the set-up on the base, or takes over what a developer's working folder has of it already. */
export async function installOnBase(options: CheckoutOptions): Promise<Result<BaseInstall, Failure>> {
  const root = join(options.folder, "base");
  const home = join(options.folder, "base-home");
  const hasSetup = options.setup.length > 0;
  const [readsBuildCaches, placed] = await Promise.all([
    mayTrimPaths(options).then((may) => !may),
    hasSetup
      ? options.repository.checkOut({commit: options.base, folder: root, withSubmodules: true})
      : Promise.resolve(ok(null)),
    options.home.furnish(home),
  ]);
  if (!placed.ok) return placed;
  if (!hasSetup) return ok({root, home, added: [], results: [], readsBuildCaches, isBound: false});

  const before = await listFolders(root);
  if (options.dependencies.kind === "folder") {
    const found = await dependencyFolders({before, folder: options.dependencies.folder, setup: options.setup});
    const {folder} = options.dependencies;
    const isBound = await linksToCheckout({root: folder, added: found});
    if (found.length > 0) return ok({root: folder, home, added: found, results: [], readsBuildCaches, isBound});
  }
  const results = await runSetup(options, {root, home, baseHome: null});
  await options.home.setAside(home);
  const added = await addedSince({root, before});
  return ok({root, home, added, results, readsBuildCaches, isBound: await linksToCheckout({root, added})});
}

/** With `-trimpath` Go's cache takes files of one folder for those of another (see `caches.ts`). 1 is git's word for no match. */
export async function mayTrimPaths({repository, base}: Pick<CheckoutOptions, "repository" | "base">): Promise<boolean> {
  const found = await repository.git(["grep", "--quiet", "--fixed-strings", "-e", "-trimpath", base]);
  return found.ok || found.failure.code !== 1;
}

/** Runs the set-up's steps in order, with what the network allows them, and stops at the first that does not pass: the later ones build on it. */
export async function runSetup(
  options: CheckoutOptions,
  place: CheckoutPlace & {baseHome: string | null},
): Promise<StageResult[]> {
  const {setup, onEvent} = options;
  const surroundings = openStageEnvironment(options, {
    ...place,
    installs: true,
    alsoShown: [],
    readsBuildCaches: false,
  });
  const results: StageResult[] = [];
  for (const [index, step] of setup.entries()) {
    onEvent({kind: "setup-started", command: step.command});
    const name = setup.length === 1 ? "setup" : `setup ${index + 1}`;
    const result = await runStage({...step, name, kind: "check", optional: false, env: {}, path: []}, surroundings);
    onEvent({kind: "setup-finished", result});
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

/** True where a change touches what the install depends on, such as a manifest or lock file: then the base's says nothing any more. */
export function isTouched(setup: readonly SetupStep[], changes: readonly Change[]): boolean {
  const paths = changedPaths(changes);
  const inputs = setup.flatMap((step) => step.inputs);
  const fromRoot = inputs.map((glob) => `/${glob.replace(/^\.?\/+/, "")}`);
  return paths.some((path) => matchesWhen(path, fromRoot));
}
