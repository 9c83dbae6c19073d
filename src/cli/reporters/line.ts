/** `--reporter line`: each stage when it ends, its failures below it, and the verdict. For logs and agents. */
import {escapeLog} from "../../process/escape-log.ts";
import type {RunEvent} from "../../record/events.ts";
import type {StageResult} from "../../record/evidence.ts";
import {isFailing} from "../../report/stages.ts";
import {failureText, failureTitle} from "./failure-text.ts";
import {stageKey} from "./repeated-setup.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";
import {isPlainSuccess, resultText} from "./result-text.ts";
import {nameWidth, stageLine} from "./stage-line.ts";

/**
 * The lines are in the order that the stages end in. Stages that did not start follow at the end. With `omitsFailures`,
 * only the output of a stage without known failures is below its line. `wordEvent` gives the line of an event that is not about a stage.
 */
export function lineReporter(
  options: ReporterOptions,
  {omitsFailures = false, wordEvent}: {omitsFailures?: boolean; wordEvent?: (event: RunEvent) => string | null} = {},
): Reporter {
  const {out, colors, isQuiet} = options;
  const print = (text: string) => out.write(`${escapeLog(text, "")}\n`);
  const shownStages = new Set<string>();
  const failedStages = new Set<string>();
  let width = 0;
  // Failures are printed after their files are read, so all output waits in order: a block must not appear below
  // another stage.
  let printing: Promise<unknown> = Promise.resolve();
  const show = (stage: StageResult) => {
    shownStages.add(stageKey(stage));
    if (isFailing(stage)) failedStages.add(stageKey(stage));
    const failures = isFailing(stage) ? failureText(stage, {...options, omitsFailures}) : null;
    printing = printing.then(async () => {
      if (!isQuiet) print(stageLine(stage, {width: Math.max(width, nameWidth([stage.name])), colors}));
      else if (failures !== null) print(failureTitle(stage, options));
      const text = await failures;
      if (text) print(`${text}\n\n`);
    });
  };
  return {
    onEvent(event) {
      const words = wordEvent?.(event) ?? null;
      if (words !== null) printing = printing.then(() => print(colors.dim(words)));
      if (event.kind === "planned") width = nameWidth(event.stages.map(({name}) => name));
      // A changed manifest is set up again: on the base and on the candidate. Only a failure after a success is news.
      const isRepeated = event.kind === "setup-finished" && shownStages.has(stageKey(event.result));
      if (isRepeated && (!isFailing(event.result) || failedStages.has(stageKey(event.result)))) return;
      if (event.kind === "setup-finished" || event.kind === "stage-finished") show(event.result);
    },
    async finish(record) {
      const verification = record.attempts.at(-1)?.verification;
      const results = [...(verification?.setup ?? []), ...(verification?.stages ?? [])];
      width = Math.max(width, nameWidth(results.map(({name}) => name)));
      for (const stage of results) if (!shownStages.has(stageKey(stage))) show(stage);
      await printing;
      if (isQuiet && isPlainSuccess(record)) return;
      if (shownStages.size > 0 && !isQuiet) print("");
      print(resultText(record, colors));
    },
    close() {},
  };
}
