/** Finds the server on which the workflows of a folder run. */
import {otherServer} from "../github/server.ts";
import {findProgram} from "../process/isolation.ts";
import {run} from "../process/run.ts";

/** The host of GITHUB_SERVER_URL or else of the remote `origin`; null for github.com or if both are missing. */
export async function originServer(folder: string): Promise<string | null> {
  const serverUrl = process.env["GITHUB_SERVER_URL"] ?? "";
  if (serverUrl !== "") return otherServer(serverUrl);
  const path = process.env["PATH"] ?? "";
  const git = findProgram("git", {cwd: folder, path});
  if (git === null) return null;
  const result = await run(
    {argv: [git, "config", "--local", "--get", "remote.origin.url"], cwd: folder, env: {PATH: path}},
    {timeoutMs: 10_000, isolation: "degraded"},
  );
  return result.exit.kind === "exited" && result.exit.code === 0 ? otherServer(result.output.head.trim()) : null;
}
