/** Detects from its words whether an issue reports a bug. */

import {nameSet} from "../tools/names.ts";

const BUG_WORDS = nameSet(
  "bug broken crash crashes crashed crashing regression fail fails failing failure exception exceptions panic panics wrong",
  "wrongly incorrect incorrectly unexpected unexpectedly throw throws hang hangs leak leaks doesn't",
);
const BUG_PHRASE = /\b(?:does not|do(?: not|n't) work|stopped working|should not)\b/;
/** Headings of bug report forms. */
const FORM =
  /^#{1,6}\s*(?:steps to reproduce|to reproduce|how to reproduce|expected behaviou?r|actual behaviou?r|describe the bug)/im;
const REQUEST = /\bfix(?:es)?\b.{0,40}\b(?:bug|crash|regression|error|failure|exception)\b|\bbug\s?fix\b/i;
/** Words of a request or a title that ask for another kind of work. */
const OTHER_WORK = /\b(?:feature|docs?|documentation|refactor\w*|typos?|rename|upgrade|bump|add support|flaky)\b/i;

/** `request` is the comment that started the run. When in doubt, it is not a bug report. */
export function reportsBug(issue: {title: string; body: string; request: string}): boolean {
  if (OTHER_WORK.test(issue.title) || OTHER_WORK.test(issue.request)) return false;
  return reportsBugInTitle(issue.title) || FORM.test(issue.body) || REQUEST.test(issue.request);
}

function reportsBugInTitle(title: string): boolean {
  const text = title.toLowerCase().replaceAll("’", "'");
  return BUG_PHRASE.test(text) || text.match(/[\w']+/g)?.some((word) => BUG_WORDS.has(word)) === true;
}
