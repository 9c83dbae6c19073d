/** What each agent sends to its stop hook, as its documentation describes it. */
import type {HookAgent} from "../../src/record/agent-names.ts";

/** `isFirst`: the first stop after a user's prompt. */
export const STOP_INPUTS: Readonly<Record<HookAgent, (folder: string, isFirst: boolean) => object>> = {
  claude: (cwd, isFirst) => ({
    session_id: "abc123",
    transcript_path: "/home/dev/.claude/projects/p/abc123.jsonl",
    cwd,
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: !isFirst,
    last_assistant_message: "Done.",
  }),
  codex: (cwd, isFirst) => ({
    session_id: "01a207aa-810e-7350-8966-50521a2791f8",
    turn_id: "1",
    transcript_path: null,
    cwd,
    hook_event_name: "Stop",
    model: "gpt-5.5",
    permission_mode: "default",
    stop_hook_active: !isFirst,
    last_assistant_message: "Done.",
  }),
  cursor: (folder, isFirst) => ({
    conversation_id: "cdefee2d-2727-4b73-bf77-d9d830f31d2a",
    generation_id: "26b45fb6-bdea-439c-b2dc-5e97ee00ecea",
    model: "composer",
    hook_event_name: "stop",
    cursor_version: "2.0.77",
    workspace_roots: [folder],
    status: "completed",
    loop_count: isFirst ? 0 : 1,
  }),
  gemini: (cwd, isFirst) => ({
    session_id: "c9223bdf-b50a-4874-ac75-190467ffa681",
    transcript_path: "/home/dev/.gemini/tmp/p/chats/session.json",
    cwd,
    hook_event_name: "AfterAgent",
    timestamp: "2026-11-23T09:10:29.470Z",
    prompt: "add a product",
    prompt_response: "Done.",
    stop_hook_active: !isFirst,
  }),
  copilot: (cwd) => ({
    timestamp: 1704614750000,
    cwd,
    sessionId: "01HW2X3Y4Z5",
    transcriptPath: "/home/dev/.copilot/session-state/x/events.jsonl",
    stopReason: "end_turn",
  }),
  opencode: (directory) => ({
    type: "session.idle",
    properties: {sessionID: "ses_df852e4c1ffes7xRZP11iREFA9"},
    directory,
  }),
};
