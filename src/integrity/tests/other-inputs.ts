/** Finds assertions that moved to another input, so that no test examines the earlier input any more. */

import type {InspectedChange} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import type {AssertionPair} from "./assertion-pairs.ts";
import type {Assertion} from "./test-case.ts";

const LITERALS = /"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g;
const shapeOf = (text: string): string => text.replace(LITERALS, "");

/** In `assert!(text.contains("a"))`, the value is what the assertion expects. */
const hasExpectation = ({text, subject}: Assertion): boolean =>
  /[\w"'`]/.test(text.slice(text.indexOf(subject) + subject.length).replace(/^\)+\.\w+/, ""));

/**
 * The pair whose function gets other values. A new feature may need that, but then the change also has further calls of
 * the function.
 */
export function withOtherInput(pairs: readonly AssertionPair[], {files}: InspectedChange): AssertionPair | undefined {
  const moved = pairs.filter(
    ({before, after}) =>
      before.subject !== after.subject &&
      before.subject.includes("(") &&
      hasExpectation(before) &&
      shapeOf(before.subject) === shapeOf(after.subject),
  );
  if (moved.length === 0) return undefined;
  const tests = files.filter(({path, basePath}) => isTestPath(path) || isTestPath(basePath) || path.endsWith(".rs"));
  const textOf = (key: "before" | "after") => tests.map((file) => (file[key] ?? "").replace(/\s+/g, "")).join("\n");
  const [earlier, current] = [textOf("before"), textOf("after")];
  return moved.find(({before: {subject}}) => {
    const call = subject.slice(0, subject.indexOf("(") + 1);
    return !current.includes(subject) && current.split(call).length <= earlier.split(call).length;
  });
}
