/** The table of stages, and a folded block for each stage that did not pass. */

import {groupBy} from "../diagnostics/group-by.ts";
import {clip, codeSpan, fence, htmlLine, inline} from "../markdown/escape.ts";
import {type BaselineComparison, type Diagnostic, isPartlyRun, type StageResult} from "../record/evidence.ts";
import {isNotComparable, isPreExisting} from "../record/failure-cause.ts";
import type {Verdict} from "../record/verification.ts";
import {capLength, type DetailLimits, headAndTail} from "./fit-size.ts";
import {duration, mergeEqual, wholeMessage, withCount} from "./format.ts";
import {explanationLink} from "./link.ts";
import {FAILURE_KIND, NO_CHECK, STAGE_OUTCOME} from "./wording.ts";

const PART_PASSED = "☑️";
const ALSO_ON_BASE = "also without this change";

/** Icon and short result of one stage. A failure that does not decide the verdict gets a warning icon. */
export function stageResultWords(stage: StageResult): {icon: string; result: string} {
  const {outcome, optional, reason, tests, baseline} = stage;
  const {icon, label} = outcomeWords(stage);
  const comparisonText = baseline === null ? "" : comparison(baseline, reason);
  const skippedText = tests === null || tests.skipped === 0 ? "" : `, ${tests.skipped} skipped`;
  if (outcome === "passed") {
    // A part of a check is no green one.
    const shownIcon = isPartlyRun(stage) ? PART_PASSED : icon;
    const testCount = tests === null ? uncountedNote(stage) : `${withCount(tests.passed, "test")}${skippedText}`;
    return {icon: shownIcon, result: [label, testCount, comparisonText].filter(Boolean).join(", ")};
  }
  const failedText = failedCount(stage);
  const failure = failedText === "" ? [label, reason].filter(Boolean).join(": ") : `${failedText}${skippedText}`;
  const remarks = [optional && outcome !== "skipped" ? "optional" : "", comparisonText].filter(Boolean).join("; ");
  const decides = !optional && !isPreExisting(stage) && !isNotComparable(stage);
  return {icon: icon === "❌" && !decides ? "⚠️" : icon, result: failure + (remarks === "" ? "" : ` (${remarks})`)};
}

/** `2 of 7 tests failed`; empty if none is known to have failed. */
export function failedCount({outcome, tests}: StageResult): string {
  if (outcome !== "failed" || tests === null || tests.failed === 0) return "";
  return `${tests.failed} of ${withCount(tests.passed + tests.failed, "test")} failed`;
}

const outcomeWords = ({outcome, failureKind}: StageResult) =>
  outcome === "unavailable" && failureKind === "no-check" ? NO_CHECK : STAGE_OUTCOME[outcome];

/** The comparison of a stage with the base: `new in this change`, `1 new, 2 also without this change`, `2 fixed`. */
function comparison({outcome, new: added, preexisting, fixed, why}: BaselineComparison, reason: string): string {
  const fixedText = fixed === 0 ? "" : `${fixed} fixed`;
  switch (outcome) {
    case "fixed":
      return fixedText;
    case "pre-existing":
      return [ALSO_ON_BASE, fixedText].filter(Boolean).join(", ");
    case "new": {
      const preexistingText = preexisting.length === 0 ? "" : `${preexisting.length} ${ALSO_ON_BASE}`;
      const newText = added.length === 0 ? why : preexistingText === "" ? "new in this change" : `${added.length} new`;
      return [newText, preexistingText, fixedText].filter(Boolean).join(", ");
    }
    case "not-comparable":
    case "unknown":
      return why === `on the base, ${reason}`
        ? "not comparable: the same happens on the base"
        : `not comparable with the base: ${why}`;
  }
}

/** If the format of the runner's output is unknown, the report says that only the exit code was checked. */
function uncountedNote({kind}: StageResult): string {
  return kind === "test" ? "no test was counted" : "";
}

interface StageRows {
  readonly setup: readonly StageResult[];
  readonly stages: readonly StageResult[];
  readonly limits: DetailLimits;
}

/**
 * Every stage of a verification in one table, the install first. Rows beyond the limit are counted. A reason that the
 * verdict above already gives is left out.
 */
