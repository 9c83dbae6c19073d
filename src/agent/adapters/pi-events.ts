/** Derives the result of a turn from pi's JSON event stream (`--mode json`). */

import {z} from "zod";
import type {TurnEnd} from "../../record/attempt.ts";
import {parseJson} from "../../record/parse-json.ts";
import {NO_USAGE} from "../../record/usage.ts";
import type {TurnState} from "./adapter.ts";
import {oneLine, toolLine} from "./events.ts";

const count = z.number().nonnegative().catch(0);

const assistantSchema = z.object({
  role: z.literal("assistant"),
  content: z.array(z.object({type: z.string(), text: z.string().optional()})).catch([]),
  provider: z.string().catch(""),
  model: z.string().catch(""),
  stopReason: z.string().catch(""),
  errorMessage: z.string().optional().catch(undefined),
  usage: z
    .object({
      input: count,
      output: count,
      cacheRead: count,
      cacheWrite: count,
      cost: z.object({total: count}).catch({total: 0}),
    })
    .catch({...NO_USAGE, cost: {total: 0}}),
});

const eventSchema = z.discriminatedUnion("type", [
  z.object({type: z.literal("message_end"), message: z.unknown()}),
  z.object({type: z.literal("tool_execution_start"), toolName: z.string(), args: z.unknown()}),
  z.object({type: z.literal("auto_retry_start"), attempt: z.number(), errorMessage: z.string()}),
]);
type PiEvent = z.infer<typeof eventSchema>;

/**
 * One line of the stream as an event. Null for other events, additions of later versions, and text that is not JSON.
 */
export function readEvent(line: string): PiEvent | null {
  // Every update repeats the message so far; parsing them all would take time quadratic in its length.
  if (!line.startsWith("{") || line.startsWith('{"type":"message_update"')) return null;
  return eventSchema.safeParse(parseJson(line)).data ?? null;
}

/**
 * Adds one event. Usage is the sum over all assistant messages; answer and stop reason are those of the last one. The
 * cost is pi's, which knows the prices of its models.
 */
export function addEvent(state: TurnState, event: PiEvent): TurnState {
  if (event.type === "tool_execution_start") return {...state, toolCalls: state.toolCalls + 1};
  if (event.type !== "message_end") return state;
  const {data: message} = assistantSchema.safeParse(event.message);
  if (message === undefined) return state;
  const answer = message.content.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n");
  return {
    ...state,
    model: [message.provider, message.model].filter(Boolean).join("/"),
    answer,
    stopReason: message.stopReason,
    errorMessage: message.errorMessage ?? "",
    usage: {
      input: state.usage.input + message.usage.input,
      output: state.usage.output + message.usage.output,
      cacheRead: state.usage.cacheRead + message.usage.cacheRead,
      cacheWrite: state.usage.cacheWrite + message.usage.cacheWrite,
      costUsd: state.usage.costUsd + message.usage.cost.total,
    },
  };
}

/**
 * The end of the turn, from the last message. pi exits 0 in this mode even if every model call failed, so the exit code
 * does not count here. An unknown stop reason is not an answer.
 */
export function endOf(state: TurnState): TurnEnd {
  switch (state.stopReason) {
    case "stop":
      return state.answer.trim() === "" && state.toolCalls === 0
        ? {kind: "no-answer", message: "the model stopped without saying or doing anything"}
        : {kind: "answered"};
    case "error":
    case "aborted":
      return {kind: "model-failed", message: state.errorMessage || `the model call ended with "${state.stopReason}"`};
    case "length":
      return {kind: "no-answer", message: "the model's answer was cut off at its length limit"};
    case "toolUse":
      return {kind: "no-answer", message: "the agent ended between a tool call and the model's next answer"};
    case "":
      return {kind: "no-answer", message: "the agent ended before the model said anything"};
    default:
      return {kind: "no-answer", message: `the model stopped for a reason that is not known: ${state.stopReason}`};
  }
}

/** One short progress line, or null. Its arguments come from the model, so they are cut to one line. */
export function progressOf(event: PiEvent): string | null {
  if (event.type === "auto_retry_start") return oneLine(`model call failed, trying again: ${event.errorMessage}`);
  if (event.type !== "tool_execution_start") return null;
  return oneLine(toolLine(event.toolName, z.record(z.string(), z.unknown()).safeParse(event.args).data ?? {}));
}
