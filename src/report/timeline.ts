/** The times of a run as a Mermaid chart, for the job summary. */
import {clip} from "../markdown/escape.ts";
import type {Attempt} from "../record/attempt.ts";
import type {StageResult} from "../record/evidence.ts";
import type {RunRecord} from "../record/record.ts";
import type {STAGE_OUTCOMES} from "../record/words.ts";
import {capLength} from "./fit-size.ts";
import {link} from "./link.ts";
import {stageResultWords} from "./stages.ts";

/** GitHub draws charts of at most 50,000 characters. */
const MAX_BARS = 150;
const MAX_NAME = 60;

/** The color of a bar: https://mermaid.js.org/syntax/gantt.html */
const COLORS: Readonly<Record<(typeof STAGE_OUTCOMES)[number], string>> = {
  passed: "done, ",
  failed: "crit, ",
  "timed-out": "crit, ",
  flaky: "active, ",
  unavailable: "crit, ",
  skipped: "",
};

interface TimedBar {
  readonly icon: string;
  readonly name: string;
  /** null for a turn of the agent */
  readonly outcome: StageResult["outcome"] | null;
  readonly startMs: number;
  readonly durationMs: number;
}

/** The agent's turn, the setup and the stages of each attempt, on one clock. Attempts without a time are left out. */
export function timedSections({attempts}: RunRecord): {readonly title: string; readonly bars: readonly TimedBar[]}[] {
  let endMs = 0;
  return attempts
    .toSorted((one, other) => one.number - other.number)
    .flatMap((attempt) => {
      const bars = barsOf(attempt, endMs);
      endMs += (attempt.turn?.durationMs ?? 0) + (attempt.verification?.durationMs ?? 0);
      return bars.length === 0 ? [] : [{title: `Attempt ${attempt.number}`, bars}];
    });
}

/** Empty if nothing was timed. */
export function timelinePart(record: RunRecord): string {
  const sections = timedSections(record);
  if (sections.length === 0) return "";
  const {shown, left} = capLength(
    sections.flatMap(({title, bars}) =>
      bars.map((bar, index) => (index === 0 ? `section ${title}\n${barLine(bar)}` : barLine(bar))),
    ),
    MAX_BARS,
  );
  const omission = left === 0 ? "" : ` …and ${left} more.`;
  const log = link("Log of this run", record.run.url);
  return [
    "**Timeline** (seconds)",
    ["```mermaid", "gantt", "dateFormat x", "axisFormat %s", ...shown, "```"].join("\n"),
    `${log}${omission}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function barsOf({turn, verification}: Attempt, startMs: number): TimedBar[] {
  const turnMs = turn?.durationMs ?? 0;
  const stages = verification === null ? [] : [...verification.setup, ...verification.stages];
  return [
    ...(turn === null ? [] : [{icon: "🤖", name: "Agent", outcome: null, startMs, durationMs: turnMs}]),
    ...stages.flatMap((stage) => {
      const {name, outcome, startedMs, durationMs} = stage;
      if (startedMs === undefined) return [];
      const {icon} = stageResultWords(stage);
      return [{icon, name: clip(name, MAX_NAME), outcome, startMs: startMs + turnMs + startedMs, durationMs}];
    }),
  ];
}

function barLine({icon, name, outcome, startMs, durationMs}: TimedBar): string {
  const color = outcome === null ? "" : COLORS[outcome];
  return `${icon} ${escapeName(name)} :${color}${Math.round(startMs)}, ${Math.max(1, Math.round(durationMs))}ms`;
}

/**
 * Mermaid reads `:`, `;`, `#` and `%%` as its own. It decodes numbers of characters like HTML (its docs, "Entity
 * codes").
 */
function escapeName(name: string): string {
  return name.replace(/\p{C}+/gu, " ").replace(/[^\p{L}\p{N} ./_-]/gu, (char) => `#${char.codePointAt(0)};`);
}
