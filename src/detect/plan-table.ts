/** Renders a plan as a table, for a terminal and as Markdown. */
import {codeSpan, inline, showInvisible} from "../markdown/escape.ts";
import type {CiCommandReport, NotRun, PathCoverage, Plan, Stage} from "../record/plan.ts";
import {CHANGED_PATHS} from "../record/words.ts";
import {assignments} from "../shell/quote.ts";
import {formatPlace} from "./selection/place.ts";

const MAX_NOTES = 20;
const MAX_WIDTH = 60;
const MAX_CI = 10;
const MAX_COMMAND = 120;
const MAX_FIX = 200;
const NO_CHECKS = "No checks found. Add `stages` to verify.json (`assay init` writes a template).";

/** Colours for a terminal; identity functions give plain text. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
}

/**
 * The plan for a terminal: setup, stages with their origins, then checks that do not run and notes. Ends with a
 * newline.
 */
export function planTable(plan: Plan, paint: Paint): string {
  const rows = plan.stages.map((stage) =>
    [stage.name, commandLine(stage, plan), `${stage.timeout} s`, needOf(stage)].map(plain),
  );
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => Math.min(row[column]?.length ?? 0, MAX_WIDTH))),
  );
  const stages = plan.stages.flatMap(({origin}, i) => {
    const [name = "", ...cells] = (rows[i] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const reason = plain(`${formatPlace(origin)}: ${origin.why}`);
    return [
      `  ${paint.bold(name)}  ${cells.join("  ").trimEnd()}`,
      paint.dim(`  ${" ".repeat(widths[0] ?? 0)}  ${reason}`),
    ];
  });
  const setup = plan.setup.map(({command, cwd, ownScript}) => {
    const folder = cwd === "." ? "" : `  (in ${plain(cwd)})`;
    return `  ${plain(command)}${folder}${ownScript === undefined ? "" : "  (in each checkout)"}`;
  });
  const notes = plan.notes.slice(0, MAX_NOTES).map((note) => paint.dim(`  ${plain(note.about)}: ${plain(note.text)}`));
  const moreNotes = plan.notes.length - MAX_NOTES;
  const moreLine = moreNotes > 0 ? [`  … and ${moreNotes} more (--json shows all)`] : [];
  const isForNoPath = plan.notes.some(({about}) => about === CHANGED_PATHS);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? ["", paint.bold(title), ...lines] : [];
  return [
    ...section("Setup", setup.length > 0 ? setup : ["  none"]).slice(1),
    ...section("Checks", stages.length > 0 ? stages : [`  ${isForNoPath ? "none for the changed paths" : NO_CHECKS}`]),
    ...section(
      "Not run",
      plan.notRun.map((one) => notRunLine(one, paint)),
    ),
    ...section("CI also requires", ciLines(plan.ci ?? [], paint)),
    ...section("Changed paths, and the checks that read them", plan.coverage?.map(coverageLine) ?? []),
    ...section("Skipped, and other notes", [...notes, ...moreLine]),
    "",
  ].join("\n");
}

/**
 * Stages and setup as Markdown. Text of the repository is put into code spans that it cannot close, or goes through
 * `inline`, so that it cannot create links or mentions.
 */
export function planMarkdown(plan: Pick<Plan, "stages" | "setup" | "notRun">): string {
  const notRun = plan.notRun.map(({about, why, fix}) => `- ${code(about)}: ${inline(why)}. Fix: ${inline(fix)}.`);
  const notRunPart = notRun.length === 0 ? [] : ["", "Not run:", "", ...notRun];
  if (plan.stages.length === 0) return [NO_CHECKS, ...notRunPart, ""].join("\n");
  const rows = plan.stages.map((stage) =>
    [
      ...["", code(stage.name), code(commandLine(stage, plan)), `${stage.timeout}&nbsp;s`, needOf(stage)],
      ...[`${code(formatPlace(stage.origin))}: ${inline(stage.origin.why, {table: true})}`, ""],
    ]
      .join(" | ")
      .trim(),
  );
  const setup = plan.setup.map((step) => `- ${code(step.command)}${step.cwd === "." ? "" : ` in ${code(step.cwd)}`}`);
  return [
    "| Check | Command | Limit | | From |",
    "|---|---|--:|---|---|",
    ...rows,
    ...(setup.length > 0 ? ["", "Setup:", "", ...setup] : []),
    ...notRunPart,
    "",
  ].join("\n");
}

