/** Decides whether a changed path matches the `when` of a stage, in the usual notations for folders and names. */
import {Minimatch} from "minimatch";
import {plainPath} from "../git/paths.ts";

/**
 * A glob without a slash matches a name in any folder. A slash at its start anchors it at the root. A folder, with or
 * without a slash at its end, matches everything in it.
 */
export function matchesWhen(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => {
    const bareGlob = plainPath(glob.replace(/^\.?\/+/, ""));
    const matches = (pattern: string) => new Minimatch(pattern, {dot: true, matchBase: bareGlob === glob}).match(path);
    return matches(bareGlob) || (!bareGlob.startsWith("!") && matches(`${bareGlob}/**`));
  });
}
