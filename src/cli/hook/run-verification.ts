/** Runs `assay verify --json` for the stop hook, within a time limit. */
import {run} from "../../process/run.ts";
import {STOP_HOOK} from "../stop-hook.ts";
import {useTerminalPrograms} from "../terminal-programs.ts";

const MAX_BYTES = 50_000_000;
const GRACE_MS = 3_000;

/** `output` is empty if the verification did not finish. */
export async function runVerification(options: {
  folder: string;
  base: string;
  seconds: number;
}): Promise<{code: number | null; output: string}> {
  const {folder, base, seconds} = options;
  useTerminalPrograms();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const {exit} = await run(
    {
      argv: [process.execPath, process.argv[1] ?? "", "verify", "--json", "--base", base],
      cwd: folder,
      env: {...env, [STOP_HOOK]: "1"},
    },
    {
      timeoutMs: seconds * 1000,
      graceMs: GRACE_MS,
      isolation: "degraded",
      onStdout: (chunk) => {
        bytes += chunk.length;
        if (bytes <= MAX_BYTES) chunks.push(chunk);
      },
    },
  );
  const isComplete = exit.kind === "exited" && bytes <= MAX_BYTES;
  return {
    code: exit.kind === "exited" ? exit.code : null,
    output: isComplete ? Buffer.concat(chunks).toString("utf8") : "",
  };
}
