/** Finds the server on which the workflows of a folder run. */
import {otherServer} from "../github/server.ts";
import {folderGit} from "./folder-git.ts";

/** The host of GITHUB_SERVER_URL or else of the remote `origin`; null for github.com or if both are missing. */
export async function originServer(folder: string): Promise<string | null> {
  const serverUrl = process.env["GITHUB_SERVER_URL"] ?? "";
  if (serverUrl !== "") return otherServer(serverUrl);
  const git = await folderGit(folder);
  const origin = await git?.getConfig("remote.origin.url", "local").catch(() => null);
  return origin?.value ? otherServer(origin.value.trim()) : null;
}