export function stageTable({setup, stages, limits, verdict}: StageRows & {readonly verdict: Verdict}): string {
  const rows = [...setup, ...stages];
  if (rows.length === 0) return "";
  // Failing stages come first if not every row is shown.
  const order =
    rows.length > limits.rows ? [...rows.filter(isFailing), ...rows.filter((row) => !isFailing(row))] : rows;
  const {shown, left} = capLength(order, limits.rows);
  const tableRows = shown.map((stage) => {
    const isExplained = verdict.kind === "unverified" && verdict.detail === `${stage.name}: ${stage.reason}`;
    const {icon, result} = stageResultWords(isExplained ? {...stage, reason: ""} : stage);
    const cell = (text: string) => inline(clip(text, limits.line), {table: true});
    const time = stage.outcome === "skipped" ? "" : duration(stage.durationMs);
    return `| ${icon} | ${cell(stage.name)} | ${cell(result)} | ${time} |`;
  });
  const remainder = left === 0 ? [] : [`| | …and ${left} more | | |`];
  return ["| | Check | Result | Time |", "|---|---|---|--:|", ...tableRows, ...remainder].join("\n");
}

/** The command and folder of each stage that ran, folded because they make the table too wide for a phone. */
export function commandsPart({setup, stages, limits}: StageRows): string {
  const {shown, left} = capLength([...setup, ...stages], limits.rows);
  if (shown.length === 0) return "";
  const code = (text: string) => codeSpan(clip(text, limits.line));
  const items = shown.map((stage) => {
    const folder = stage.cwd === "." || stage.cwd === "" ? "" : ` in ${code(stage.cwd)}`;
    return `- ${inline(clip(stage.name, limits.line))}: ${code(stage.narrowed ?? stage.command)}${folder}`;
  });
  if (left > 0) items.push(`- …and ${left} more`);
  return details("Commands", [items.join("\n")]);
}

/** True for a stage that ran and did not pass, or could not run. */
export function isFailing(stage: StageResult): boolean {
  return stage.outcome !== "passed" && stage.outcome !== "skipped";
}

/**
 * One folded block per failing stage: the reason, the diagnostics, and an excerpt of the output. Stages with the same
 * block share it.
 */
export function failingStages({setup, stages, limits}: StageRows): string[] {
  const {shown, left} = capLength([...setup, ...stages].filter(isFailing), limits.list);
  const alike = groupBy(
    shown.map((stage) => failingStage(stage, limits)).filter(({body}) => body !== ""),
    ({result, body}) => `${result}\n${body}`,
  );
  const blocks = [...alike.values()].map((same) => {
    const names = same.map(({name}) => name).join(", ");
    return details(clip(`${names}: ${same[0]?.result}`, limits.line), [same[0]?.body ?? ""]);
  });
  return left === 0 || blocks.length === 0 ? blocks : [...blocks, `…and ${left} more that did not pass.`];
}

interface FailingStage {
  readonly name: string;
  readonly result: string;
  /** empty if the table says everything */
  readonly body: string;
}

function failingStage(stage: StageResult, limits: DetailLimits): FailingStage {
  const newFailures = stage.baseline?.outcome === "new" ? stage.baseline.new : [];
  const preexistingFailures = stage.baseline?.preexisting ?? [];
  const {shown, left} = capLength(
    newFailures.length + preexistingFailures.length > 0 ? [...newFailures, ...preexistingFailures] : stage.diagnostics,
    limits.diagnostics,
  );
  const kind =
    stage.failureKind === null || stage.failureKind === "code"
      ? []
      : [`${FAILURE_KIND[stage.failureKind]} ${explanationLink("Failing stage", stage.failureKind)}`];
  const items = mergeEqual(
    shown.map(
      (item) => `- ${diagnostic(item, limits.line)}${preexistingFailures.includes(item) ? ` (${ALSO_ON_BASE})` : ""}`,
    ),
  );
  if (left > 0 && items.length > 0) items.push(`- …and ${left} more`);
  const output =
    limits.excerpt === 0 || stage.excerpt.trim() === ""
      ? []
      : [fence(headAndTail(stage.excerpt, limits.excerpt), "text")];
  // Other reasons are whole sentences, which the table shows.
  const isShort = stage.outcome === "failed" && stage.reason !== "";
  return {
    name: stage.name,
    result: isShort ? stage.reason : outcomeWords(stage).label,
    body: [...kind, ...(items.length === 0 ? [] : [items.join("\n")]), ...output].join("\n\n"),
  };
}

function diagnostic(item: Diagnostic, max: number): string {
  const place = [item.path ?? item.file, item.line, item.column].filter((part) => part !== undefined).join(":");
  const code = item.code === undefined || item.code === "" ? "" : ` ${codeSpan(clip(item.code, max))}`;
  const location = place === "" ? (item.testId ?? "") : place;
  const message = item.message === location ? "" : inline(clip(wholeMessage(item), max));
  return `${codeSpan(clip(location, max))}${code} ${message}`.trim();
}

/** A folded block. The title is escaped here; the body must be safe Markdown. */
export function details(title: string, body: readonly string[]): string {
  return ["<details>", `<summary>${htmlLine(title)}</summary>`, "", body.join("\n\n"), "", "</details>"].join("\n");
}
