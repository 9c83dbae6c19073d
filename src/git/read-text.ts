/** Reads the text of one file at a commit. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type Git, gitRefused} from "./git.ts";

/**
 * Returns the text; null if there is no such file. Links, folders and files over `maxBytes` are refused. The top of the
 * tree is listed first, because `git` remembers that listing: it answers for files at the top, and for folders that do
 * not exist.
 */
export async function readText(wanted: {
  git: Git;
  commit: string;
  path: string;
  maxBytes: number;
}): Promise<Result<string | null, Failure>> {
  const {git, commit, path, maxBytes} = wanted;
  const refuse = (why: string) => refused({kind: "git-refused" as const, message: `${path} ${why}`});
  const top = await listEntries({git, commit});
  if (!top.ok) return top;
  const [first = ""] = path.split("/");
  const isAtTop = first === path;
  if (!isAtTop && !top.value.get(first)?.startsWith(TREE_MODE)) return ok(null);
  const entries = isAtTop ? top : await listEntries({git, commit, path});
  if (!entries.ok) return entries;
  const row = entries.value.get(path);
  if (row === undefined) return ok(null);
  const [mode = "", type, id = "", size = ""] = row.split(/ +/);
  if (type !== "blob") return refuse("is a folder or a submodule; a regular file is needed there");
  if (mode === "120000") return refuse("is a symbolic link; a regular file is needed there");
  if (Number(size) > maxBytes) return refuse(`is larger than ${maxBytes} bytes`);
  const text = await git(["cat-file", "blob", id]);
  return text.ok ? text : gitRefused(text.failure);
}

const TREE_MODE = "040000 ";

/** The mode, type, id and size of one path, or of each entry at the top of the tree. */
async function listEntries(wanted: {git: Git; commit: string; path?: string}) {
  const {git, commit, path} = wanted;
  const listing = await git([
    "ls-tree",
    "-z",
    "-l",
    "--full-tree",
    commit,
    ...(path === undefined ? [] : ["--", path]),
  ]);
  if (!listing.ok) return gitRefused(listing.failure);
  const rows = listing.value.split("\0").map((row) => {
    const tab = row.indexOf("\t");
    return [row.slice(tab + 1), row.slice(0, tab)] as const;
  });
  return ok(new Map(rows));
}
