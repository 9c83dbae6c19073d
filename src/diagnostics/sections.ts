/** Finds the steps of a log and which of them failed, from the markers of CI systems and task runners. */

import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG, linesWithFlag} from "./prefilter.ts";
import {ENDED_WELL, FAILED, STARTS} from "./step-markers.ts";

/** One step: its lines, from the command to the marker of its result. */
export interface Section {
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

export function findSections(lines: LogLines, flags: Int32Array): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const index of linesWithFlag(FLAG.step, flags)) {
    const body = bodyAt(lines, index);
    if (FAILED.some((pattern) => pattern.test(body))) {
      sections.push({from, to: index, failed: true});
      from = index + 1;
    } else if (ENDED_WELL.test(body)) {
      sections.push({from, to: index, failed: false});
      from = index + 1;
    } else if (STARTS.test(body)) {
      if (index > from) sections.push({from, to: index - 1, failed: false});
      from = index;
    }
  }
  if (from < lines.count) sections.push({from, to: lines.count - 1, failed: false});
  return sections;
}
