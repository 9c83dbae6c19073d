/** Runs an installed advisory program in an empty folder, and returns its JSON document. */

import {mkdir, mkdtemp, writeFile} from "node:fs/promises";
import {join} from "node:path";
import type {StageEnvironment} from "../engine/stage/stage.ts";
import {run} from "../process/run.ts";
import {parseJson} from "../record/parse-json.ts";
import {ok, type Result, refused} from "../record/words.ts";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** A reason is shown as one line of a report. */
export const MAX_REASON = 160;

/**
 * `environment` is one of `openEmpty`: nothing of the change is in it. The exit code does not count, because these
 * programs also end with 1 if they found something. Never rejects; a refusal contains the reason.
 */
export async function askTool(options: {
  environment: StageEnvironment;
  argv: readonly [string, ...string[]];
  files: Readonly<Record<string, string>>;
}): Promise<Result<unknown, string>> {
  const {environment, argv, files} = options;
  const {isolation, signal, hidden} = environment;
  try {
    await mkdir(environment.folder, {recursive: true});
    const cwd = await mkdtemp(join(environment.folder, "packages-"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const env = environment.variables({pathFirst: [], extra: {}});
    const sandbox = environment.sandbox(env, {});
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const onStdout = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
    };
    const confined = {isolation, signal, ...(sandbox !== null && {sandbox}), ...(hidden && {hidden})};
    const {exit, stderr} = await run({argv, cwd, env}, {...confined, timeoutMs: TIMEOUT_MS, onStdout});
    if (exit.kind === "timed-out") return refused(`it did not answer within ${TIMEOUT_MS / 1000} s`);
    if (exit.kind === "not-started") return refused(exit.message);
    const document = parseJson(Buffer.concat(chunks).toString());
    if (document !== undefined && document !== null && bytes <= MAX_BYTES) return ok(document);
    return refused(stderr.head.trim().split("\n")[0]?.slice(0, MAX_REASON) || "its answer could not be read");
  } catch (error) {
    return refused(String(error));
  }
}
