/** Finds the steps of a log, and which of them failed, from the marks that CI systems and task runners leave. */

import {bodyAt, type Lines} from "./lines.ts";
import {HINT, placesWith} from "./prefilter.ts";
import {ENDED_WELL, FAILED, STARTS} from "./step-markers.ts";

/** One step: its lines, from the command to the mark that says how it ended. */
export interface Section {
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

export function findSections(lines: Lines, hints: Int32Array): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const at of placesWith(HINT.step, hints)) {
    const body = bodyAt(lines, at);
    if (FAILED.test(body)) {
      sections.push({from, to: at, failed: true});
      from = at + 1;
    } else if (ENDED_WELL.test(body)) {
      sections.push({from, to: at, failed: false});
      from = at + 1;
    } else if (STARTS.test(body)) {
      if (at > from) sections.push({from, to: at - 1, failed: false});
      from = at;
    }
  }
  if (from < lines.count) sections.push({from, to: lines.count - 1, failed: false});
  return sections;
}
