/** What belongs to a first, cheap look at a candidate: narrowed commands, and whole ones that cost little or failed before. */
import {existsSync} from "node:fs";
import {join, posix} from "node:path";
import {parse} from "smol-toml";
import type {Repository} from "../../changes/repository.ts";
import {isBelow} from "../../plan/is-below.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Change, Verification} from "../../record/verification.ts";
import {groundOf} from "../schedule/order.ts";
import {narrowed} from "./narrowed.ts";

/** A stage that takes no longer is not worth narrowing. */
const QUICK_MS = 5_000;
/** A stage that takes longer keeps the agent waiting for what the others found. */
const LONG_MS = 30_000;

export interface LookPlan {
  /** the narrower command of a stage */
  readonly instead: ReadonlyMap<Stage, Pick<Stage, "command" | "path">>;
  /** stages that belong to it as they are; all others are spared where it finds a failure */
  readonly whole: ReadonlySet<Stage>;
}

/**
 * Null where no look is worth its time. Commands come from the base's plan and manifests, files from the bot's own comparison
 * of the commits and from what an earlier verification saw: nothing of it is read in the agent's folder.
 */
export async function planLook(o: {
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
}): Promise<LookPlan | null> {
  const {plan, before} = o;
  const instead = new Map<Stage, Pick<Stage, "command" | "path">>();
  const whole = new Set<Stage>();
  const hasRequired = plan.stages.some(({optional}) => !optional);
  const failedBefore = (stage: Stage) => before?.stages.find(({name}) => name === stage.name)?.outcome === "failed";
  // An optional failure sends nothing back to the agent, so that nothing waits for it.
  for (const stage of plan.stages.filter(({optional}) => !(optional && hasRequired))) {
    const took = o.tookMs(stage);
    const isFree = groundOf(stage, plan).length === 0;
    // After a fix, what failed is likely to fail again. At first, what only looks tells the agent more, and is not lost.
    const isQuickLook = o.apart.has(stage) && stage.kind !== "build" && (took ?? 0) <= LONG_MS;
    const command = isFree && (before === null || failedBefore(stage)) ? await narrowCommand({...o, stage}) : null;
    if (command !== null && (took === null || took > QUICK_MS)) {
      const path = [...stage.path, posix.join(stage.cwd, "node_modules/.bin"), "node_modules/.bin"];
      instead.set(stage, {command, path});
    } else if (isFree && (before === null ? isQuickLook : failedBefore(stage))) {
      whole.add(stage);
    }
  }
  return instead.size === 0 ? null : {instead, whole};
}

async function narrowCommand(o: {
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
  const isCargo = /\bcargo\b/.test(line);
  const crates = isCargo ? await cratesOf({...o, files: files.map((file) => posix.join(o.stage.cwd, file))}) : [];
  return narrowed({line, files, crates});
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

/** Names of the packages whose manifests lie closest above the files; none where one of them cannot be read. */
async function cratesOf(o: {
  files: readonly string[];
  base: string;
  readText: Repository["readText"];
}): Promise<string[]> {
  const names = new Set<string>();
  for (const file of o.files.filter((path) => path.endsWith(".rs"))) {
    const name = await crateOf({...o, file});
    if (name === null) return [];
    names.add(name);
  }
  return [...names];
}

async function crateOf(o: {file: string; base: string; readText: Repository["readText"]}): Promise<string | null> {
  for (let folder = posix.dirname(o.file); ; folder = posix.dirname(folder)) {
    const manifest = await o.readText(o.base, posix.join(folder, "Cargo.toml"), {maxBytes: 1_000_000});
    if (!manifest.ok) return null;
    if (manifest.value !== null) return nameIn(manifest.value);
    if (folder === ".") return null;
  }
}

function nameIn(manifest: string): string | null {
  try {
    const name: unknown = Object(parse(manifest)["package"]).name;
    return typeof name === "string" && /^[\w-]+$/.test(name) ? name : null;
  } catch {
    return null;
  }
}
