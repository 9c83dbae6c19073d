/** The table that compares the tries of a request. */
import {clip, codeSpan} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import type {RunRecord} from "../record/record.ts";
import type {Try} from "../record/tries.ts";
import type {DetailLimits} from "./fit-size.ts";
import {cost, joinWords, withCount} from "./format.ts";
import {headlineOf} from "./headline.ts";
import {TRIES} from "./publication-words.ts";

/** Empty for a single try. */
export function triesPart({tries}: RunRecord, limits: DetailLimits): string {
  if (tries === undefined || tries.rows.length < 2) return "";
  const rows = tries.rows.map((row) => {
    const unsaved = row.unsaved === undefined ? "" : TRIES.unsaved[row.unsaved];
    const place = row.ref === undefined ? unsaved : codeSpan(clip(branchOf(row.ref), limits.line), {table: true});
    const model = row.model === undefined ? "" : ` ${codeSpan(clip(row.model, limits.line), {table: true})}`;
    const cells = [
      `${row.number === tries.chosen ? `**${row.number}**` : row.number}${model}`,
      resultOf(row),
      row.candidate === null ? "" : `${row.findings}`,
      share(row.foreignFailed),
      share(row.executed),
      share(row.noticed),
      row.lines === null ? "" : `${row.lines}`,
      cost(row.usage),
      row.number === tries.chosen ? TRIES.chosen : place,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const equal = tries.ties.length === 0 ? "" : ` ${TRIES.equal} ${joinWords(tries.ties.map(String))}.`;
  return [`${TRIES.order}${equal}`, [TRIES.head, "|--:|---|--:|--:|--:|--:|--:|--:|---|", ...rows].join("\n")].join(
    "\n\n",
  );
}

/** The same for a terminal: a line for each try. */
export function triesLines({tries}: RunRecord): string[] {
  if (tries === undefined || tries.rows.length < 2) return [];
  const part = (value: Try["executed"], words: string) => (value?.all ? [`${share(value)} ${words}`] : []);
  return tries.rows.map((row) => {
    const saved = row.ref === undefined ? [] : [`saved on ${branchOf(row.ref)}`];
    const facts = [
      ...[resultOf(row), ...(row.lines === null ? [] : [withCount(row.lines, "line")])],
      ...(row.findings === 0 ? [] : [withCount(row.findings, "finding")]),
      ...part(row.foreignFailed, "tests of other tries fail"),
      ...part(row.executed, "changed lines executed"),
      ...part(row.noticed, "faults noticed"),
      cost(row.usage),
      ...(row.number === tries.chosen ? [TRIES.chosen] : row.unsaved ? [TRIES.unsaved[row.unsaved]] : saved),
    ];
    return `Try ${row.number}: ${facts.join(" · ")}`;
  });
}

function resultOf({verdict, heldOut}: Try): string {
  const {icon} = headlineOf({verdict, failures: [], publication: {kind: "none"}});
  return `${icon} ${verdict.kind}${heldOut === undefined ? "" : ` (tests: ${share(heldOut)})`}`;
}

const share = (value: Try["executed"]): string => (value === undefined ? "" : `${value.part}/${value.all}`);
