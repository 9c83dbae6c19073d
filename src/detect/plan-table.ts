/** Shows a plan as a table: for a terminal, and as Markdown. */

import {codeSpan, inline, showInvisible} from "../markdown/escape.ts";
import type {Note, NotRun, PathCoverage, Plan, Stage} from "../record/plan.ts";
import {formatPlace} from "./selection/place.ts";

const MAX_NOTES = 20;

/** Colours for a terminal; the identity for each gives plain text. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
}

/** The plan for a terminal: set-up, stages in columns, where each comes from, then what was passed over. Ends with a new line. */
export function planTable(plan: Plan, paint: Paint): string {
  const rows = plan.stages.map((stage) => [
    stage.name,
    line(stage),
    `${stage.timeout} s`,
    stage.optional ? "optional" : "required",
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => Math.min(row[column]?.length ?? 0, 60))));
  const lines = rows.flatMap((row, i) => {
    const cells = row.map((cell, column) => plain(cell).padEnd(widths[column] ?? 0));
    const stage = plan.stages[i];
    return [
      `  ${paint.bold(cells[0] ?? "")}  ${cells.slice(1).join("  ").trimEnd()}`,
      ...(stage
        ? [paint.dim(`  ${" ".repeat(widths[0] ?? 0)}  ${plain(`${formatPlace(stage.origin)}: ${stage.origin.why}`)}`)]
        : []),
    ];
  });
  const setup = plan.setup.map(
    (step) => `  ${plain(step.command)}${step.cwd === "." ? "" : `  (in ${plain(step.cwd)})`}`,
  );
  const notes = plan.notes.slice(0, MAX_NOTES).map((note) => paint.dim(`  ${plain(note.about)}: ${plain(note.text)}`));
  return [
    paint.bold("Set-up"),
    ...(setup.length > 0 ? setup : ["  none"]),
    "",
    paint.bold("Stages"),
    ...(lines.length > 0
      ? lines
      : ["  No checks found. Add `stages` to verify.json (`assay init` writes a template)."]),
    ...(plan.notRun.length > 0 ? ["", paint.bold("Not run"), ...plan.notRun.map((one) => notRunLine(one, paint))] : []),
    ...(plan.coverage
      ? ["", paint.bold("Changed paths, and the stages that read them"), ...plan.coverage.map(covered)]
      : []),
    ...(notes.length > 0 ? ["", paint.bold("Passed over, and other notes"), ...notes, ...rest(plan.notes)] : []),
    "",
  ].join("\n");
}

/**
 * Stages and set-up as Markdown. Foreign text stands in code spans that it cannot close, or goes through `inline`: it can
 * neither link nor mention.
 */
export function planMarkdown(plan: Pick<Plan, "stages" | "setup" | "notRun">): string {
  const notRun = plan.notRun.map(({about, why, fix}) => `- ${code(about)}: ${inline(why)}. Fix: ${inline(fix)}.`);
  const left = notRun.length === 0 ? [] : ["", "Not run:", "", ...notRun];
  if (plan.stages.length === 0) {
    const none = "No stages were found here: without one nothing can be verified. Name your commands in `verify.json`.";
    return [none, ...left, ""].join("\n");
  }
  const rows = plan.stages.map((stage) =>
    [
      ...["", code(stage.name), code(line(stage)), `${stage.timeout}&nbsp;s`, stage.optional ? "optional" : "required"],
      ...[`${code(formatPlace(stage.origin))}: ${inline(stage.origin.why, {table: true})}`, ""],
    ]
      .join(" | ")
      .trim(),
  );
  const setup = plan.setup.map((step) => `- ${code(step.command)}${step.cwd === "." ? "" : ` in ${code(step.cwd)}`}`);
  return [
    "| Stage | Command | Limit | | From |",
    "|---|---|--:|---|---|",
    ...rows,
    ...(setup.length > 0 ? ["", "Set-up:", "", ...setup] : []),
    ...left,
    "",
  ].join("\n");
}

function notRunLine({about, why, fix}: NotRun, paint: Paint): string {
  return `  ${plain(about)}: ${plain(why)}\n${paint.dim(`    fix: ${plain(fix)}`)}`;
}

function line(stage: Stage): string {
  return stage.cwd === "." ? stage.command : `cd ${stage.cwd} && ${stage.command}`;
}

function covered({path, stages, takenIn, project}: PathCoverage): string {
  const place = project !== null && takenIn.length === 0 ? ` (no stage reads the project in ${plain(project)})` : "";
  return `  ${plain(path)}: ${stages.length > 0 ? plain(stages.join(", ")) : `none${place}`}`;
}

function rest(notes: readonly Note[]): string[] {
  return notes.length > MAX_NOTES ? [`  … and ${notes.length - MAX_NOTES} more (--json has them all)`] : [];
}

function plain(text: string): string {
  return showInvisible(text).replace(/\s+/g, " ");
}

const code = (text: string): string => codeSpan(text, {table: true});
