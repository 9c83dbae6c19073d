/** The text output of `assay plan`: the plan as a table, and the ranking of `--task`. */
import picocolors from "picocolors";
import {planTable} from "../detect/plan-table.ts";
import {showInvisible} from "../markdown/escape.ts";
import {escapeLog} from "../process/escape-log.ts";
import type {Plan, Setting} from "../record/plan.ts";
import type {SpecRanking} from "../record/specs.ts";

/** The plan as a table on stdout. */
export function printPlan(made: Plan): void {
  // The text is often printed in CI, and its names come from the repository.
  process.stdout.write(`${escapeLog(planTable(made, picocolors), "")}\n`);
  if (made.settings !== undefined) process.stdout.write(`${escapeLog(settingsText(made.settings), "")}\n`);
  if (made.specs !== undefined) process.stdout.write(`${escapeLog(rankingText(made.specs), "")}\n`);
}

function settingsText(settings: readonly Setting[]): string {
  const width = Math.max(...settings.map(({key}) => key.length));
  const rows = settings.map(({key, value, from}) => {
    const shown = value === "null" ? "not used" : value.length > 60 ? `${value.slice(0, 60)}…` : value;
    return `  ${plain(key).padEnd(width)}  ${plain(shown)}${picocolors.dim(`  ${plain(from)}`)}`;
  });
  return ["", picocolors.bold("Settings and where they come from"), ...rows].join("\n");
}

const REASONS: Readonly<Record<NonNullable<SpecRanking["noneBecause"]>, string>> = {
  "specs-off": 'specs are off (`"specs": false` in verify.json)',
  "no-match": "no text file matches the globs of `specs` in verify.json; `assay doctor` names them",
  "no-specs": 'no specs found in the known places; name yours in verify.json, such as "specs": ["docs/rfcs/*.md"]',
  "no-shared-words": "no spec shares words with the task",
};

/** One line per spec, best first. */
function rankingText({scorer, of, always, given, others, noneBecause}: SpecRanking): string {
  const rows = [...given, ...others].map(({score, path, words, chars}) => {
    const size = chars === 0 ? "not given" : `${chars} characters`;
    const wordList = words.length === 0 ? "" : picocolors.dim(`  ${words.join(", ")}`);
    return `  ${score.toFixed(3)}  ${size.padEnd(17)}  ${plain(path)}${wordList}`;
  });
  const lines = [
    picocolors.bold(`Specs for this task${of > 0 ? ` (${scorer}, best of ${of})` : ""}`),
    ...(noneBecause === null ? rows : [`  none: ${REASONS[noneBecause]}`]),
    ...always.map((path) => `  always ${"".padEnd(18)}${plain(path)}`),
  ];
  return `\n${lines.join("\n")}\n`;
}

function plain(text: string): string {
  return showInvisible(text).replace(/\s+/g, " ");
}
