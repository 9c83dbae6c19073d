/** The paths that a developer gives to `assay verify`, and the stages that concern them. */
import {isAbsolute, relative, resolve, sep} from "node:path";
import {irrelevantReason} from "../engine/schedule/skip-reasons.ts";
import type {Plan} from "../record/plan.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {missingPaths} from "./missing-paths.ts";

interface WrongPath {
  readonly kind: "wrong-argument";
  readonly sentence: string;
}

/** The paths relative to the top of the repository. A path that does not exist is usually a typing error. */
export async function locatePaths(
  paths: readonly string[],
  {cwd, folder}: {cwd: string; folder: string},
): Promise<Result<readonly string[], WrongPath>> {
  const wrongArgument = (sentence: string) => refused({kind: "wrong-argument" as const, sentence});
  const relativePaths = paths.map((path) => relative(folder, resolve(cwd, path)).split(sep).join("/"));
  const outsidePath = paths.find(
    (_, i) => isAbsolute(relativePaths[i] ?? "") || /^\.\.(?:\/|$)/.test(relativePaths[i] ?? ""),
  );
  if (outsidePath !== undefined) return wrongArgument(`error: ${outsidePath} is outside of ${folder}.`);
  const [missing] = await missingPaths(folder, relativePaths);
  if (missing === undefined) return ok(relativePaths);
  return wrongArgument(`error: ${missing} is neither in this folder nor in the last commit.`);
}

/**
 * The names of the stages that concern the paths; null if all stages do. `narrowed` is the plan for the paths. With
 * paths, an optional stage is left out unless there is no other: a stage that is requested by name decides the verdict.
 */
export function stagesOfPaths(plan: Plan, narrowed: Plan, paths: readonly string[]): readonly string[] | null {
  const changes = paths.map((path) => ({path, status: "modified" as const}));
  const concernedStages = narrowed.stages.filter((stage) => irrelevantReason(stage, changes) === "");
  if (concernedStages.length === plan.stages.length) return null;
  const requiredStages = concernedStages.filter(({optional}) => !optional);
  return (requiredStages.length > 0 ? requiredStages : concernedStages).map(({name}) => name);
}
