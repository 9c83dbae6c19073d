/** Derives a test's file and name from a test case in JUnit XML. */
import type {TestCase} from "./tool.ts";

export const orNull = (text: string): string | null => (text === "" ? null : text);

/** The case of a data set cannot be named alone. Gradle adds brackets to a method. */
export function identifyInClass({classname, name}: TestCase, mark: string) {
  const title = `${classname}${mark}${name.replace(/\(\)$/, "")}`;
  return {file: null, name: title.replace(/ with data set .*$/s, ""), title};
}
