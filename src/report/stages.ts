/** The table of stages, and a folded block for each that is not green. */

import {clip, codeSpan, fence, htmlLine, inline} from "../markdown/escape.ts";
import type {BaselineComparison, Diagnostic, StageResult} from "../record/evidence.ts";
import {isNotComparable, isPreExisting} from "../record/failure-cause.ts";
import {capLength, ends, type Limits} from "./fit-size.ts";
import {counted, duration, mergeEqual} from "./format.ts";
import {FAILURE_KIND, NO_CHECK, STAGE_OUTCOME} from "./wording.ts";

const AS_ON_BASE = " (as on the base)";

/** Icon and short result of one stage. What does not decide the verdict never gets the icon of what does. */
export function stageResultWords(stage: StageResult): {icon: string; result: string} {
  const {icon, label} =
    stage.outcome === "unavailable" && stage.failureKind === "no-check" ? NO_CHECK : STAGE_OUTCOME[stage.outcome];
  const seen = stage.tests === null ? uncounted(stage) : testsSeen(stage.tests);
  const compared = stage.baseline === null ? "" : comparison(stage.baseline);
  if (stage.outcome === "passed") return {icon, result: [label, seen, compared].filter(Boolean).join(", ")};
  const before = isPreExisting(stage);
  const why = seen !== "" && stage.outcome === "failed" && (stage.tests?.failed ?? 0) > 0 ? seen : stage.reason;
  const optional = stage.optional && stage.outcome !== "skipped" ? " (optional)" : "";
  const decides = !before && !stage.optional && !isNotComparable(stage);
  const softened = icon === "❌" && !decides ? "⚠️" : icon;
  const first = before ? `${label}, ${compared}` : label;
  const parts = [why, before ? "" : compared].filter(Boolean).join("; ");
  return {icon: softened, result: `${first}${optional}${parts === "" ? "" : `: ${parts}`}`};
}

/** A stage beside the base's: `as on the base (3)`, `1 new, 2 as on the base`, `2 fixed`. */
function comparison({outcome, new: fresh, preexisting, fixed, why}: BaselineComparison): string {
  const mended = fixed === 0 ? "" : `${fixed} fixed`;
  switch (outcome) {
    case "fixed":
      return mended;
    case "pre-existing":
      return [`as on the base (${preexisting.length})`, mended].filter(Boolean).join(", ");
    case "new": {
      const old = preexisting.length === 0 ? "" : `${preexisting.length} as on the base`;
      return [fresh.length === 0 ? why : `${fresh.length} new`, old, mended].filter(Boolean).join(", ");
    }
    case "not-comparable":
    case "unknown":
      return `not comparable with the base: ${why}`;
  }
}

/** A runner of no known form may be silent about its tests; the reader must know that the exit code is all there is. */
function uncounted({kind, outcome}: StageResult): string {
  return kind === "test" && outcome === "passed" ? "no test was counted" : "";
}

function testsSeen(tests: {passed: number; failed: number; skipped: number}): string {
  const skipped = tests.skipped === 0 ? "" : `, ${tests.skipped} skipped`;
  if (tests.failed > 0) return `${tests.failed} of ${counted(tests.passed + tests.failed, "test")}${skipped}`;
  return `${counted(tests.passed, "test")}${skipped}`;
}

/** Every stage of a verification in one table, the install first; rows beyond the limit are counted. */
export function stageTable(o: {setup: readonly StageResult[]; stages: readonly StageResult[]; limits: Limits}): string {
  const rows = [...o.setup, ...o.stages];
  if (rows.length === 0) return "";
  // What failed must be seen even where not every row is.
  const order = rows.length > o.limits.rows ? [...rows.filter(isRed), ...rows.filter((row) => !isRed(row))] : rows;
  const {shown, left} = capLength(order, o.limits.rows);
  const lines = shown.map((stage) => {
    const {icon, result} = stageResultWords(stage);
    const cell = (text: string) => inline(clip(text, o.limits.line), {table: true});
    const command = codeSpan(clip(stage.narrowed ?? stage.command, o.limits.line), {table: true});
    const where =
      stage.cwd === "." || stage.cwd === "" ? "" : ` in ${codeSpan(clip(stage.cwd, o.limits.line), {table: true})}`;
    const time = stage.outcome === "skipped" ? "" : duration(stage.durationMs);
    return `| ${icon} | ${cell(stage.name)} | ${command}${where} | ${cell(result)} | ${time} |`;
  });
  const more = left === 0 ? [] : [`| | …and ${left} more | | | |`];
  return ["| | Stage | Command | Result | Time |", "|---|---|---|---|--:|", ...lines, ...more].join("\n");
}

function isRed(stage: StageResult): boolean {
  return stage.outcome !== "passed" && stage.outcome !== "skipped";
}

/** One folded block per stage that did not pass: reason, what the tool found, and the end of what it printed. */
export function failingStages(o: {
  setup: readonly StageResult[];
  stages: readonly StageResult[];
  limits: Limits;
}): string[] {
  const {shown, left} = capLength([...o.setup, ...o.stages].filter(isRed), o.limits.list);
  const blocks = shown.map((stage) => failingStage(stage, o.limits)).filter((block) => block !== "");
  return left === 0 || blocks.length === 0 ? blocks : [...blocks, `…and ${left} more that did not pass.`];
}

function failingStage(stage: StageResult, limits: Limits): string {
  // What the change adds comes first: the rest fails without it too.
  const fresh = stage.baseline?.outcome === "new" ? stage.baseline.new : [];
  const old = stage.baseline?.preexisting ?? [];
  const found = capLength(fresh.length + old.length > 0 ? [...fresh, ...old] : stage.diagnostics, limits.diagnostics);
  const kind = stage.failureKind === null || stage.failureKind === "code" ? [] : [FAILURE_KIND[stage.failureKind]];
  const items = mergeEqual(
    found.shown.map((item) => `- ${diagnostic(item, limits.line)}${old.includes(item) ? AS_ON_BASE : ""}`),
  );
  if (found.left > 0 && items.length > 0) items.push(`- …and ${found.left} more`);
  const output =
    limits.excerpt === 0 || stage.excerpt.trim() === "" ? [] : [fence(ends(stage.excerpt, limits.excerpt), "text")];
  const body = [...kind, ...(items.length === 0 ? [] : [items.join("\n")]), ...output];
  if (body.length === 0) return "";
  const title = `${stage.name}: ${stage.reason === "" ? STAGE_OUTCOME[stage.outcome].label : stage.reason}`;
  return details(clip(title, limits.line), body);
}

function diagnostic(item: Diagnostic, max: number): string {
  const place = [item.file, item.line, item.column].filter((part) => part !== undefined).join(":");
  const code = item.code === undefined || item.code === "" ? "" : ` ${codeSpan(clip(item.code, max))}`;
  const where = place === "" ? (item.testId ?? "") : place;
  const message = item.message === where ? "" : inline(clip(item.message, max));
  return `${codeSpan(clip(where, max))}${code} ${message}`.trim();
}

/** A folded block. The title is foreign text; the body is Markdown that is safe already. */
export function details(title: string, body: readonly string[]): string {
  return ["<details>", `<summary>${htmlLine(title)}</summary>`, "", body.join("\n\n"), "", "</details>"].join("\n");
}
