/** A type check that goes by the notes of an earlier run: the same command, which then checks only what a change can concern. */
import {posix} from "node:path";
import {compareWithBase} from "../../diagnostics/compare.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import {TOOLS} from "../../tools/all.ts";
import {toolOf} from "../../tools/command-name.ts";
import {allCommands, withPrograms} from "./expand-scripts.ts";
import {isReadOnly} from "./isolated-stages.ts";

/**
 * The folder of the notes below each checkout. They name files by the way from their own place, so that it has to be the same
 * one everywhere; in here no tool of a project and no check for rewritten files comes across them.
 */
export const BUILD_INFO = ".git/assay-types";

/** Short of this nobody notices. */
const MIN_SAVED_MS = 500;
/** A run with notes comes on top of a whole one where it finds nothing, and with a change it takes longer than without one. */
const MAX_TIME_SHARE = 0.6;
/** What takes longer keeps the agent waiting for what other stages found. */
const MAX_MS = 30_000;

/** Takes a stage's command, written out. Null where that is anything but one run of the compiler which only looks. */
export function incremental({
  line,
  stage,
}: {
  line: string;
  stage: Pick<Stage, "name" | "cwd" | "path">;
}): {instead: Pick<Stage, "command" | "path">; notes: string} | null {
  const commands = allCommands(line);
  const [only] = commands ?? [];
  if (only === undefined || commands?.length !== 1 || !isReadOnly(line)) return null;
  const called = toolOf(only.words);
  const rule = TOOLS.find((tool) => tool.incremental?.command.test(called))?.incremental;
  if (rule === undefined || only.words.some((word) => rule.never.test(word))) return null;
  const notes = posix.join(BUILD_INFO, `${stage.name.replaceAll(/\W+/g, "-")}.tsbuildinfo`);
  const compilerOptions = rule.words(posix.relative(stage.cwd, notes)).map(quoteWords);
  const command = [...assignments(only.env), ...only.raws, ...compilerOptions].join(" ");
  return {instead: {command, path: withPrograms(stage)}, notes};
}

/**
 * Takes what the base's stage gave, and two runs with notes: `first`, which had to write them, and `second`. True where that
 * one found the same in clearly less time; milliseconds of two runs side by side, for the base's own may be of another day.
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
