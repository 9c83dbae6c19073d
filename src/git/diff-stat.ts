/** Counts the lines that a change adds and removes, for people. */
import type {Repository} from "./repository.ts";

/** One changed file; a rename is one file with its new path. Lines are null in a binary file. */
export interface FileStat {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

/** The statistics of a change; null if git cannot make them, because nothing depends on them. */
export async function diffStat(repository: Repository, base: string, commit: string): Promise<FileStat[] | null> {
  const stat = await repository.git(["diff-tree", "-r", "-z", "--numstat", "-M", "-l2000", base, commit]);
  return stat.ok ? parseNumstat(stat.value) : null;
}

/** A rename has an empty path, and its two paths in the next fields. Null for output of another form. */
export function parseNumstat(output: string): FileStat[] | null {
  const fields = output.split("\0");
  const stats: FileStat[] = [];
  for (let index = 0; index < fields.length - 1; ) {
    const match = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(fields[index] ?? "");
    if (match === null) return null;
    const [, added = "", removed = "", path = ""] = match;
    const isRename = path === "";
    const newPath = isRename ? fields[index + 2] : path;
    if (!newPath) return null;
    stats.push({path: newPath, added: lines(added), removed: lines(removed)});
    index += isRename ? 3 : 1;
  }
  return stats;
}

const lines = (count: string): number | null => (count === "-" ? null : Number(count));
