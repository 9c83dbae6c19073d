/** Finds the warnings of a run that fails because of them, whatever program prints them. */
import {bodyAt, type LogLines} from "./lines.ts";
import {ANY_SCORE, linesWithFlag} from "./prefilter.ts";

const COUNTED =
  /(?:[Aa]bort|[Ff]ail)\w* (?:with|due to|because of|on) .{0,20}\bwarnings?\b|[Tt]oo many warnings|\bwarnings?\b.{0,40}(?:in strict mode|as errors?\b|exceed|are not allowed)/;
const WARNING = /^\W*(?:\S{1,200}:\d+: )?warn(?:ing)?\b/i;

/** The indexes of the warnings; empty if no line says that they made the run fail. */
export function failingWarnings(lines: LogLines, flags: Int32Array): number[] {
  if (!linesWithFlag(ANY_SCORE, flags).some((index) => COUNTED.test(bodyAt(lines, index)))) return [];
  return lines.starts.flatMap((_, index) => (WARNING.test(bodyAt(lines, index)) ? [index] : []));
}
