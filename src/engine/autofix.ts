/** If only formatters or linters fail, runs their fix commands, which saves a turn of the agent. */
import {constants} from "node:fs";
import {open} from "node:fs/promises";
import {join, posix} from "node:path";
import type {Repository} from "../git/repository.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {Change} from "../record/verification.ts";
import type {Checkouts} from "./checkout/checkout.ts";
import {scriptsAt, withPrograms} from "./commands/expand-scripts.ts";
import {fixCommands, scriptOf} from "./commands/fix-commands.ts";
import {runStage} from "./stage/stage.ts";

/** The fix commands, and the changed files that they rewrote. */
export type Autofix = NonNullable<Attempt["autofix"]>;

interface AutofixOptions {
  readonly attempt: Attempt;
  readonly plan: Plan;
  /** package.json's scripts are read from this commit, because the change must not choose its own commands (P4) */
  readonly base: string;
  readonly repository: Repository;
  readonly checkouts: Checkouts;
  /** the agent's workspace, which gets the same fixes */
  readonly workspace: string;
}

/**
 * Runs the fix commands of the failed stages in a fresh checkout. Null if another stage fails too, or nothing was
 * fixed.
 */
export async function autofix(options: AutofixOptions): Promise<Autofix | null> {
  const {attempt, plan, checkouts, repository, workspace} = options;
  const {candidate, changes, verdict} = attempt;
  if (candidate === null || verdict.kind !== "failed") return null;
  const failingStages = verdict.stages.flatMap((name) => plan.stages.filter((stage) => stage.name === name));
  const fixes = await Promise.all(
    failingStages.map(async (stage) => ({stage, commands: await fixesFor(stage, options)})),
  );
  if (fixes.length < verdict.stages.length || fixes.some(({commands}) => commands.length === 0)) return null;

  const checkoutResult = await checkouts.open({commit: candidate.commit, changes});
  if (!checkoutResult.ok || !checkoutResult.value.isReady) return null;
  const {environment: surroundings} = checkoutResult.value;
  for (const {stage, commands} of fixes) {
    // A fix command fails if problems remain, but its fixes still count.
    for (const command of commands)
      await runStage({...stage, command, path: withPrograms(stage), tools: []}, surroundings);
  }
  const rewrittenPaths = await repository.trackedChanges({folder: surroundings.folder, commit: candidate.commit});
  if (!rewrittenPaths.ok) return null;
  const changedFiles = new Set(filesOf(changes));
  const paths: string[] = [];
  for (const path of rewrittenPaths.value.filter((file) => changedFiles.has(file))) {
    if (await copyContent(join(surroundings.folder, path), join(workspace, path))) paths.push(path);
  }
  return paths.length === 0 ? null : {commands: fixes.flatMap(({commands}) => commands), paths};
}

async function fixesFor(stage: Stage, options: AutofixOptions): Promise<string[]> {
  const {attempt, repository, base} = options;
  const relativeFiles = filesOf(attempt.changes)
    .map((path) => posix.relative(stage.cwd, path))
    .filter((path) => !path.startsWith("../"));
  const direct = fixCommands(stage.command, relativeFiles);
  const script = direct.length === 0 ? scriptOf(stage.command) : null;
  if (script === null) return direct;
  const scripts = await scriptsAt({repository, commit: base, cwd: stage.cwd});
  return fixCommands(scripts[script] ?? "", relativeFiles);
}

function filesOf(changes: readonly Change[]): string[] {
  return changes.filter(({status}) => status !== "deleted").map(({path}) => path);
}

/** Overwrites an existing file, and never follows a link, which could lead out of the folder. */
async function copyContent(from: string, to: string): Promise<boolean> {
  const {O_NOFOLLOW, O_RDONLY, O_WRONLY, O_TRUNC} = constants;
  try {
    await using source = await open(from, O_RDONLY | O_NOFOLLOW);
    if (!(await source.stat()).isFile()) return false;
    const content = await source.readFile();
    await using target = await open(to, O_WRONLY | O_TRUNC | O_NOFOLLOW);
    await target.writeFile(content);
    return true;
  } catch {
    return false;
  }
}
