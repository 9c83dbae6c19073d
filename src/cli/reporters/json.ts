/** `--reporter json`: the record as one document on stdout, and the stages on stderr. */
import {progressReporter} from "./progress.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";

export function jsonReporter(options: ReporterOptions): Reporter {
  return progressReporter(options, (record) => `${JSON.stringify(record, null, 2)}\n`);
}
