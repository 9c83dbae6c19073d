/** Restores tracked files that a stage changed, and makes it fail: it passed on a tree other than the candidate's (P3). */

import {isBelow} from "../../detect/files/project.ts";
import type {Repository} from "../../git/repository.ts";
import type {StageResult} from "../../record/evidence.ts";
import {listSome} from "../../record/words.ts";

/**
 * Returns the tracked paths that differ from the commit, and restores them, so that the next stage sees the commit
 * again. If the comparison fails, the checkout counts as rewritten. Paths in `except` are ignored.
 */
export async function rewrittenFiles(options: {
  repository: Pick<Repository, "trackedChanges" | "restore">;
  folder: string;
  commit: string;
  except?: readonly string[];
}): Promise<string[]> {
  const {repository, folder, commit} = options;
  const changedFiles = await repository.trackedChanges({folder, commit});
  if (!changedFiles.ok) return ["(the checkout could not be compared with the candidate)"];
  const paths = changedFiles.value.filter((path) => !options.except?.some((ignored) => isBelow(path, ignored)));
  if (paths.length > 0) {
    const restoreResult = await repository.restore({folder, commit, paths});
    if (!restoreResult.ok) return [...paths, "(and could not be put back)"];
  }
  return paths;
}

/** Turns a pass into a failure if the stage rewrote files. */
export function failIfRewritten(result: StageResult, paths: readonly string[]): StageResult {
  if (paths.length === 0 || result.outcome !== "passed") return result;
  const reason = `it rewrote tracked files: ${listSome(paths, 10)}; run \`${result.command}\` and keep what it writes, or use its checking form`;
  return {...result, outcome: "failed", failureKind: "code", reason, excerpt: reason};
}
