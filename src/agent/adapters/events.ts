/** Shared by the agents' listeners: the state of a turn, its end, and the parser for one line of JSON. */

import type {z} from "zod";
import type {TurnEnd} from "../../record/attempt.ts";
import {parseJson} from "../../record/parse-json.ts";
import {NO_USAGE} from "../../record/usage.ts";
import {splitShell} from "../../shell/split.ts";
import {unwrap} from "../../tools/command-name.ts";
import type {AgentChoice, Listener, TurnState} from "./adapter.ts";

/** The state before the first event. */
export const EMPTY_TURN: TurnState = {
  model: "",
  answer: "",
  stopReason: "",
  errorMessage: "",
  toolCalls: 0,
  usage: NO_USAGE,
  conversation: "",
};

/** The stop reason of a turn that the agent reported as complete. */
export const COMPLETE = "complete";

/** Describes how an agent's stream of JSON lines becomes the state of a turn. */
interface Stream<Event> {
  readonly schema: z.ZodType<Event>;
  addEvent(state: TurnState, event: Event): TurnState;
  /** what the agent does now, for a person; null for most events */
  progress(event: Event): string | null;
  readonly first?: TurnState;
}

/** Follows a stream of JSON lines. Lines with an unknown event are skipped, because later versions add some. */
export function listenTo<Event>({schema, addEvent, progress, first = EMPTY_TURN}: Stream<Event>): Listener {
  let state = first;
  return {
    line(text) {
      const event = parseLine(schema, text);
      if (event === null) return null;
      state = addEvent(state, event);
      const now = progress(event);
      return now === null ? null : oneLine(now);
    },
    state: () => state,
    end: () => endOf(state),
  };
}

function parseLine<Event>(schema: z.ZodType<Event>, text: string): Event | null {
  return text.startsWith("{") ? (schema.safeParse(parseJson(text)).data ?? null) : null;
}

/** Only a complete turn with an answer or an action counts as answered. The agents' exit codes are not reliable. */
function endOf(state: TurnState): TurnEnd {
  if (state.errorMessage !== "") return {kind: "model-failed", message: state.errorMessage};
  if (state.stopReason === "") return {kind: "no-answer", message: "the agent ended before the model's last answer"};
  if (state.stopReason !== COMPLETE)
    return {kind: "no-answer", message: `the agent stopped with the reason "${state.stopReason}"`};
  return state.answer.trim() === "" && state.toolCalls === 0
    ? {kind: "no-answer", message: "the model stopped without saying or doing anything"}
    : {kind: "answered"};
}

/**
 * A tool call as one short line. Everyone can read the log of a public repository, and the arguments are part of the
 * conversation, so it has only the file's path, or the names of a command's programs.
 */
export function toolLine(name: string, args: Readonly<Record<string, unknown>>): string {
  const textAt = (...keys: string[]) => keys.map((key) => args[key]).find((value) => typeof value === "string");
  return `${name} ${textAt("file_path", "filePath", "path") ?? programNames(textAt("command", "cmd") ?? "")}`;
}

/** A longer name, or one with other characters, could be a text. */
const PROGRAM = /^[\w.+-]{1,30}$/;

function programNames(command: string): string {
  const names = (splitShell(command) ?? []).flatMap(({words}) => {
    const [program = "", option = "", script = ""] = words;
    // Codex starts each command with a shell of its own.
    const isShell = program.endsWith("sh") && ["-c", "-lc"].includes(option);
    return isShell ? programNames(script).split(", ") : (unwrap(words)[0] ?? "");
  });
  return [...new Set(names)].filter((name) => PROGRAM.test(name)).join(", ");
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}

/** `provider/model`, or the known part of it. */
export const modelName = ({provider, model}: Pick<AgentChoice, "model" | "provider">): string =>
  model.startsWith(`${provider}/`) ? model : [provider, model].filter(Boolean).join("/");

/** The model's name without its provider, for agents that expect this form. */
export const bareModel = ({provider, model}: Pick<AgentChoice, "model" | "provider">): string =>
  model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;

/** One flag with its value, or nothing. */
export const flag = (name: string, value: string): string[] => (value === "" ? [] : [name, value]);

/** A conversation's id becomes part of a path and of a command line, and its text may come from others. */
export const isId = (id: string): boolean => /^[\w-]{8,64}$/.test(id);
