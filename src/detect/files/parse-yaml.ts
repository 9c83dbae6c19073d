/** Parses YAML within bounds. Loaded only for trees with YAML files, because the library is large. */
import {parse} from "yaml";

/** Parsing YAML takes far longer than parsing JSON; hand-written files are a tenth of this size. */
const MAX_YAML = 250_000;

/** Throws for invalid YAML, and for more than `MAX_YAML` characters. */
export function parseYaml(source: string): unknown {
  if (source.length > MAX_YAML) throw new SyntaxError("YAML");
  // `logLevel: "silent"` would return half of a broken file. `uniqueKeys` takes quadratic time.
  return parse(source, {maxAliasCount: 100, merge: true, uniqueKeys: false, logLevel: "error"});
}
