/** What a stage does to tracked files was never verified (P3): it is found, put back, and makes the stage fail. */

import {isBelow} from "../../detect/files/project.ts";
import type {Repository} from "../../git/repository.ts";
import type {StageResult} from "../../record/evidence.ts";

/**
 * Gives the tracked paths that differ from the commit and puts them back, so that the next stage sees the commit again.
 * A gate that cannot look counts as rewritten. Folders in `spare` are left alone.
 */
export async function rewrittenFiles(o: {
  repository: Pick<Repository, "trackedChanges" | "restore">;
  folder: string;
  commit: string;
  spare?: readonly string[];
}): Promise<string[]> {
  const {repository, folder, commit} = o;
  const changed = await repository.trackedChanges({folder, commit});
  if (!changed.ok) return ["(the checkout could not be compared with the candidate)"];
  const paths = changed.value.filter((path) => !o.spare?.some((other) => isBelow(path, other)));
  if (paths.length > 0) {
    const restored = await repository.restore({folder, commit, paths});
    if (!restored.ok) return [...paths, "(and could not be put back)"];
  }
  return paths;
}

/** A pass that rewrote files is no pass. */
export function asRewriting(result: StageResult, paths: readonly string[]): StageResult {
  if (paths.length === 0 || result.outcome !== "passed") return result;
  const shown = paths.slice(0, 10).join(", ") + (paths.length > 10 ? ` and ${paths.length - 10} more` : "");
  const reason = `it rewrote tracked files: ${shown}; run \`${result.command}\` and keep what it writes, or use its checking form`;
  return {...result, outcome: "failed", failureKind: "code", reason, excerpt: reason};
}
