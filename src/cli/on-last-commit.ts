/** Runs a command that tries something on the last commit of this repository, in a scratch folder that it removes. */
import {mkdtemp} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {openRemover} from "../engine/checkout/folders.ts";
import {escapeLog} from "../process/escape-log.ts";
import {printFailure} from "./error-text.ts";
import {type LocalSetup, prepareLocal} from "./local-setup.ts";

/** Where a command works, and the signal that ends it. */
export interface TrialRun {
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** The command's exit code, or that of the failure that kept it from starting. */
export async function onLastCommit(command: (setup: LocalSetup, run: TrialRun) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  const remove = openRemover();
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    const setup = await prepareLocal({
      ...{scratch, cwd: process.cwd(), base: "HEAD", head: "HEAD", paths: [], mayBreakConfig: false},
    });
    return setup.ok ? await command(setup.value, {scratch, signal: controller.signal}) : printFailure(setup.failure);
  } finally {
    await remove(scratch);
  }
}

/** No text of the repository starts a command of a runner. */
export const printable = (text: string): string => `${escapeLog(text, "")}\n`;
