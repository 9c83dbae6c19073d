/** `--reporter tree`: one line per stage with a running clock on a terminal, and the failures above as they come. */
import {escapeLog} from "../../process/escape-log.ts";
import type {RunEvent} from "../../record/events.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {RunRecord} from "../../record/record.ts";
import {duration} from "../../report/format.ts";
import {isFailing} from "../../report/stages.ts";
import {failureText} from "./failure-text.ts";
import {openLiveRegion} from "./live-region.ts";
import {labelRepeats, repeatedName} from "./repeated-setup.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";
import {isPlainSuccess, resultText} from "./result-text.ts";
import {nameWidth, openStageLine, stageLine} from "./stage-line.ts";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MS = 100;

interface Row {
  readonly name: string;
  readonly startedMs: number | null;
  readonly result: StageResult | null;
}

/** The rows of the tree by stage, in the order of the plan; setup steps by their command. */
type Rows = ReadonlyMap<string, Row>;

/** The rows after an event. */
function applyEvent(rows: Rows, event: RunEvent, nowMs: number): Rows {
  switch (event.kind) {
    case "planned":
      return new Map([
        ...rows,
        ...event.stages.map(({name}) => [name, {name, startedMs: null, result: null}] as const),
      ]);
    case "setup-started":
      return insertSetupRow(rows, event.command, {
        name: setupName(rows, event.command),
        startedMs: nowMs,
        result: null,
      });
    case "stage-started":
      return new Map([...rows, [event.stage.name, {name: event.stage.name, startedMs: nowMs, result: null}]]);
    case "setup-finished":
      return insertSetupRow(rows, event.result.command, {
        name: nameOfSetup(rows, event.result),
        startedMs: null,
        result: event.result,
      });
    case "stage-finished":
      return new Map([...rows, [event.result.name, {name: event.result.name, startedMs: null, result: event.result}]]);
    default:
      return rows;
  }
}

const setupKey = (command: string): string => `setup ${command}`;

/** The name of a setup that starts: the first steps, and those that run again, have no other one yet. */
function setupName(rows: Rows, command: string): string {
  const count = [...rows.keys()].filter((name) => name.startsWith("setup ")).length;
  return rows.has(setupKey(command)) ? repeatedName("setup") : count === 0 ? "setup" : `setup ${count + 1}`;
}

const nameOfSetup = (rows: Rows, {name, command}: StageResult): string =>
  rows.get(setupKey(command))?.name === repeatedName("setup") ? repeatedName(name) : name;

function insertSetupRow(rows: Rows, command: string, row: Row): Rows {
  const key = setupKey(command);
  if (rows.has(key)) return new Map([...rows, [key, row]]);
  const entries = [...rows];
  const place = entries.findLastIndex(([name]) => name.startsWith("setup ")) + 1;
  return new Map(entries.toSpliced(place, 0, [key, row]));
}

/** The lines of the tree while it runs; the last one has the total time. */
function treeLines(
  rows: Rows,
  options: {nowMs: number; startedMs: number; frame: string} & Pick<ReporterOptions, "colors">,
) {
  const width = nameWidth([...rows.values()].map(({name}) => name));
  const lines = [...rows.values()].map(({name, startedMs, result}) => {
    if (result !== null) return stageLine({...result, name}, {width, colors: options.colors});
    const icon = startedMs === null ? "·" : options.frame;
    const line = openStageLine(name, startedMs === null ? null : options.nowMs - startedMs, {width, icon});
    return startedMs === null ? options.colors.dim(line) : line;
  });
  const endedCount = [...rows.values()].filter(({result}) => result !== null).length;
  const count = rows.size === 0 ? "Preparing a clean checkout" : `${endedCount} of ${rows.size}`;
  return [...lines, options.colors.dim(`${options.frame}  ${count} · ${duration(options.nowMs - options.startedMs)}`)];
}

/** On a terminal, the tree is shown from the start. In a quiet run, only failures and the verdict are shown. */
export function treeReporter(options: ReporterOptions): Reporter {
  const {out, colors, isQuiet} = options;
  const region = openLiveRegion(out);
  const startedMs = performance.now();
  const label = labelRepeats();
  let rows: Rows = new Map();
  let printing: Promise<unknown> = Promise.resolve();
  let frame = 0;
  let isOver = false;
  const lines = () => {
    const nowMs = performance.now();
    return isQuiet ? [] : treeLines(rows, {nowMs, startedMs, frame: FRAMES.charAt(frame % FRAMES.length), colors});
  };
  const timer = setInterval(() => {
    frame += 1;
    region.draw(lines());
  }, FRAME_MS);
  const printFailure = (stage: StageResult) => {
    const text = failureBlock(stage, {...options, width: nameWidth([...rows.values()].map(({name}) => name))});
    printing = printing.then(async () => region.printAbove(`${escapeLog(await text, "")}\n`, lines()));
  };
  const end = (text: string) => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    region.end(text);
  };
  region.draw(lines());
  return {
    onEvent(event) {
      rows = applyEvent(rows, event, performance.now());
      const isEnd = event.kind === "setup-finished" || event.kind === "stage-finished";
      if (!isEnd) return;
      const result = event.kind === "setup-finished" ? label(event.result) : event.result;
      if (isFailing(result)) printFailure(result);
    },
    async finish(record) {
      await printing;
      end(
        isQuiet && isPlainSuccess(record)
          ? ""
          : `${await remainingText(record, rows, options)}${resultText(record, colors)}`,
      );
    },
    close: () => end(""),
  };
}

/** Failures without an event, such as spec drift, and the checks that passed or did not run. */
async function remainingText(record: RunRecord, rows: Rows, options: ReporterOptions): Promise<string> {
  const verification = record.attempts.at(-1)?.verification;
  const stages = [...(verification?.setup ?? []), ...(verification?.stages ?? [])];
  const shownStages = new Set([...rows.values()].flatMap(({result}) => (result === null ? [] : [result.name])));
  const unshown = stages.filter((stage) => isFailing(stage) && !shownStages.has(stage.name));
  const width = nameWidth(stages.map(({name}) => name));
  const blocks = await Promise.all(unshown.map((stage) => failureBlock(stage, {...options, width})));
  // The others are above, each with its failures.
  const table = options.isQuiet
    ? []
    : stages.filter((stage) => !isFailing(stage)).map((stage) => stageLine(stage, {width, colors: options.colors}));
  const parts = [...blocks, ...(table.length === 0 ? [] : [table.join("\n")])];
  return parts.map((part) => `${escapeLog(part, "")}\n\n`).join("");
}

async function failureBlock(stage: StageResult, options: ReporterOptions & {width: number}): Promise<string> {
  const text = await failureText(stage, options);
  return [stageLine(stage, options), ...(text === "" ? [] : [text])].join("\n");
}
