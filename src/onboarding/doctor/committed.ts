/** Finds Assay's files that are in the folder, but not in a commit: GitHub reads only commits. */
import {createHash} from "node:crypto";
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import type {SimpleGit} from "simple-git";
import {type Finding, okFinding} from "../finding.ts";

const NO_COMMIT = /valid object name HEAD/;

/**
 * One finding for the files at these paths that exist; none without a file, or if git cannot list them. The files are
 * compared by their ids, because `git status` runs the filters that the repository's settings name.
 */
export async function committedFindings(
  git: SimpleGit | null,
  {folder, paths}: {readonly folder: string; readonly paths: readonly string[]},
): Promise<Finding[]> {
  if (git === null || paths.length === 0) return [];
  const listing = await git
    .raw("ls-tree", "-r", "-z", "HEAD", "--", ...paths)
    .catch(({message}: Error) => (NO_COMMIT.test(message) ? "" : null));
  if (listing === null) return [];
  const rows = listing.split("\0").map((row) => row.split(/[ \t]/, 3).concat(row.slice(row.indexOf("\t") + 1)));
  const ids = new Map(rows.map(([, , id = "", path = ""]) => [path, id]));
  const files = await Promise.all(
    paths.toSorted().map(async (path) => ({
      path,
      committed: ids.get(path),
      present: await idOf(join(folder, path), ids.get(path)),
    })),
  );
  const changed = files.filter(({committed, present}) => committed === undefined || committed !== present);
  if (changed.length === 0) return [okFinding("commit", `${paths.join(", ")}: committed`)];
  const names = changed.map(({path}) => path).join(", ");
  const isNew = changed.every(({committed}) => committed === undefined);
  const text = isNew ? `not committed yet: ${names}` : `changes that are not committed yet: ${names}`;
  return [
    {
      about: "commit",
      state: "advice",
      text,
      next: `commit and push Assay's files to the default branch${commands(changed.map(({path}) => path))}`,
    },
  ];
}

/** To paste; a path with other characters would need quotes. */
const commands = (paths: readonly string[]): string =>
  paths.every((path) => /^[\w./-]+$/.test(path))
    ? `:\ngit add ${paths.join(" ")}\ngit commit -m "Set up Assay" && git push`
    : "";

/** The id that git gives to the content of this file, by the hash of the committed one; null if it cannot be read. */
async function idOf(file: string, committed = ""): Promise<string | null> {
  const content = await readFile(file).catch(() => null);
  if (content === null) return null;
  const hash = createHash(committed.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}
