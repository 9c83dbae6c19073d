/** Which changed paths no stage of a verification has read, and which of them keep it from being verified. */
import type {StageResult} from "../record/evidence.ts";
import type {Coverage} from "../record/verification.ts";
import {isPreExisting} from "./verdict.ts";

/** Paths that were not read: `blocking` ones leave the change unverified, `listed` ones are only reported. */
export interface UnreadPaths {
  readonly blocking: readonly string[];
  readonly listed: readonly string[];
}

/**
 * A stage has read what it takes in if it ran as a whole and passed, or is required and fails only as on the base. Source code
 * in a project that no such stage takes in is blocking; with `strict` every path that no such stage reads.
 */
export function findUnread(coverage: Coverage | undefined, results: readonly StageResult[]): UnreadPaths {
  const ran = new Set(results.filter(hasRead).map(({name}) => name));
  const hasRun = (names: readonly string[]) => names.some((name) => ran.has(name));
  const failed = new Set(results.filter(isRequiredFailure).map(({name}) => name));
  const hasFailed = (names: readonly string[]) => names.some((name) => failed.has(name));
  const unread = (coverage?.paths ?? []).filter(({stages}) => !hasRun(stages));
  const isBlocking = ({project, takenIn}: Coverage["paths"][number]) =>
    coverage?.strict === true || (project !== null && !hasRun(takenIn));
  return {
    blocking: unread.filter(isBlocking).map(({path}) => path),
    listed: unread.filter((one) => !isBlocking(one) && !hasFailed(one.stages)).map(({path}) => path),
  };
}

/** It has read its paths, too, and keeps the change from being verified by itself. */
function isRequiredFailure({narrowed, outcome, optional}: StageResult): boolean {
  return narrowed === undefined && outcome === "failed" && !optional;
}

function hasRead(result: StageResult): boolean {
  const isWhole = result.narrowed === undefined;
  return isWhole && (result.outcome === "passed" || (!result.optional && isPreExisting(result)));
}
