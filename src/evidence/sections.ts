/** Finds the steps of a log, and which of them failed, from the marks that CI systems and task runners leave. */
import {HINT, placesWith} from "./hints.ts";
import {bodyAt, type Lines, textAt} from "./lines.ts";

/** One step: its lines, from the command to the mark that says how it ended. */
export interface Section {
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

/** Begins a step: shells echo `$ command`, GitHub groups `Run …`, GitLab and Travis print marks of their own. */
const STARTS = /^(?:\$ \S|##\[group\]Run |travis_time:start:|section_start:\d+:|(?:nl|\d+)?\$ \S)/;

/** Ends a failed step. Tools further down the same failure print theirs too; the first in a row counts most. */
const FAILED =
  /exited with (?:code )?[1-9]\d*\b|failed and exited with|" failed (?:\d+ times|\. Retrying)|^##\[error\]Process completed with exit code [1-9]|^Error: Process completed with exit code [1-9]|^ERROR: Job failed|marked build as failure|^Exited with code [1-9]|^Build (?:FAILED|failed)|^BUILD FAIL/;
const ENDED_WELL = /exited with (?:code )?0\b/;

/** A quick look that spares most lines the patterns above: each of them holds one of these. */
const MAY_MARK =
  /exited with|Exited with|\$ \S|\[group\]Run |travis_time:|section_start:|" failed |exit code [1-9]|ERROR: Job|marked build as|^Build |^BUILD /;

export function findSections(lines: Lines, hints: Int32Array): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const at of placesWith(HINT.step, hints)) {
    const [text, body] = [textAt(lines, at), bodyAt(lines, at)];
    const says = (pattern: RegExp): boolean => pattern.test(text) || (body !== text && pattern.test(body));
    if (!says(MAY_MARK)) continue;
    if (says(FAILED)) {
      sections.push({from, to: at, failed: true});
      from = at + 1;
    } else if (ENDED_WELL.test(text)) {
      sections.push({from, to: at, failed: false});
      from = at + 1;
    } else if (says(STARTS)) {
      if (at > from) sections.push({from, to: at - 1, failed: false});
      from = at;
    }
  }
  if (from < lines.count) sections.push({from, to: lines.count - 1, failed: false});
  return sections;
}
