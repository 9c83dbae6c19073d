/** Reads two commits of a repository on this machine, with as few git processes as possible. */
import {mkdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {type Git, hardenedGit} from "./git.ts";
import {rememberReads} from "./remember-reads.ts";

export interface LocalObjects {
  readonly git: Git;
  /** the ids of the commits, in the given order */
  readonly commits: readonly string[];
}

/** What `git init --bare` writes that git needs to read objects. */
const FILES = {HEAD: "ref: refs/heads/none\n", config: "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"};
const COMMIT_ID = /^[0-9a-f]{40}$/;

/**
 * Makes `folder` a repository that reads the objects of `source`, without its settings. Null if one of the revisions is
 * not a commit, or the repository has an unusual form: `openRepository` then gives the reason.
 */
export async function openLocalObjects(options: {
  folder: string;
  source: string;
  revisions: readonly string[];
  variables: Readonly<Record<string, string | undefined>>;
}): Promise<LocalObjects | null> {
  const {folder, source, revisions, variables} = options;
  if (revisions.some((revision) => revision.startsWith("-"))) return null;
  const git = rememberReads(hardenedGit({folder, variables}), folder);
  const commitNames = revisions.map((revision) => `${revision}^{commit}`);
  const answer = await git(["rev-parse", "--path-format=absolute", "--git-path", "objects", ...commitNames], {
    cwd: source,
  });
  const [objects = "", ...commits] = answer.ok ? answer.value.trimEnd().split("\n") : [];
  if (commits.length !== revisions.length || !commits.every((id) => COMMIT_ID.test(id))) return null;
  // git would read it as a quoted path.
  if (objects.startsWith('"')) return null;
  await mkdir(join(folder, "refs"), {recursive: true});
  await mkdir(join(folder, "objects", "info"), {recursive: true});
  await writeFile(join(folder, "objects", "info", "alternates"), `${objects}\n`);
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  return {git, commits};
}
