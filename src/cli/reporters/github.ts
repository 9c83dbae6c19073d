/** `--reporter github`: the lines of `line`, and each failure as an annotation at its place, also in files that did not change. */
import {annotate, type RunnerAnnotation} from "../../github/annotations.ts";
import {escapeLog} from "../../process/escape-log.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {RunRecord} from "../../record/record.ts";
import {wholeMessage} from "../../report/format.ts";
import {headlineOf} from "../../report/headline.ts";
import {isFailing, stageResultWords} from "../../report/stages.ts";
import {errorTitle, failuresOf, isDecisive, stagesOf, verdictExitCode} from "./charged.ts";
import {lineReporter} from "./line.ts";
import {plain} from "./plain-text.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";

/** GitHub shows ten annotations of each level per step. */
const MAX_PER_LEVEL = 10;

/** Failures that are no annotation, because GitHub shows only some, follow as lines. */
export function githubReporter(options: ReporterOptions): Reporter {
  const lines = lineReporter(options, {omitsFailures: true});
  return {
    ...lines,
    async finish(record) {
      await lines.finish(record);
      const {shown, others} = annotationsOf(record);
      for (const annotation of shown) annotate(annotation);
      for (const {title, message, file = "", line = ""} of others)
        options.out.write(`${escapeLog(`${title}: ${message} ${file}:${line}`.replace(/ :$/, ""), "")}\n`);
    },
  };
}

/** There is an error exactly when the verdict is not good; the first one has the verdict. */
export function annotationsOf(record: RunRecord): Record<"shown" | "others", RunnerAnnotation[]> {
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
    ...stagesOf(record).filter(isFailing).flatMap(annotationsOfStage),
  ];
  const byLevel = (["error", "warning"] as const).map((level) => allAnnotations.filter((one) => one.level === level));
  return {
    shown: byLevel.flatMap((some) => some.slice(0, MAX_PER_LEVEL)),
    others: byLevel.flatMap((some) => some.slice(MAX_PER_LEVEL)),
  };
}

function annotationsOfStage(stage: StageResult): RunnerAnnotation[] {
  const level = isDecisive(stage) ? "error" : "warning";
  const title = plain(`${stage.name}: ${stageResultWords(stage).result}`);
  const failures = failuresOf(stage);
  if (failures.length === 0) return [{level, title, message: plain(stage.reason)}];
  return failures.map((failure) => ({
    level,
    title: failure.testId === undefined ? title : plain(`${stage.name}: ${failure.testId}`),
    message: plain([failure.code, wholeMessage(failure)].filter((part) => part !== undefined).join(" ")),
    file: failure.path,
    line: failure.line,
    column: failure.column,
  }));
}
