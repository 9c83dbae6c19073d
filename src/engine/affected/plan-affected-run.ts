/** Plans the affected run, which comes first: narrowed commands, and stages that are quick or failed before. */
import {existsSync} from "node:fs";
import {join, posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import type {Repository} from "../../git/repository.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {type Change, changedPaths, type Verification} from "../../record/verification.ts";
import {withPrograms} from "../commands/expand-scripts.ts";
import {makeIncremental} from "../commands/incremental.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {manifestFor, narrowCommand, packagesOf} from "./narrow-command.ts";

/** A quicker stage is not narrowed, because that would hardly save time. */
const QUICK_MS = 5_000;
/** A longer stage delays the failures of the others for the agent. */
const LONG_MS = 30_000;
const COMPILER_SETTINGS = /(?:^|\/)[jt]sconfig[^/]*\.json$/;

type Replacement = Pick<Stage, "command" | "path">;

export interface AffectedPlan {
  /** the narrower command of a stage */
  readonly instead: ReadonlyMap<Stage, Replacement>;
  /** stages that belong to the affected run unchanged; all others are stopped if it finds a failure */
  readonly whole: ReadonlySet<Stage>;
  /** a narrowed run that passes replaces the whole stage */
  readonly isEnough: boolean;
}

interface AffectedOptions {
  readonly plan: Plan;
  readonly changes: readonly Change[];
  readonly previous: Verification | null;
  /** the candidate's checkout */
  readonly folder: string;
  readonly base: string;
  /** the stage's command with package.json scripts expanded */
  readonly expanded: (stage: Stage) => string;
  readonly isolated: ReadonlySet<Stage>;
  readonly durationMs: (stage: Stage) => number | null;
  readonly readText: Repository["readText"];
  readonly isAffectedEnough?: boolean;
  /** true for a stage of which this machine runs at most a part */
  readonly isLong: (stage: Stage) => boolean;
}

/**
 * Null if an affected run is not worth its time. Commands come from the base's plan and manifests, files from Assay's
 * own comparison of the commits and from the previous verification. Nothing is read from the agent's workspace.
 */
export async function planAffectedRun(options: AffectedOptions): Promise<AffectedPlan | null> {
  const {plan, previous, isolated} = options;
  const instead = new Map<Stage, Replacement>();
  const wholeStages = new Set<Stage>();
  const hasRequired = plan.stages.some(({optional}) => !optional);
  const hasFailed = (stage: Stage) => previous?.stages.find(({name}) => name === stage.name)?.outcome === "failed";
  // An optional failure does not go to the agent, so nothing waits for it.
  for (const stage of plan.stages.filter(({optional}) => !(optional && hasRequired))) {
    const durationMs = options.durationMs(stage);
    const isFree = prerequisitesOf(stage, plan).length === 0;
    // After a fix, the failed stages are likely to fail again. At first, read-only checks are most useful to the agent.
    // A quick test is worth waiting for, so that the first fix prompt includes its failures.
    const isQuick = isolated.has(stage) ? (durationMs ?? 0) <= LONG_MS : durationMs !== null && durationMs <= QUICK_MS;
    const isCandidate = isFree && (previous === null || hasFailed(stage) || options.isLong(stage));
    const replacement = isCandidate ? await replacementOf(options, stage, durationMs) : null;
    if (replacement !== null) {
      instead.set(stage, replacement);
    } else if (isCandidate && (previous !== null || (stage.kind !== "build" && isQuick))) {
      wholeStages.add(stage);
    }
  }
  return instead.size === 0 ? null : {instead, whole: wholeStages, isEnough: options.isAffectedEnough === true};
}

/** The stage's command with the base's incremental build info if there is any, or narrowed to the changed files. */
async function replacementOf(
  options: AffectedOptions,
  stage: Stage,
  durationMs: number | null,
): Promise<Replacement | null> {
  const check = makeIncremental({line: options.expanded(stage), stage});
  if (check !== null) {
    // Build info for other settings is useless to the compiler.
    const hasNewSettings = changedPaths(options.changes).some((path) => COMPILER_SETTINGS.test(path));
    return !hasNewSettings && existsSync(join(options.folder, check.notes)) ? check.instead : null;
  }
  const isWorthIt = durationMs === null || durationMs > QUICK_MS;
  const command = isWorthIt ? await narrowToChange(options, stage) : null;
  return command === null ? null : {command, path: withPrograms(stage)};
}

async function narrowToChange(options: AffectedOptions, stage: Stage): Promise<string | null> {
  const line = options.expanded(stage);
  const files = filesFor(options, stage);
  const manifest = manifestFor(line);
  const root = stage.cwd;
  const inTree = files.map((file) => posix.join(root, file));
  const packages = manifest === null ? [] : await packagesOf({...options, manifest, root, files: inTree});
  return narrowCommand({line, files, packages});
}

/**
 * Existing files of the stage's folder that were changed or have diagnostics of the previous verification; relative to
 * it.
 */
function filesFor({changes, previous, folder}: AffectedOptions, stage: Stage): string[] {
  const diagnostics = previous?.stages.find(({name}) => name === stage.name)?.diagnostics ?? [];
  const failingFiles = diagnostics.flatMap(({file}) => (file === undefined ? [] : [file, posix.join(stage.cwd, file)]));
  const existingPaths = changes.filter(({status}) => status !== "deleted").map(({path}) => path);
  const paths = [...new Set([...existingPaths, ...failingFiles].map((path) => posix.normalize(path)))];
  return paths
    .filter((path) => !path.startsWith("/") && !path.startsWith("..") && isBelow(path, stage.cwd))
    .filter((path) => existsSync(join(folder, path)))
    .map((path) => posix.relative(stage.cwd, path));
}
