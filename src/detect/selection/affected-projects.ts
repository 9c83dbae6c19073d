/** Keeps the stages of the projects that a change touches, and of those that need them. */
import type {Note, SetupStep, Stage} from "../../record/plan.ts";

/**
 * With `changed` null, or stages that are the owner's own, everything stays. Else a path belongs to the innermost folder that
 * has stages; stages of the root always stay, since they may look into every folder. `needs` gives for some folders those
 * that each of them needs, directly or not.
 */
export function keepAffected(options: {
  stages: readonly Stage[];
  setup: readonly SetupStep[];
  changed: readonly string[] | null;
  own: boolean;
  needs: (folders: readonly string[]) => (folder: string) => ReadonlySet<string>;
}): {stages: Stage[]; setup: SetupStep[]; notes: Note[]} {
  const {stages, setup, changed} = options;
  if (changed === null || options.own) return {stages: [...stages], setup: [...setup], notes: []};
  const folders = [...new Set(stages.map((stage) => stage.cwd))].sort((a, b) => b.length - a.length);
  const owner = (path: string): string =>
    folders.find((folder) => folder !== "." && path.startsWith(`${folder}/`)) ?? ".";
  const touched = new Set(changed.map(owner));
  // A path of no nested project may be what all of them share: a lock file, a base config.
  const all = touched.has(".");
  const needed = all ? () => new Set<string>() : options.needs(folders);
  const stays = (cwd: string): boolean =>
    cwd === "." || all || touched.has(cwd) || [...needed(cwd)].some((folder) => touched.has(folder));
  const left = folders.filter((folder) => !stays(folder));
  const kept = stages.filter((stage) => stays(stage.cwd));
  const isWhole = left.length === 0 && stages.length > 0;
  return {
    stages: kept,
    setup: setup.filter((step) => stays(step.cwd) || kept.some((stage) => stage.cwd.startsWith(`${step.cwd}/`))),
    notes: [
      ...(isWhole ? [{about: "changed paths", text: `no stage is left out: ${whyWhole(folders, all)}`}] : []),
      ...left.map((folder) => ({
        about: folder,
        text: "its stages are left out: no change touches this project, or one that it needs",
      })),
    ],
  };
}

function whyWhole(folders: readonly string[], all: boolean): string {
  if (folders.every((folder) => folder === "."))
    return "all stages run in the root folder, and each may read every path";
  return all ? "a path outside of the nested projects may concern each of them" : "the paths concern all projects";
}
