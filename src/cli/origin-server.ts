/** Finds the server on which the workflows of a folder run. */
import {otherServer, repositoryAddress} from "../github/server.ts";
import {folderGit} from "./folder-git.ts";

/** The host of GITHUB_SERVER_URL or else of the remote `origin`; null for github.com or if both are missing. */
export async function originServer(folder: string): Promise<string | null> {
  const serverUrl = process.env["GITHUB_SERVER_URL"] ?? "";
  if (serverUrl !== "") return otherServer(serverUrl);
  const origin = await originOf(folder);
  return origin === null ? null : otherServer(origin);
}

/** The page of the repository in the remote `origin`; null if there is none. */
export async function originPage(folder: string): Promise<string | null> {
  const origin = await originOf(folder);
  return origin === null ? null : repositoryAddress(origin);
}

/** The default branch of the remote `origin`; a pattern for all branches if this clone does not know it. */
export async function originBranch(folder: string): Promise<string> {
  const git = await folderGit(folder);
  const head = await git?.raw("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD").catch(() => null);
  return head?.trim().replace(/^origin\//, "") || "**";
}

async function originOf(folder: string): Promise<string | null> {
  const git = await folderGit(folder);
  const origin = await git?.getConfig("remote.origin.url", "local").catch(() => null);
  return origin?.value?.trim() || null;
}
