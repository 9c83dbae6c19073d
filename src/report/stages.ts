/** The table of stages, and a folded block for each that is not green. */
import type {Diagnostic, StageResult, Verdict} from "../record.ts";
import {clip, codeSpan, fence, htmlLine, inline} from "./escape.ts";
import {capped, ends, type Limits} from "./fit.ts";
import {counted, duration} from "./format.ts";
import {FAILURE_KIND, STAGE_OUTCOME} from "./wording.ts";

/** Icon and short result of one stage. What does not decide the verdict never gets the icon of what does. */
export function stageResultWords(stage: StageResult, verdict: Verdict): {icon: string; result: string} {
  const {icon, label} = STAGE_OUTCOME[stage.outcome];
  const seen = stage.tests === null ? "" : testsSeen(stage.tests);
  if (stage.outcome === "passed") return {icon, result: seen === "" ? label : `${label}, ${seen}`};
  const before = verdict.kind === "verified-with-preexisting" && verdict.stages.includes(stage.name);
  const why = seen !== "" && stage.outcome === "failed" && (stage.tests?.failed ?? 0) > 0 ? seen : stage.reason;
  const note = before ? " (as without the change)" : stage.optional && stage.outcome !== "skipped" ? " (optional)" : "";
  const softened = icon === "❌" && (before || stage.optional) ? "⚠️" : icon;
  return {icon: softened, result: `${label}${note}${why === "" ? "" : `: ${why}`}`};
}

function testsSeen(tests: {passed: number; failed: number; skipped: number}): string {
  const skipped = tests.skipped === 0 ? "" : `, ${tests.skipped} skipped`;
  if (tests.failed > 0) return `${tests.failed} of ${counted(tests.passed + tests.failed, "test")}${skipped}`;
  return `${counted(tests.passed, "test")}${skipped}`;
}

/** Every stage of a verification in one table, the install first; rows beyond the limit are counted. */
export function stageTable(o: {
  setup: readonly StageResult[];
  stages: readonly StageResult[];
  verdict: Verdict;
  limits: Limits;
}): string {
  const rows = [...o.setup, ...o.stages];
  if (rows.length === 0) return "";
  // What failed must be seen even where not every row is.
  const order = rows.length > o.limits.rows ? [...rows.filter(isRed), ...rows.filter((row) => !isRed(row))] : rows;
  const {shown, left} = capped(order, o.limits.rows);
  const lines = shown.map((stage) => {
    const {icon, result} = stageResultWords(stage, o.verdict);
    const cell = (text: string) => inline(clip(text, o.limits.line), {table: true});
    const command = codeSpan(clip(stage.command, o.limits.line), {table: true});
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
  const {shown, left} = capped([...o.setup, ...o.stages].filter(isRed), o.limits.list);
  const blocks = shown.map((stage) => failingStage(stage, o.limits)).filter((block) => block !== "");
  return left === 0 || blocks.length === 0 ? blocks : [...blocks, `…and ${left} more that did not pass.`];
}

function failingStage(stage: StageResult, limits: Limits): string {
  const found = capped(stage.diagnostics, limits.diagnostics);
  const kind = stage.failureKind === null || stage.failureKind === "code" ? [] : [FAILURE_KIND[stage.failureKind]];
  const items = found.shown.map((item) => `- ${diagnostic(item, limits.line)}`);
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
  return `${codeSpan(clip(where, max))}${code} ${inline(clip(item.message, max))}`.trim();
}

/** A folded block. The title is foreign text; the body is Markdown that is safe already. */
export function details(title: string, body: readonly string[]): string {
  return ["<details>", `<summary>${htmlLine(title)}</summary>`, "", body.join("\n\n"), "", "</details>"].join("\n");
}
