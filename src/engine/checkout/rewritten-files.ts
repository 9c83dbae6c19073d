/** Restores tracked files that a stage changed, and makes it fail: it passed on a tree other than the candidate's (P3). */

import {isBelow} from "../../detect/files/project.ts";
import type {Repository} from "../../git/repository.ts";
import type {StageResult} from "../../record/evidence.ts";
import {listSome} from "../../record/words.ts";
import {missingSpace} from "../isolation/choose-sandbox.ts";

/** Git's index and objects of a stage need less. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

export type RewrittenFiles = readonly string[] | {readonly obstacle: string};

/**
 * Returns the tracked paths that differ from the commit, and restores them, so that the next stage sees the commit
 * again; or why the comparison is not possible. Paths in `except` are ignored.
 */
export async function rewrittenFiles(options: {
  repository: Pick<Repository, "trackedChanges" | "restore">;
  folder: string;
  commit: string;
  except?: readonly string[];
}): Promise<RewrittenFiles> {
  const {repository, folder, commit} = options;
  const changedFiles = await repository.trackedChanges({folder, commit});
  if (!changedFiles.ok) {
    const isFull = (await missingSpace(folder, MIN_FREE_BYTES).catch(() => null)) !== null;
    const why = isFull ? "the disk is full" : "message" in changedFiles.failure && changedFiles.failure.message;
    return {obstacle: `its files could not be compared with the change: ${why || changedFiles.failure.kind}`};
  }
  const paths = changedFiles.value.filter((path) => !options.except?.some((ignored) => isBelow(path, ignored)));
  if (paths.length > 0) {
    const restoreResult = await repository.restore({folder, commit, paths});
    if (!restoreResult.ok) return [...paths, "(and could not be put back)"];
  }
  return paths;
}

/** Turns a pass into a failure if the stage rewrote files, or may have. */
export function failIfRewritten(result: StageResult, paths: RewrittenFiles): StageResult {
  if (result.outcome !== "passed") return result;
  if ("obstacle" in paths)
    return {...result, outcome: "failed", failureKind: "environment", reason: paths.obstacle, excerpt: paths.obstacle};
  if (paths.length === 0) return result;
  const reason = `it rewrote tracked files: ${listSome(paths, 10)}; run \`${result.command}\` and keep what it writes, or use its checking form`;
  return {...result, outcome: "failed", failureKind: "code", reason, excerpt: reason};
}
