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

/** The first parts of the standard library's paths (pkg.go.dev/std): a module of one's own may have no dot either. */
const STANDARD =
  /^(?:archive|bufio|bytes|cmp|compress|context|crypto|database|embed|encoding|errors|fmt|hash|html|image|io|mime|net|os|path|regexp|slices|sort|strconv|strings|testing|text|time|unicode)$/;

const isStandard = (name: string, text: string): boolean => {
  const path = new RegExp(String.raw`^\s*(?:import\s+)?"((?:[a-z0-9]+/)*${name})"`, "m").exec(text)?.[1];
  return STANDARD.test(path?.split("/")[0] ?? "");
};
