/** Writes the first prompt of a fresh session after one without progress: the task, the attempts, the failures. */

import {block} from "../markdown/blocks.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Verdict} from "../record/verification.ts";
import {fixPrompt, line} from "./prompts.ts";

const TRIED_CHARS = 3_000;

/** `task` is the first prompt of the run; `attempts` has at least one. */
export function freshPrompt({task, attempts}: {task: string; attempts: readonly Attempt[]}): string {
  const lastAttempt = attempts.at(-1);
  if (lastAttempt === undefined) return task;
  const summaries = attempts.map(({number, turn, verdict}) => {
    const result = resultOf(verdict);
    return `- attempt ${number}, ${result}. It said: ${line(turn?.answer ?? "")}`;
  });
  return [
    task,
    "Another session has worked on this; its changes are in the working folder. Its last fix left the same problems. Do not repeat its approach: first find its mistake, and undo the changes that do not help. Its attempts:",
    block("output", summaries.join("\n"), {max: TRIED_CHARS}),
    fixPrompt(lastAttempt),
  ].join("\n\n");
}

function resultOf(verdict: Verdict): string {
  if (verdict.kind === "failed") return `left failing: ${verdict.stages.map(line).join(", ")}`;
  return verdict.kind === "tampered" ? "weakened the checks" : verdict.kind;
}
