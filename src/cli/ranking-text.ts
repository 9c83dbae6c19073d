/** The text of the ranking that `assay plan --task` prints. */
import picocolors from "picocolors";
import {showInvisible} from "../markdown/escape.ts";
import type {SpecRanking} from "../record/specs.ts";

/** One line per spec, best first. */
export function rankingText({scorer, of, always, given, others}: SpecRanking): string {
  const rows = [...given, ...others].map(({score, path, words, chars}) => {
    const size = chars === 0 ? "not given" : `${chars} characters`;
    const wordList = words.length === 0 ? "" : picocolors.dim(`  ${words.join(", ")}`);
    return `  ${score.toFixed(3)}  ${size.padEnd(17)}  ${plain(path)}${wordList}`;
  });
  const lines = [
    picocolors.bold(`Specs for this task (${scorer}, best of ${of})`),
    ...(rows.length > 0 ? rows : ["  none"]),
    ...always.map((path) => `  always ${"".padEnd(18)}${plain(path)}`),
  ];
  return `\n${lines.join("\n")}\n`;
}

function plain(text: string): string {
  return showInvisible(text).replace(/\s+/g, " ");
}
