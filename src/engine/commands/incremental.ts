/** Makes a type check incremental, with the build info of an earlier run. */
import {posix} from "node:path";
import {compareWithBase} from "../../diagnostics/compare.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import {toolOf} from "../../tools/command-name.ts";
import {isCommandIn} from "../../tools/names.ts";
import {INCREMENTAL} from "../../tools/tsc.ts";
import {allCommands, withPrograms} from "./expand-scripts.ts";
import {isReadOnly} from "./isolated-stages.ts";

/**
 * The folder for build info below each checkout. Build info contains relative paths, so its place is the same in every
 * checkout. Inside `.git`, neither the project's tools nor the check for rewritten files find it.
 */
export const BUILD_INFO = ".git/assay-types";

/** A smaller saving is not noticeable. */
const MIN_SAVED_MS = 500;
/**
 * The full run follows an incremental run that finds no failure. With a change, an incremental run also takes longer
 * than this one.
 */
const MAX_TIME_SHARE = 0.6;
/** A longer run delays the failures of other stages for the agent. */
const MAX_MS = 30_000;

/** `line` is the stage's expanded command. Null unless it is a single run of a compiler that only checks. */
export function makeIncremental({
  line,
  stage,
}: {
  line: string;
  stage: Pick<Stage, "name" | "cwd" | "path">;
}): {instead: Pick<Stage, "command" | "path">; notes: string} | null {
  const commands = allCommands(line);
  const [only] = commands ?? [];
  if (only === undefined || commands?.length !== 1 || !isReadOnly(line)) return null;
  const toolName = toolOf(only.words);
  const rule = INCREMENTAL;
  if (!isCommandIn(rule.commands, toolName) || only.words.some((word) => rule.never.test(word))) return null;
  const notes = posix.join(BUILD_INFO, `${stage.name.replaceAll(/\W+/g, "-")}.tsbuildinfo`);
  const compilerOptions = rule.words(posix.relative(stage.cwd, notes)).map(quoteWords);
  const command = [...assignments(only.env), ...only.raws, ...compilerOptions].join(" ");
  return {instead: {command, path: withPrograms(stage)}, notes};
}

/**
 * `whole` is the base's full run. `first` is an incremental run that had to write the build info, and `second` one that
 * could use it. True if `second` has the same result in clearly less time than `first`; the time of `whole` may be from
 * another day.
 */
export function isWorthBuildInfo({
  whole,
  first,
  second,
}: {
  whole: StageResult;
  first: StageResult;
  second: StageResult;
}): boolean {
  if (second.exit?.kind !== "exited" || second.outcome !== whole.outcome) return false;
  const isSame =
    whole.outcome === "passed" ||
    compareWithBase({candidate: second, base: whole, line: whole.command}).new.length === 0;
  const savedMs = first.durationMs - second.durationMs;
  return isSame && savedMs >= MIN_SAVED_MS && second.durationMs <= Math.min(MAX_MS, MAX_TIME_SHARE * first.durationMs);
}
