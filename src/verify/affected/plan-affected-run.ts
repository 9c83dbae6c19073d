/** What belongs to a first, cheap look at a candidate: narrowed commands, and whole ones that cost little or failed before. */
import {existsSync} from "node:fs";
import {join, posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import type {Repository} from "../../git/repository.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {type Change, changedPaths, type Verification} from "../../record/verification.ts";
import {withPrograms} from "../commands/expand-scripts.ts";
import {incremental} from "../commands/incremental.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {packagesOf} from "./changed-packages.ts";
import {manifestFor, narrowCommand} from "./narrow-command.ts";

/** A stage that takes no longer is not worth narrowing. */
const QUICK_MS = 5_000;
/** A stage that takes longer keeps the agent waiting for what the others found. */
const LONG_MS = 30_000;
const SETTINGS = /(?:^|\/)[jt]sconfig[^/]*\.json$/;

export interface AffectedPlan {
  /** the narrower command of a stage */
  readonly instead: ReadonlyMap<Stage, Pick<Stage, "command" | "path">>;
  /** stages that belong to it as they are; all others are spared where it finds a failure */
  readonly whole: ReadonlySet<Stage>;
}

/**
 * Null where no look is worth its time. Commands come from the base's plan and manifests, files from the bot's own comparison
 * of the commits and from what an earlier verification saw: nothing of it is read in the agent's folder.
 */
export async function planAffectedRun(o: {
  plan: Plan;
  changes: readonly Change[];
  before: Verification | null;
  /** the candidate's checkout */
  folder: string;
  base: string;
  written: (stage: Stage) => string;
  apart: ReadonlySet<Stage>;
  tookMs: (stage: Stage) => number | null;
  readText: Repository["readText"];
}): Promise<AffectedPlan | null> {
  const {plan, before} = o;
  const instead = new Map<Stage, Pick<Stage, "command" | "path">>();
  const whole = new Set<Stage>();
  const hasRequired = plan.stages.some(({optional}) => !optional);
  const failedBefore = (stage: Stage) => before?.stages.find(({name}) => name === stage.name)?.outcome === "failed";
  // An optional failure sends nothing back to the agent, so that nothing waits for it.
  for (const stage of plan.stages.filter(({optional}) => !(optional && hasRequired))) {
    const took = o.tookMs(stage);
    const isFree = prerequisitesOf(stage, plan).length === 0;
    // After a fix, what failed is likely to fail again. At first, what only looks tells the agent more, and is not lost.
    // A quick test is worth waiting for, so that one prompt carries its failures too.
    const isQuick = o.apart.has(stage) ? (took ?? 0) <= LONG_MS : took !== null && took <= QUICK_MS;
    const isQuickLook = stage.kind !== "build" && isQuick;
    const less = isFree && (before === null || failedBefore(stage)) ? await lessOf({...o, stage, took}) : null;
    if (less !== null) {
      instead.set(stage, less);
    } else if (isFree && (before === null ? isQuickLook : failedBefore(stage))) {
      whole.add(stage);
    }
  }
  return instead.size === 0 ? null : {instead, whole};
}

/** What runs in the stage's place: with the base's notes, where they are kept, or narrowed to what is touched. */
async function lessOf(o: Parameters<typeof narrowToChange>[0] & {took: number | null}) {
  const check = incremental({line: o.written(o.stage), stage: o.stage});
  // Notes for other settings tell the compiler nothing.
  const isSet = changedPaths(o.changes).some((path) => SETTINGS.test(path));
  if (check !== null) return !isSet && existsSync(join(o.folder, check.notes)) ? check.instead : null;
  const command = o.took === null || o.took > QUICK_MS ? await narrowToChange(o) : null;
  return command === null ? null : {command, path: withPrograms(o.stage)};
}

async function narrowToChange(o: {
  stage: Stage;
  changes: readonly Change[];
  before: Verification | null;
  folder: string;
  base: string;
  written: (stage: Stage) => string;
  readText: Repository["readText"];
}): Promise<string | null> {
  const line = o.written(o.stage);
  const files = filesFor(o);
  const manifest = manifestFor(line);
  const root = o.stage.cwd;
  const inTree = files.map((file) => posix.join(root, file));
  const packages = manifest === null ? [] : await packagesOf({...o, manifest, root, files: inTree});
  return narrowCommand({line, files, packages});
}

/** Files of the stage's folder that the change touches or that failed before, as far as they are there; relative to it. */
function filesFor(o: {
  stage: Stage;
  changes: readonly Change[];
  before: Verification | null;
  folder: string;
}): string[] {
  const {stage} = o;
  const failing = o.before?.stages.find(({name}) => name === stage.name)?.diagnostics ?? [];
  const told = failing.flatMap(({file}) => (file === undefined ? [] : [file, posix.join(stage.cwd, file)]));
  const touched = o.changes.filter(({status}) => status !== "deleted").map(({path}) => path);
  const paths = [...new Set([...touched, ...told].map((path) => posix.normalize(path)))];
  return paths
    .filter((path) => !path.startsWith("/") && !path.startsWith("..") && isBelow(path, stage.cwd))
    .filter((path) => existsSync(join(o.folder, path)))
    .map((path) => posix.relative(stage.cwd, path));
}
