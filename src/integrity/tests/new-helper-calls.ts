/** Tells whether a test calls a helper that it did not call before, and that can assert the same. */

import type {LocatedTest} from "./compare-tests.ts";
import {LITERALS} from "./other-inputs.ts";

const CALL = /(?<![\w$.]|\bt\.)(?:(?:self|this|Self|cls)(?:\.|::))?([A-Za-z_$][\w$]*)\s*!?\(/g;
const NO_HELPER =
  /^(?:if|for|while|switch|catch|return|e?print\w*|dbg|warn|log|console|String|Number|len|fmt|require|range|set(?:Timeout|Immediate|Interval))$/;

/**
 * The test calls a function that it did not call before: a helper that asserts, a table of cases, a shared check. The
 * inputs of its earlier assertions are still in the file.
 */
export function callsNewHelper(base: LocatedTest, head: LocatedTest): boolean {
  const [before, after] = [base.test, head.test];
  const earlierCalls = new Set([...before.source.code.matchAll(CALL)].map((match) => match[1]));
  const isNew = ({1: name = ""}: RegExpMatchArray) => !earlierCalls.has(name) && !NO_HELPER.test(name);
  if (![...after.source.code.matchAll(CALL)].some(isNew)) return false;
  const text = withoutSpaces(head.file.after ?? "");
  // Other results may be expected of the same inputs.
  const values = before.assertions.flatMap(({subject}) => subject.match(LITERALS) ?? []);
  return values.every((value) => text.includes(withoutSpaces(value).replace(/^["'`]|["'`]$/g, "")));
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, "");
