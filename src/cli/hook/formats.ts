/** The stop hooks of coding agents: what each one sends to a hook, and which answer it expects. */
import {textAt, textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {HookAgent} from "../../record/agent-names.ts";

/** An agent that wants to stop. */
export interface StopRequest {
  /** the folder to verify; empty: the current one */
  readonly folder: string;
  readonly session: string;
  /** true for the first stop after a user's prompt; null if the agent does not report it */
  readonly isFirstStop: boolean | null;
}

/** `note` is for the user, `reason` is the agent's next instruction. */
export type HookDecision =
  | {readonly kind: "allow"; readonly note: string}
  | {readonly kind: "block"; readonly reason: string};

interface HookFormat {
  /** Null for another event, and for a turn that did not end by itself. */
  read(input: unknown): StopRequest | null;
  answer(decision: HookDecision): object;
}

/** Without the flag, each stop would seem to be the first one, and the agent could never stop. */
const isFirst = (input: unknown): boolean | null => {
  const isHeld = valueAt(input, "stop_hook_active");
  return typeof isHeld === "boolean" ? !isHeld : null;
};

/** Reads the common fields. No schema library: it would be a fifth of the time that an agent waits. */
const stopOf = (input: unknown, session: string): StopRequest => ({
  folder: textAt(input, "cwd") ?? "",
  session: textAt(input, session) ?? "",
  isFirstStop: isFirst(input),
});

/**
 * Claude Code, and agents that use its format: https://code.claude.com/docs/en/hooks and
 * https://developers.openai.com/codex/hooks
 */
const stopHook: HookFormat = {
  read: (input) => (textAt(input, "hook_event_name") === "Stop" ? stopOf(input, "session_id") : null),
  answer: (decision) =>
    decision.kind === "block"
      ? {decision: "block", reason: decision.reason}
      : decision.note === ""
        ? {}
        : {systemMessage: decision.note},
};

/** https://cursor.com/docs/agent/hooks */
const cursor: HookFormat = {
  read(input) {
    if (textAt(input, "hook_event_name") !== "stop" || textAt(input, "status") !== "completed") return null;
    const [folder = ""] = textsOf(valueAt(input, "workspace_roots"));
    const count = valueAt(input, "loop_count");
    const isFirstStop = typeof count === "number" ? count === 0 : null;
    return {folder, session: textAt(input, "conversation_id") ?? "", isFirstStop};
  },
  answer: (decision) => (decision.kind === "block" ? {followup_message: decision.reason} : {}),
};

/**
 * https://geminicli.com/docs/hooks/reference. Without a terminal, 0.61.0 sends `stop_hook_active: false` after a block,
 * too, so that value does not show a new prompt.
 */
const gemini: HookFormat = {
  read(input) {
    if (textAt(input, "hook_event_name") !== "AfterAgent") return null;
    return {...stopOf(input, "session_id"), isFirstStop: isFirst(input) === false ? false : null};
  },
  answer: (decision) =>
    decision.kind === "block"
      ? {decision: "deny", reason: decision.reason}
      : {decision: "allow", ...(decision.note !== "" && {systemMessage: decision.note})},
};

/** https://docs.github.com/en/copilot/reference/hooks-configuration; 1.0.102 also sends `stop_hook_active`. */
const copilot: HookFormat = {
  read: (input) => (textAt(input, "stopReason") === "end_turn" ? stopOf(input, "sessionId") : null),
  answer: (decision) => (decision.kind === "block" ? {decision: "block", reason: decision.reason} : {}),
};

/**
 * The event of https://opencode.ai/docs/plugins, which the plugin from `assay init --agent opencode` passes on with its
 * folder.
 */
const opencode: HookFormat = {
  read(input) {
    if (textAt(input, "type") !== "session.idle") return null;
    const session = textAt(input, "properties", "sessionID") ?? "";
    return {folder: textAt(input, "directory") ?? "", session, isFirstStop: null};
  },
  answer: (decision) =>
    decision.kind === "block" ? copilot.answer(decision) : decision.note === "" ? {} : {note: decision.note},
};

export const HOOK_FORMATS: Readonly<Record<HookAgent, HookFormat>> = {
  claude: stopHook,
  codex: stopHook,
  cursor,
  gemini,
  copilot,
  opencode,
};