function notRunLine({about, why, fix}: NotRun, paint: Paint): string {
  return `  ${plain(about)}: ${plain(why)}\n${paint.dim(`    fix: ${plain(fix)}`)}`;
}

/** The checks of CI that the plan does not run. Steps that prepare CI's machine are only counted. */
function ciLines(commands: readonly CiCommandReport[], paint: Paint): string[] {
  const listedCommands = commands.flatMap((one) => (one.outcome.kind === "listed" ? [{...one, ...one.outcome}] : []));
  const checks = listedCommands.filter(({role}) => role === "check");
  const shown = checks.slice(0, MAX_CI);
  const lines = shown.map(({command, cwd, why, fix, ...place}) => {
    const folder = cwd === "." ? "" : ` (in ${cwd})`;
    const text = plain(command);
    const shortText = text.length > MAX_COMMAND ? `${text.slice(0, MAX_COMMAND)}…` : text;
    const reason = paint.dim(`    ${plain(formatPlace(place))}: ${plain(why)}`);
    const change =
      fix === "" || fix.length > MAX_FIX || ENTRY.test(fix)
        ? ""
        : `\n${paint.dim(`    in verify.json: ${plain(fix)}`)}`;
    return `  ${shortText}${plain(folder)}\n${reason}${change}`;
  });
  const omissions = [
    ...(checks.length > MAX_CI ? [counted(checks.length - MAX_CI, "more check")] : []),
    ...(listedCommands.length > checks.length
      ? [counted(listedCommands.length - checks.length, "preparation step")]
      : []),
  ];
  const start = lines.length > 0 ? "… and" : "no other check, only";
  const omitted = omissions.length > 0 ? [`  ${start} ${omissions.join(", ")} (--json shows all)`] : [];
  return [...lines, ...omitted, ...entryLines(shown, paint)];
}

/** The entry of `extraStages` that a fix consists of. */
const ENTRY = /^"extraStages": \[(.*)\]$/s;

/** The entries that add these checks, in one key, because a second key of that name would replace the first. */
function entryLines(checks: readonly {readonly fix: string}[], paint: Paint): string[] {
  const entries = checks.flatMap(({fix}) => (fix.length > MAX_FIX ? [] : (ENTRY.exec(fix)?.[1] ?? [])));
  if (entries.length === 0) return [];
  const list = [...new Set(entries)].map((entry) => `    ${plain(entry)}`).join(",\n");
  return [paint.dim(`  To add checks, put the ones you want into verify.json:\n  "extraStages": [\n${list}\n  ]`)];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** An unproved stage counts as required once it passes, also in the run that the plan is for. */
const needOf = ({optional, unproved}: Stage): string =>
  unproved === true ? "unproved" : optional ? "optional" : "required";

/** The line of a stage, with the variables that tell it from another stage of the same line (gin-gonic/gin). */
function commandLine(stage: Stage, {stages}: Pick<Plan, "stages">): string {
  const alike = stages.filter(({command, cwd}) => command === stage.command && cwd === stage.cwd);
  const isOwn = ([name, value]: readonly [string, string]) => alike.some(({env}) => env[name] !== value);
  const line = [...assignments(Object.fromEntries(Object.entries(stage.env).filter(isOwn))), stage.command].join(" ");
  return stage.cwd === "." ? line : `cd ${stage.cwd} && ${line}`;
}

function coverageLine({path, stages, takenIn, project}: PathCoverage): string {
  const place = project !== null && takenIn.length === 0 ? ` (no stage reads the project in ${plain(project)})` : "";
  return `  ${plain(path)}: ${stages.length > 0 ? plain(stages.join(", ")) : `none${place}`}`;
}

function plain(text: string): string {
  return showInvisible(text).replace(/\s+/g, " ");
}

const code = (text: string): string => codeSpan(text, {table: true});
