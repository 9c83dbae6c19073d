/** Finds files of the repository that a sparse checkout leaves out of the folder, so that no command takes them for missing. */
import {folderGit} from "./folder-git.ts";

/** The files at or below these paths; none if git cannot list them. */
export async function leftOutFiles({folder, paths}: {folder: string; paths: readonly string[]}): Promise<string[]> {
  const git = await folderGit(folder);
  const listing = (await git?.raw("ls-files", "-t", "-z", "--", ...paths).catch(() => "")) ?? "";
  return listing.split("\0").flatMap((entry) => (entry.startsWith("S ") ? entry.slice(2) : []));
}

/** Prints why a command that may write these paths would replace a file unseen. */
export async function hasLeftOutFile(folder: string, paths: readonly string[]): Promise<boolean> {
  const [file] = await leftOutFiles({folder, paths});
  if (file === undefined) return false;
  const top = file.split("/")[0] ?? file;
  process.stderr.write(
    `error: ${file} is in this repository, but a sparse checkout leaves it out of this folder. Nothing was written. Run \`git sparse-checkout add ${top}\`, then run this again.\n`,
  );
  return true;
}
