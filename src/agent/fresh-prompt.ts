/** What a fresh session is asked when the one before got nowhere: the task, what was tried, and what still fails. */
import type {Attempt} from "../record/attempt.ts";
import {block} from "./blocks.ts";
import {fixPrompt, line} from "./prompts.ts";

const TRIED_CHARS = 3_000;

/** Takes the first prompt of the run and its attempts so far, of which there is at least one. */
export function freshPrompt(o: {task: string; attempts: readonly Attempt[]}): string {
  const last = o.attempts.at(-1);
  if (last === undefined) return o.task;
  const tried = o.attempts.map(({number, turn, verdict}) => {
    const left = verdict.kind === "failed" ? `left failing: ${verdict.stages.map(line).join(", ")}` : verdict.kind;
    return `- attempt ${number}, ${left}. It said: ${line(turn?.answer ?? "")}`;
  });
  return [
    o.task,
    "Another session has worked on this; its changes are in the working folder. Its last fix left the same failures. Do not go on as it did: find out first what it got wrong, and take back what does not help. What it tried:",
    block("output", tried.join("\n"), {max: TRIED_CHARS}),
    fixPrompt(last),
  ].join("\n\n");
}
