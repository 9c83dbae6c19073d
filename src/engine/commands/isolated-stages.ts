/** Selects the stages that may run in a separate checkout, in parallel with others of their project. */

import {isBelow} from "../../detect/files/project.ts";
import type {Stage} from "../../record/plan.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {isCommandIn, isOptionIn} from "../../tools/names.ts";
import {allCommands} from "./expand-scripts.ts";

const READ_ONLY_COMMANDS = COMMANDS.flatMap(({readOnly = []}) => readOnly);
/**
 * Tools that reuse what others of the same family have compiled in the same checkout or home. In parallel, in separate
 * checkouts, each of them would compile everything again.
 */
const COMPILERS = COMMANDS.flatMap(({compiles}) => compiles ?? []);

/** The families of the compilers that a line starts. */
function compilersIn(line: string): Set<string> {
  const tools = (splitShell(line) ?? []).map(({words}) => toolOf(words));
  return new Set(
    COMPILERS.filter(({commands}) => tools.some((tool) => isCommandIn(commands, tool))).map(({family}) => family),
  );
}

/** True for a line of read-only commands. An unknown command is not read-only. */
export function isReadOnly(line: string): boolean {
  const isReadOnlyCommand = (words: readonly string[]): boolean => {
    const tool = toolOf(words);
    const has = (names: readonly string[]) => unwrap(words).some((word) => isOptionIn(names, word));
    return READ_ONLY_COMMANDS.some(
      (one) =>
        one.commands.includes(tool) &&
        (one.with === undefined || has(one.with)) &&
        (one.without === undefined || !has(one.without)),
    );
  };
  return allCommands(line)?.every(({words}) => isReadOnlyCommand(words)) ?? false;
}

/**
 * The stages that can run in a separate checkout: read-only stages, and a build without later stages, if no earlier
 * stage may have expanded files that they read, and no other stage starts the same compiler. `expanded` gives the
 * stages' expanded commands. The checkout must be separate, because in a shared one a test could change files while the
 * type checker reads them.
 */
export function isolatedStages(stages: readonly Stage[], expanded: (stage: Stage) => string): Set<Stage> {
  const stagesSoFar = new Set<Stage>();
  const compilers = new Map(stages.map((stage) => [stage, compilersIn(expanded(stage))]));
  const compilesWithOthers = (stage: Stage): boolean =>
    stages.some(
      (other) =>
        other !== stage &&
        areNested(stage, other) &&
        [...(compilers.get(stage) ?? [])].some((family) => compilers.get(other)?.has(family)),
    );
  const leavesNothing = (stage: Stage) =>
    stagesSoFar.has(stage) || stage.kind === "test" || isReadOnly(expanded(stage));
  for (const [at, stage] of stages.entries()) {
    const earlierStages = stages
      .slice(0, at)
      .filter((other) => areNested(stage, other) || stage.needs.includes(other.name));
    if (!earlierStages.every(leavesNothing) || compilesWithOthers(stage)) continue;
    const needsATest = earlierStages.some((other) => other.kind === "test" && stage.needs.includes(other.name));
    const isLast = stage.kind === "build" && stages.slice(at + 1).every((other) => stagesSoFar.has(other));
    if (!needsATest && (isLast || isReadOnly(expanded(stage)))) stagesSoFar.add(stage);
  }
  return stagesSoFar;
}

const areNested = (one: Stage, other: Stage): boolean => isBelow(one.cwd, other.cwd) || isBelow(other.cwd, one.cwd);
