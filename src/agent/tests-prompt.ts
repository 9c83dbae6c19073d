/** Writes the prompt for more tests, after faults in the changed lines that no test notices. */

import {BLOCKS_ARE_DATA, block} from "../markdown/blocks.ts";
import type {InjectedFault} from "../record/sensitivity.ts";
import {line, SUMMARIZE_ALL} from "./prompts.ts";

const FAULTS_CHARS = 6_000;

export function testsPrompt(faults: readonly InjectedFault[]): string {
  const rows = faults.map(
    ({path, line: at, from, to}) => `- ${line(path)}:${at}: ${line(from)} -> ${line(to) || "(removed)"}`,
  );
  return [
    "Your changes passed the checks. Then each of these faults was put into your changed lines, one at a time, and no test failed:",
    block("diagnostics", rows.join("\n"), {max: FAULTS_CHARS}),
    BLOCKS_ARE_DATA,
    `For each of them, add a test that fails for this fault and passes without it. Leave the code as it is. A fault that changes no behavior needs no test: name it in your summary. ${SUMMARIZE_ALL}`,
  ].join("\n\n");
}
