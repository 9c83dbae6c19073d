/** The stop hooks of coding agents: what each one sends to a hook, and which answer it expects. */
import {z} from "zod";
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

const text = z.string().catch("");

/**
 * Claude Code, and agents that use its format: https://code.claude.com/docs/en/hooks and
 * https://developers.openai.com/codex/hooks
 */
const stopSchema = z.object({
  hook_event_name: z.literal("Stop"),
  session_id: text,
  cwd: text,
  stop_hook_active: z.boolean().nullable().catch(null),
});
/** Without the flag, each stop would seem to be the first one, and the agent could never stop. */
const isFirst = ({stop_hook_active: isHeld}: {stop_hook_active: boolean | null}): boolean | null =>
  isHeld === null ? null : !isHeld;

const stopHook: HookFormat = {
  read(input) {
    const {data} = stopSchema.safeParse(input);
    return data ? {folder: data.cwd, session: data.session_id, isFirstStop: isFirst(data)} : null;
  },
  answer: (decision) =>
    decision.kind === "block"
      ? {decision: "block", reason: decision.reason}
      : decision.note === ""
        ? {}
        : {systemMessage: decision.note},
};

/** https://cursor.com/docs/agent/hooks */
const cursorSchema = z.object({
  hook_event_name: z.literal("stop"),
  conversation_id: text,
  status: text,
  loop_count: z.number().nullable().catch(null),
  workspace_roots: z.array(z.string()).catch([]),
});
const cursor: HookFormat = {
  read(input) {
    const {data} = cursorSchema.safeParse(input);
    if (data?.status !== "completed") return null;
    const [folder = ""] = data.workspace_roots;
    return {
      folder,
      session: data.conversation_id,
      isFirstStop: data.loop_count === null ? null : data.loop_count === 0,
    };
  },
  answer: (decision) => (decision.kind === "block" ? {followup_message: decision.reason} : {}),
};

/**
 * https://geminicli.com/docs/hooks/reference. Without a terminal, 0.61.0 sends `stop_hook_active: false` after a block,
 * too, so that value does not show a new prompt.
 */
const geminiSchema = stopSchema.extend({hook_event_name: z.literal("AfterAgent")});
const gemini: HookFormat = {
  read(input) {
    const {data} = geminiSchema.safeParse(input);
    if (data === undefined) return null;
    return {folder: data.cwd, session: data.session_id, isFirstStop: data.stop_hook_active === true ? false : null};
  },
  answer: (decision) =>
    decision.kind === "block"
      ? {decision: "deny", reason: decision.reason}
      : {decision: "allow", ...(decision.note !== "" && {systemMessage: decision.note})},
};

/** https://docs.github.com/en/copilot/reference/hooks-configuration; 1.0.102 also sends `stop_hook_active`. */
const copilotSchema = z.object({
  sessionId: text,
  cwd: text,
  stopReason: z.literal("end_turn"),
  stop_hook_active: z.boolean().nullable().catch(null),
});
const copilot: HookFormat = {
  read(input) {
    const {data} = copilotSchema.safeParse(input);
    return data ? {folder: data.cwd, session: data.sessionId, isFirstStop: isFirst(data)} : null;
  },
  answer: (decision) => (decision.kind === "block" ? {decision: "block", reason: decision.reason} : {}),
};

/**
 * The event of https://opencode.ai/docs/plugins, which the plugin from `assay init --agent opencode` passes on with its
 * folder.
 */
const opencodeSchema = z.object({
  type: z.literal("session.idle"),
  properties: z.object({sessionID: text}),
  directory: text,
});
const opencode: HookFormat = {
  read(input) {
    const {data} = opencodeSchema.safeParse(input);
    return data ? {folder: data.directory, session: data.properties.sessionID, isFirstStop: null} : null;
  },
  answer: copilot.answer,
};

export const HOOK_FORMATS: Readonly<Record<HookAgent, HookFormat>> = {
  claude: stopHook,
  codex: stopHook,
  cursor,
  gemini,
  copilot,
  opencode,
};
