/** The globs of `specs`: which files are specs, and which of them are excluded. */
import {Minimatch} from "minimatch";

export interface SpecGlobs {
  readonly isSpec: (path: string) => boolean;
  /** false if the globs only exclude some of the files in the known places */
  readonly isReplacing: boolean;
}

const WILDCARD = /[*?[{(]/;

/**
 * A leading `!` excludes; the last glob that matches a path counts. A glob without a slash matches a
 * name in any folder, and one with a leading slash only at the root. A folder matches everything in it.
 */
export function compileSpecGlobs(globs: readonly string[]): SpecGlobs {
  const rules = globs.map((glob) => {
    const isExclusion = glob.startsWith("!");
    const pattern = isExclusion ? glob.slice(1) : glob;
    return {isExclusion, globs: compileGlob(pattern)};
  });
  const isReplacing = rules.length === 0 || rules.some(({isExclusion}) => !isExclusion);
  return {
    isReplacing,
    isSpec: (path) => {
      const rule = rules.findLast((one) => one.globs.some((glob) => glob.match(path)));
      return rule === undefined ? !isReplacing : !rule.isExclusion;
    },
  };
}

/** The glob itself, and everything below it if it may be the path of a folder. */
function compileGlob(pattern: string): Minimatch[] {
  const isAnchored = pattern.startsWith("/");
  const path = pattern.replace(/^\//, "").replace(/\/+$/, "");
  const folder = isAnchored || path.includes("/") ? path : `**/${path}`;
  const options = {dot: true, nocomment: true, nonegate: true, matchBase: !isAnchored};
  const isFolder = path !== "" && !WILDCARD.test(path.slice(path.lastIndexOf("/") + 1));
  return [path, ...(isFolder ? [`${folder}/**`] : [])].map((glob) => new Minimatch(glob, options));
}
