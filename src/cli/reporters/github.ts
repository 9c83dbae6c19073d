/** `--reporter github`: the lines of `line`, then annotations at the places of the failures, also in files that did not change. */
import {annotate, type RunnerAnnotation} from "../../github/annotations.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {RunRecord} from "../../record/record.ts";
import {headlineOf} from "../../report/headline.ts";
import {isFailing, stageResultWords} from "../../report/stages.ts";
import {wholeMessage} from "../../report/whole-message.ts";
import {errorTitle, failuresOf, isDecisive, pathOf, stagesOf, verdictExitCode} from "./charged.ts";
import {lineReporter} from "./line.ts";
import {plain} from "./plain-text.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";

/** GitHub shows ten annotations of each level per step. */
const MAX_PER_LEVEL = 10;

export function githubReporter(options: ReporterOptions): Reporter {
  const lines = lineReporter(options);
  return {
    ...lines,
    async finish(record) {
      await lines.finish(record);
      for (const annotation of annotationsOf(record)) annotate(annotation);
    },
  };
}

/** There is an error exactly when the verdict is not good; the first one has the verdict. */
export function annotationsOf(record: RunRecord): RunnerAnnotation[] {
  const {sentence} = headlineOf(record);
  const isGood = verdictExitCode(record.verdict) === 0;
  const verdict = {level: "error" as const, title: `Assay: ${errorTitle(record)}`, message: plain(sentence)};
  const allAnnotations = [
    ...(isGood ? [] : [verdict]),
    ...(record.integrity ?? []).map((finding) => ({
      level: finding.level === "block" && !isGood ? ("error" as const) : ("warning" as const),
      title: `Assay: ${finding.check}`,
      message: plain(`${finding.message}. ${finding.fix}`),
      file: finding.path === "." ? undefined : finding.path,
      line: finding.line ?? undefined,
    })),
    ...stagesOf(record)
      .filter(isFailing)
      .flatMap((stage) => annotationsOfStage(stage, record)),
  ];
  return (["error", "warning"] as const).flatMap((level) =>
    allAnnotations.filter((annotation) => annotation.level === level).slice(0, MAX_PER_LEVEL),
  );
}

function annotationsOfStage(stage: StageResult, record: RunRecord): RunnerAnnotation[] {
  const level = isDecisive(stage) ? "error" : "warning";
  const title = plain(`${stage.name}: ${stageResultWords(stage).result}`);
  const failures = failuresOf(stage);
  if (failures.length === 0) return [{level, title, message: plain(stage.reason)}];
  return failures.map((failure) => ({
    level,
    title: failure.testId === undefined ? title : plain(`${stage.name}: ${failure.testId}`),
    message: plain([failure.code, wholeMessage(failure, stage)].filter((part) => part !== undefined).join(" ")),
    file: pathOf(failure, stage, record) ?? undefined,
    line: failure.line,
    column: failure.column,
  }));
}
