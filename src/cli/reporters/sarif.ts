/** `--reporter sarif`: failures of checks and findings about the change, for code scanning and editors. */
import {INTEGRITY_RULES, type SarifProblem, sarifDocument, toProblem} from "../../integrity/sarif.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {RunRecord} from "../../record/record.ts";
import {wholeMessage} from "../../report/format.ts";
import {isFailing, stageResultWords} from "../../report/stages.ts";
import {VERSION} from "../../run/version.ts";
import {failuresOf, isDecisive, stagesOf, verdictExitCode} from "./charged.ts";
import {jsonText} from "./json-text.ts";
import {plain} from "./plain-text.ts";
import {progressReporter} from "./progress.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";

const STAGES_PAGE = "https://github.com/assay-run/assay/blob/main/docs/outcomes.md#checks";

export function sarifReporter(options: ReporterOptions): Reporter {
  return progressReporter(options, (record) => jsonText(recordToSarif(record)));
}

/** Each failing stage is a rule. */
export function recordToSarif(record: RunRecord): Record<string, unknown> {
  const stages = stagesOf(record).filter(isFailing);
  const rules = [...new Set(stages.map(({name}) => name))].map((id) => ({id, helpUri: STAGES_PAGE}));
  const findings = [...(record.integrity ?? []), ...(record.integrityNotes ?? [])];
  const exitCode = verdictExitCode(record.verdict);
  return sarifDocument({
    rules: [...rules, ...INTEGRITY_RULES],
    problems: [...stages.flatMap((stage) => problemsOf(stage, record)), ...findings.map(toProblem)],
    version: VERSION,
    invocation: {executionSuccessful: exitCode !== 2, exitCode},
  });
}

/** A failure without a known place is shown at the file that the stage comes from. */
function problemsOf(stage: StageResult, record: RunRecord): SarifProblem[] {
  const level = isDecisive(stage) ? "error" : "warning";
  const origin = record.plan?.stages.find(({name}) => name === stage.name)?.origin.file ?? ".";
  const about = {rule: stage.name, level} as const;
  const failures = failuresOf(stage);
  if (failures.length === 0) {
    const text = plain(`${stage.name}: ${stageResultWords(stage).result}`);
    return [{...about, text, path: origin, line: null}];
  }
  return failures.map((failure) => {
    const path = failure.path ?? null;
    const text = plain(
      [failure.testId, failure.code, wholeMessage(failure)].filter((part) => part !== undefined).join(": "),
    );
    return {...about, text, path: path ?? origin, line: path === null ? null : (failure.line ?? null)};
  });
}
