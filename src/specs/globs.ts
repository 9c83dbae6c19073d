/** The globs of `specs`: which files are specs, and which of them are excluded. */
import {Minimatch} from "minimatch";

export interface SpecGlobs {
  readonly isSpec: (path: string) => boolean;
  /** false if the globs only exclude some of the files in the known places */
  readonly isReplacing: boolean;
}

/**
 * A leading `!` excludes; the last glob that matches a path counts, as in `.gitignore`. A glob without a slash matches a
 * name in any folder, and one with a leading slash only at the root.
 */
export function compileSpecGlobs(globs: readonly string[]): SpecGlobs {
  const rules = globs.map((glob) => {
    const isExclusion = glob.startsWith("!");
    const pattern = isExclusion ? glob.slice(1) : glob;
    const isAnchored = pattern.startsWith("/");
    const options = {dot: true, nocomment: true, nonegate: true, matchBase: !isAnchored};
    return {isExclusion, glob: new Minimatch(isAnchored ? pattern.slice(1) : pattern, options)};
  });
  const isReplacing = rules.length === 0 || rules.some(({isExclusion}) => !isExclusion);
  return {
    isReplacing,
    isSpec: (path) => {
      const rule = rules.findLast(({glob}) => glob.match(path));
      return rule === undefined ? !isReplacing : !rule.isExclusion;
    },
  };
}
