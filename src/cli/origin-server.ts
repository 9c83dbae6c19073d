/** Finds the server on which the workflows of a folder run. */
import {otherServer} from "../github/server.ts";
import {findProgram} from "../process/isolation.ts";
import {run} from "../process/run.ts";

/** The host of GITHUB_SERVER_URL or else of the remote `origin`; null for github.com or if both are missing. */
export async function originServer(folder: string): Promise<string | null> {
  const named = process.env["GITHUB_SERVER_URL"] ?? "";
  if (named !== "") return otherServer(named);
  const path = process.env["PATH"] ?? "";
  const git = findProgram("git", {cwd: folder, path});
  if (git === null) return null;
  const asked = await run(
    {argv: [git, "config", "--local", "--get", "remote.origin.url"], cwd: folder, env: {PATH: path}},
    {timeoutMs: 10_000, isolation: "degraded"},
  );
  return asked.exit.kind === "exited" && asked.exit.code === 0 ? otherServer(asked.output.head.trim()) : null;
}
