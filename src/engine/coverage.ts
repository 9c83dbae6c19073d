/** Finds changed paths that no stage has read, and those among them that prevent the verdict `verified`. */
import type {StageResult} from "../record/evidence.ts";
import {isPreExisting} from "../record/failure-cause.ts";
import type {Coverage} from "../record/verification.ts";

/** Unread paths: `blocking` ones make the verdict `unverified`, `listed` ones are only reported. */
export interface UnreadPaths {
  readonly blocking: readonly string[];
  readonly listed: readonly string[];
}

/**
 * A stage has read its paths if it ran in full and passed, or is required and fails only as on the base. Source code of
 * a project that no such stage reads is blocking; with `strict` this applies to every path.
 */
export function findUnread(coverage: Coverage | undefined, results: readonly StageResult[]): UnreadPaths {
  const readers = new Set(results.filter(hasRead).map(({name}) => name));
  const isRead = (names: readonly string[]) => names.some((name) => readers.has(name));
  const startedStages = new Set(results.filter(hasStarted).map(({name}) => name));
  const mayBeRead = ({path, stages}: Coverage["paths"][number]) =>
    stages.some((name) => startedStages.has(name)) || results.some((result) => namesPath(result, path));
  const unread = (coverage?.paths ?? []).filter(({stages}) => !isRead(stages));
  const isBlocking = ({project, takenIn}: Coverage["paths"][number]) =>
    coverage?.strict === true || (project !== null && !isRead(takenIn));
  return {
    blocking: unread.filter(isBlocking).map(({path}) => path),
    listed: unread.filter((one) => !isBlocking(one) && !mayBeRead(one)).map(({path}) => path),
  };
}

/** True for a stage that has read its paths, at least in part, whatever its result. */
function hasStarted({narrowed, outcome, exit}: StageResult): boolean {
  return narrowed === undefined && outcome !== "skipped" && exit !== null && exit.kind !== "not-started";
}

/** True if the output of a stage that did not pass shows the path, as a stack trace does: then the stage has read it. */
function namesPath({diagnostics, excerpt, outcome}: StageResult, path: string): boolean {
  if (outcome === "passed" || outcome === "skipped") return false;
  const isPath = (text: string) => text === path || text.endsWith(`/${path}`);
  return (
    diagnostics.some(({file}) => file !== undefined && isPath(file)) || excerpt.split(/[\s"'():[\],]+/).some(isPath)
  );
}

function hasRead(result: StageResult): boolean {
  const isWhole = result.narrowed === undefined;
  return isWhole && (result.outcome === "passed" || (!result.optional && isPreExisting(result)));
}
