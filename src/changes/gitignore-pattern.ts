/** One glob of verify.json as a pattern of gitignore(5). */
import ignore, {type Ignore} from "ignore";
import {braceExpand} from "minimatch";

/**
 * Each glob is compiled alone, because its list goes by "the last match counts", and gitignore never allows a part of a
 * folder that it takes (`docs/**` would defeat a later `!docs/old/**`). Braces and a leading `#` are not special there.
 */
export function compilePattern(glob: string, options: {ignoreCase: boolean}): Ignore {
  return ignore(options).add(braceExpand(glob.replace(/^#/, "\\#")));
}
