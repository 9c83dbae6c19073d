/** Tells whether a test calls a function that it did not call before. */
import type {InspectedTest} from "./test-case.ts";

const CALL = /(?<![\w$.]|\bt\.)(?:(?:self|this|Self|cls)(?:\.|::))?([A-Za-z_$][\w$]*)\s*!?\(/g;

/** The test calls a function that it did not call before: a helper that asserts, a table of cases, a shared check. */
export function callsNewHelper(before: InspectedTest, after: InspectedTest): boolean {
  const earlierCalls = new Set([...before.source.code.matchAll(CALL)].map((match) => match[1]));
  return [...after.source.code.matchAll(CALL)].some(
    ({1: name = ""}) =>
      !earlierCalls.has(name) &&
      !/^(?:if|for|while|switch|catch|return|e?print\w*|dbg|warn|log|console|String|Number|len|fmt|require|range)$/.test(
        name,
      ),
  );
}
