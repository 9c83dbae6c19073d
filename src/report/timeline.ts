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

/** Empty if nothing was timed. */
export function timelinePart({run, attempts}: RunRecord): string {
  let endMs = 0;
  const sections = attempts
    .toSorted((one, other) => one.number - other.number)
    .flatMap((attempt) => {
      const bars = barsOf(attempt, endMs);
      endMs += (attempt.turn?.durationMs ?? 0) + (attempt.verification?.durationMs ?? 0);
      return bars.length === 0 ? [] : [{title: `section Attempt ${attempt.number}`, bars}];
    });
  if (sections.length === 0) return "";
  const {shown, left} = capLength(
    sections.flatMap(({title, bars}) => bars.map((bar, index) => (index === 0 ? `${title}\n${bar}` : bar))),
    MAX_BARS,
  );
  const omission = left === 0 ? "" : ` …and ${left} more.`;
  const log = link("Log of this run", run.url);
  return [
    "**Timeline** (seconds)",
    ["```mermaid", "gantt", "dateFormat x", "axisFormat %s", ...shown, "```"].join("\n"),
    `${log}${omission}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The agent's turn, the setup and the stages of one attempt, which starts at this time. */
function barsOf({turn, verification}: Attempt, startMs: number): string[] {
  const turnMs = turn?.durationMs ?? 0;
  const stages = verification === null ? [] : [...verification.setup, ...verification.stages];
  return [
    ...(turn === null ? [] : [bar({name: "🤖 Agent", color: "", startMs, durationMs: turnMs})]),
    ...stages.flatMap((stage) => stageBar(stage, startMs + turnMs)),
  ];
}

function stageBar(stage: StageResult, verificationMs: number): string[] {
  const {name, outcome, startedMs, durationMs} = stage;
  if (startedMs === undefined) return [];
  const title = `${stageResultWords(stage).icon} ${escapeName(clip(name, MAX_NAME))}`;
  return [bar({name: title, color: COLORS[outcome], startMs: verificationMs + startedMs, durationMs})];
}

function bar(options: {name: string; color: string; startMs: number; durationMs: number}): string {
  const {name, color, startMs, durationMs} = options;
  return `${name} :${color}${Math.round(startMs)}, ${Math.max(1, Math.round(durationMs))}ms`;
}

/**
 * Mermaid reads `:`, `;`, `#` and `%%` as its own. It decodes numbers of characters like HTML (its docs, "Entity
 * codes").
 */
function escapeName(name: string): string {
  return name.replace(/\p{C}+/gu, " ").replace(/[^\p{L}\p{N} ./_-]/gu, (char) => `#${char.codePointAt(0)};`);
}
