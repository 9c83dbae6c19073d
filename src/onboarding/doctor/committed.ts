/** Finds Assay's files that are in the folder, but not in a commit: GitHub reads only commits. */
import type {Git} from "../../git/git.ts";
import {type Finding, okFinding} from "./finding.ts";

/** One finding for the files at these paths that exist; none without a file, or if git cannot list them. */
export async function committedFindings(
  git: Git,
  {folder, paths}: {readonly folder: string; readonly paths: readonly string[]},
): Promise<Finding[]> {
  if (paths.length === 0) return [];
  const status = await git(
    ["status", "--porcelain", "-z", "--untracked-files=all", "--ignored", "--no-renames", "--", ...paths],
    {cwd: folder},
  );
  if (!status.ok) return [];
  const entries = status.value.split("\0").filter((entry) => entry !== "");
  if (entries.length === 0) return [okFinding("commit", `${paths.join(", ")}: committed`)];
  const names = entries.map((entry) => entry.slice(3)).join(", ");
  const isNew = entries.every((entry) => /^(?:\?\?|!!|A)/.test(entry));
  const text = isNew ? `not committed yet: ${names}` : `changes that are not committed yet: ${names}`;
  return [
    {
      about: "commit",
      state: "advice",
      text,
      next: "commit and push them: on GitHub, Assay reads them from the default branch",
    },
  ];
}
