/** One line for each stage of a verification in a terminal. */
import {clip} from "../../markdown/escape.ts";
import type {StageResult} from "../../record/evidence.ts";
import {duration} from "../../report/format.ts";
import {stageResultWords} from "../../report/stages.ts";
import {plain} from "./plain-text.ts";
import type {Colors} from "./reporter.ts";

const MAX_NAME = 30;

/** The width of the column for these stage names. */
export function nameWidth(names: readonly string[]): number {
  return Math.min(MAX_NAME, Math.max(0, ...names.map((name) => plain(name).length)));
}

/** `✅ test   1.2 s  passed, 12 tests (npm test)`. */
export function stageLine(stage: StageResult, {width, colors}: {width: number; colors: Colors}): string {
  const {icon, result} = stageResultWords(stage);
  const time = stage.outcome === "skipped" ? "" : duration(stage.durationMs);
  const command = colors.dim(`(${clip(plain(stage.narrowed ?? stage.command), 100)})`);
  return `${iconColumn(icon)}${nameColumn(stage.name, width)}  ${time.padStart(10)}  ${plain(result)} ${command}`;
}

/** `⠋ test   1.2 s` while the stage runs, and a dot before it starts. */
export function openStageLine(name: string, runsForMs: number | null, options: {width: number; icon: string}): string {
  const time = runsForMs === null ? "" : duration(runsForMs).padStart(10);
  return `${options.icon}  ${nameColumn(name, options.width)}  ${time}`.trimEnd();
}

/** Most terminals show icons with a variation selector one column narrower. */
const iconColumn = (icon: string) => `${icon}${icon.endsWith("\ufe0f") ? "  " : " "}`;

const nameColumn = (name: string, width: number) => clip(plain(name), MAX_NAME).padEnd(width);
