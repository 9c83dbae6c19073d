/** `--reporter json`: the record as one document on stdout, and the stages on stderr. */
import {jsonText} from "./json-text.ts";
import {progressReporter} from "./progress.ts";
import type {Reporter, ReporterOptions} from "./reporter.ts";

export function jsonReporter(options: ReporterOptions): Reporter {
  return progressReporter(options, jsonText);
}
