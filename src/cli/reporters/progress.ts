/** Shared by the reporters that print a document: stage lines on stderr, and the document on stdout. */
import {escapeLog} from "../../process/escape-log.ts";
import type {RunRecord} from "../../record/record.ts";
import {labelRepeats} from "./repeated-setup.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";
import {nameWidth, stageLine} from "./stage-line.ts";

export function progressReporter(options: ReporterOptions, render: (record: RunRecord) => string): Reporter {
  const {out, err, colors, isQuiet} = options;
  const label = labelRepeats();
  return {
    onEvent(event) {
      if (isQuiet || (event.kind !== "setup-finished" && event.kind !== "stage-finished")) return;
      const result = event.kind === "setup-finished" ? label(event.result) : event.result;
      err.write(`${escapeLog(stageLine(result, {width: nameWidth([result.name]), colors}), "")}\n`);
    },
    async finish(record) {
      out.write(render(record));
    },
    close() {},
  };
}
