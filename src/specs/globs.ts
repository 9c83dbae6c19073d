/** The globs of `specs`: which files are specs, and which of them are excluded. */
import {compilePattern} from "../changes/gitignore-pattern.ts";

export interface SpecGlobs {
  readonly isSpec: (path: string) => boolean;
  /** false if the globs only exclude some of the files in the known places */
  readonly isReplacing: boolean;
}

/** Patterns of gitignore(5): a leading `!` excludes; the last one that matches a path counts. */
export function compileSpecGlobs(globs: readonly string[]): SpecGlobs {
  const rules = globs.map((glob) => {
    const isExclusion = glob.startsWith("!");
    return {isExclusion, pattern: compilePattern(isExclusion ? glob.slice(1) : glob, {ignoreCase: false})};
  });
  const isReplacing = rules.length === 0 || rules.some(({isExclusion}) => !isExclusion);
  return {
    isReplacing,
    isSpec: (path) => {
      const rule = rules.findLast(({pattern}) => pattern.ignores(path));
      return rule === undefined ? !isReplacing : !rule.isExclusion;
    },
  };
}
