/** How a test case in JUnit's XML is named. */
import type {TestCase} from "./tool.ts";

export const orNull = (text: string): string | null => (text === "" ? null : text);

/** The case of a data set cannot be named alone; Gradle puts brackets behind a method. */
export function inClass({classname, name}: TestCase, mark: string) {
  const title = `${classname}${mark}${name.replace(/\(\)$/, "")}`;
  return {file: null, name: title.replace(/ with data set .*$/s, ""), title};
}
