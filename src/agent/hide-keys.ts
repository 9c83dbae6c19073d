/** Writes the files that remove secret variables from the shell commands of an agent. */
import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {HideFiles} from "./adapters/adapter.ts";
import {writeAgentFile} from "./agent-files.ts";

/** The paths of the files, whether they are written yet or not. */
export function hideFiles(scratch: string): HideFiles {
  return {script: join(scratch, "hide-keys.sh"), prefix: join(scratch, "without-keys")};
}

export async function writeHideFiles(scratch: string, secrets: readonly string[]): Promise<void> {
  const {script, prefix} = hideFiles(scratch);
  const unset = secrets.length === 0 ? "" : `unset ${secrets.join(" ")}\n`;
  await mkdir(scratch, {recursive: true});
  await writeAgentFile(scratch, script, unset);
  await writeAgentFile(scratch, prefix, `#!/bin/sh\n${unset}exec /bin/bash -c "$1"\n`, 0o755);
}
