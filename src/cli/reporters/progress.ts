/** Shared by the reporters that print a document: stage lines on stderr, and the document on stdout. */
import {escapeLog} from "../../process/escape-log.ts";
import type {RunRecord} from "../../record/record.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";
import {nameWidth, stageLine} from "./stage-line.ts";

export function progressReporter(options: ReporterOptions, render: (record: RunRecord) => string): Reporter {
  const {out, err, colors, isQuiet} = options;
  return {
    onEvent(event) {
      if (isQuiet || (event.kind !== "setup-finished" && event.kind !== "stage-finished")) return;
      err.write(`${escapeLog(stageLine(event.result, {width: nameWidth([event.result.name]), colors}), "")}\n`);
    },
    async finish(record) {
      out.write(render(record));
    },
    close() {},
  };
}
