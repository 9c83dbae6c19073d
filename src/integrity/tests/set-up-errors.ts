/** Finds assertions of Go that only say whether the standard library could prepare a test. */
import type {LocatedTest} from "./compare-tests.ts";
import type {Assertion} from "./test-case.ts";

/** The assertions of the base without those about a call of the standard library that the test does not make any more. */
export function withoutSetUpErrors(base: LocatedTest, head: LocatedTest): readonly Assertion[] {
  const {assertions, source, line} = base.test;
  if (!base.file.basePath.endsWith("_test.go")) return assertions;
  const lines = source.code.split("\n");
  return assertions.filter((one) => {
    if (!/^iferr!=nil\{/.test(one.text)) return true;
    const earlier = lines.slice(0, one.line - line).join("\n");
    const call = [...earlier.matchAll(/\berr\s*:?=\s*([a-z]\w*)\.(\w+)\(/g)].at(-1);
    const [, name = "", method = ""] = call ?? [];
    const isGone = !head.test.source.code.includes(`${name}.${method}(`);
    return call === undefined || !isGone || !isStandard(name, base.file.before ?? "");
  });
}

/** Only paths of the standard library have no dot in their first part (go.dev/ref/mod, "Module paths"). */
const isStandard = (name: string, text: string): boolean =>
  new RegExp(String.raw`^\s*(?:import\s+)?"(?:[a-z0-9]+/)*${name}"`, "m").test(text);
