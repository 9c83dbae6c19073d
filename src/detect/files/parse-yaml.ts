/** Reads YAML within bounds; a file of its own, because the library is as large as all that plans, and many trees have no YAML. */
import {parse} from "yaml";

/** Reading YAML takes far longer than reading JSON; what people write by hand is a tenth of this. */
const MAX_YAML = 250_000;

/** Throws for what is no valid YAML, or longer than `MAX_YAML` characters. */
export function parseYaml(source: string): unknown {
  if (source.length > MAX_YAML) throw new SyntaxError("YAML");
  // At level `silent` it would hand on half a file as if it were whole. Its own search for repeated keys takes time by the square of their number.
  return parse(source, {maxAliasCount: 100, merge: true, uniqueKeys: false, logLevel: "error"});
}
