/** Finds the top folder of a repository without starting git. */
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";

/** The top of the work tree that contains `cwd`; null outside of a repository. */
export function gitTop(cwd: string): string | null {
  return closest(cwd, (folder) => existsSync(join(folder, ".git")));
}

/** What to do if `name` in `--base name` is no commit of the repository in `folder`. */
export function revisionHint(folder: string): string {
  const isShallow = [".git/shallow", "shallow"].some((path) => existsSync(join(folder, path)));
  const hint = "Name a branch, a tag or a commit.";
  return isShallow
    ? `${hint} This clone is shallow: run \`git fetch --unshallow\`, or check out with \`fetch-depth: 0\`.`
    : hint;
}

/** The folder that a command works in: the whole repository, also from a folder below its top. */
export const repositoryFolder = (cwd: string): string => gitTop(cwd) ?? cwd;

/** The closest folder that fits, starting with `folder` itself; null if none does. */
export function closest(folder: string, fits: (folder: string) => boolean): string | null {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (fits(candidate)) return candidate;
    if (dirname(candidate) === candidate) return null;
  }
}

/** The error for a command that needs files, in a bare repository; null elsewhere. */
export function bareProblem(cwd: string): string | null {
  const folder = gitTop(cwd) === null ? bareRepository(cwd) : null;
  return folder && `error: ${folder} is a bare repository, which has no files. Run the command in a clone of it.`;
}

/**
 * The bare repository that contains `cwd`, recognized by the files in gitrepository-layout(5); null if there is none.
 */
export function bareRepository(cwd: string): string | null {
  return closest(cwd, (folder) => ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name))));
}
