/** Asks a model through the coding agent: each call is a fresh session without tools, in an empty folder. */
import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {openSession, type SessionOptions} from "../agent/session.ts";
import type {AskModel, ModelReply} from "../judge/ask-model.ts";
import type {Turn} from "../record/attempt.ts";
import type {NotJudgedReason} from "../record/opinion.ts";
import {NO_USAGE} from "../record/usage.ts";

/**
 * Asks a coding agent that has no tools. Only the judge uses `folder`, which holds the sessions and the settings. It
 * works in the folder `empty`.
 */
export function askAgent(
  options: Omit<SessionOptions, "file" | "scratch" | "extraArguments" | "hasNoTools"> & {empty: string},
): AskModel {
  let calls = 0;
  return async (prompt) => {
    calls += 1;
    await mkdir(options.home, {recursive: true});
    await mkdir(options.empty, {recursive: true});
    const sessionResult = await openSession({
      ...options,
      ...{folder: options.empty, scratch: join(options.folder, "scratch"), extraArguments: [], hasNoTools: true},
      file: join(options.folder, "sessions", `${calls}.jsonl`),
    });
    if (sessionResult.ok) return replyOf(await sessionResult.value.ask(prompt));
    const {failure} = sessionResult;
    const detail =
      failure.kind === "missing-key"
        ? `the variable ${failure.variable} is not set`
        : "message" in failure
          ? failure.message
          : failure.kind;
    const reason = failure.kind === "missing-key" ? "missing-key" : "unavailable";
    return {kind: "failed", why: reason, detail, usage: NO_USAGE, durationMs: 0};
  };
}

function replyOf({end, answer, model, usage, durationMs}: Turn): ModelReply {
  const failedReply = (why: NotJudgedReason, detail: string): ModelReply => ({
    ...{kind: "failed", why, detail},
    ...{usage, durationMs},
  });
  switch (end.kind) {
    case "answered":
      return {kind: "answered", text: answer, model, usage, durationMs};
    case "timed-out":
      return failedReply("timed-out", `no answer within ${Math.round(end.afterMs / 1000)} s`);
    case "cancelled":
      return failedReply("cancelled", "the run was cancelled");
    case "killed":
      return failedReply("model-failed", `the judge was ended by ${end.signal}`);
    case "exited":
      return failedReply("model-failed", `the judge ended with exit code ${end.code}`);
    case "not-started":
      return failedReply("unavailable", end.message);
    case "model-failed":
    case "no-answer":
      return failedReply("model-failed", end.message);
  }
}
