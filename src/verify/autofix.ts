/** Free fixes: where formatters or linters alone are red, their fixing twins mend the changed files before a model's turn is spent. */
import {constants} from "node:fs";
import {open} from "node:fs/promises";
import {join, posix} from "node:path";
import type {Repository} from "../git/repository.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {Change} from "../record/verification.ts";
import type {Checkouts} from "./checkout/checkout.ts";
import {withPrograms} from "./commands/expand-scripts.ts";
import {fixCommands, scriptOf} from "./commands/fix-commands.ts";
import {scriptsAt} from "./commands/scripts.ts";
import {runStage} from "./stage/stage.ts";

/** What the twins did: their commands, and the changed files that they rewrote. */
export type Autofix = NonNullable<Attempt["autofix"]>;

interface Options {
  readonly attempt: Attempt;
  readonly plan: Plan;
  /** the commit that package.json's scripts are read from: the change must not choose its own commands (P4) */
  readonly base: string;
  readonly repository: Repository;
  readonly checkouts: Checkouts;
  /** the agent's working folder, which gets the same changes */
  readonly workspace: string;
}

/** Runs the twins of what is red in a fresh checkout. Null: something else is red too, or there was nothing they could mend. */
export async function autofix(o: Options): Promise<Autofix | null> {
  const {attempt, repository} = o;
  const {candidate, changes, verdict} = attempt;
  if (candidate === null || verdict.kind !== "failed") return null;
  const red = verdict.stages.flatMap((name) => o.plan.stages.filter((stage) => stage.name === name));
  const fixes = await Promise.all(red.map(async (stage) => ({stage, commands: await fixesFor(stage, o)})));
  if (fixes.length < verdict.stages.length || fixes.some(({commands}) => commands.length === 0)) return null;

  const opened = await o.checkouts.open({commit: candidate.commit, changes});
  if (!opened.ok || opened.value.setup.some((step) => step.outcome !== "passed")) return null;
  const {surroundings} = opened.value;
  for (const {stage, commands} of fixes) {
    // A twin that leaves problems behind exits red; what it did mend counts all the same.
    for (const command of commands)
      await runStage({...stage, command, path: withPrograms(stage), tools: []}, surroundings);
  }
  const rewritten = await repository.trackedChanges({folder: surroundings.folder, commit: candidate.commit});
  if (!rewritten.ok) return null;
  const own = new Set(filesOf(changes));
  const paths: string[] = [];
  for (const path of rewritten.value.filter((one) => own.has(one))) {
    if (await copyContent(join(surroundings.folder, path), join(o.workspace, path))) paths.push(path);
  }
  return paths.length === 0 ? null : {commands: fixes.flatMap(({commands}) => commands), paths};
}

async function fixesFor(stage: Stage, o: Options): Promise<string[]> {
  const inFolder = filesOf(o.attempt.changes)
    .map((path) => posix.relative(stage.cwd, path))
    .filter((path) => !path.startsWith("../"));
  const direct = fixCommands(stage.command, inFolder);
  const script = direct.length === 0 ? scriptOf(stage.command) : null;
  if (script === null) return direct;
  const scripts = await scriptsAt({repository: o.repository, commit: o.base, cwd: stage.cwd});
  return fixCommands(scripts[script] ?? "", inFolder);
}

function filesOf(changes: readonly Change[]): string[] {
  return changes.filter(({status}) => status !== "deleted").map(({path}) => path);
}

/** Writes into what is there and never through a link, which would lead out of the folder. */
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
