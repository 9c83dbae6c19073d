/** Finds paths that are neither in the folder nor in its last commit, which are usually typing errors. */
import {lstatSync} from "node:fs";
import {join} from "node:path";
import {hardenedGit} from "../git/git.ts";
import {plainPath} from "../git/paths.ts";
import {type OwnPrograms, ownPrograms} from "../process/own-programs.ts";

/** A deleted path is in the last commit. Without a commit, only the folder counts. */
export async function missingPaths(
  folder: string,
  paths: readonly string[],
  programs: OwnPrograms = ownPrograms(),
): Promise<string[]> {
  const absent = paths.filter((path) => lstatSync(join(folder, path), {throwIfNoEntry: false}) === undefined);
  const git = hardenedGit({variables: process.env, folder, programs});
  const pathsInCommit = await Promise.all(
    absent.map(async (path) => {
      const listing = await git(["ls-tree", "--name-only", "-z", "HEAD", "--", plainPath(path)], {
        cwd: folder,
      });
      return listing.ok && listing.value !== "";
    }),
  );
  return absent.filter((_, i) => !pathsInCommit[i]);
}
