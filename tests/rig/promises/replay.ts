/** Runs a stage's command once more, outside the product, so that a claim can be held against what really happens. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {git} from "../git.ts";
import type {Origin} from "../origin.ts";
import {killProcessesOf} from "../runner/processes.ts";

/** A checkout of a commit of the server, in a folder of its own that is gone afterwards. */
export async function checkOutOnce(origin: Origin, commit: string): Promise<{folder: string} & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "rig-replay-"));
  await git(folder, ["clone", "--quiet", origin.folder, "."]);
  await git(folder, ["checkout", "--quiet", "--detach", commit]);
  return {
    folder,
    async [Symbol.asyncDispose]() {
      killProcessesOf(folder);
      await rm(folder, {recursive: true, force: true});
    },
  };
}

/** One stage's command, as the product starts it. What it leaves running is not waited for; the checkout's end kills it. */
export async function shell(command: string, cwd: string): Promise<{code: number | null; text: string}> {
  // what this test itself runs in must not reach the stage
  const {NODE_TEST_CONTEXT: _, ...env} = process.env;
  const child = spawn("/bin/bash", ["-e", "-o", "pipefail", "-c", command], {cwd, env, timeout: 120_000});
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stdin.end();
  const closed = once(child, "close");
  const [code]: (number | null)[] = await once(child, "exit");
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  return {code: code ?? null, text};
}
