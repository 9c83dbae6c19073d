/** What each agent sends to its stop hook, recorded from the real program; for Cursor, as documented. */
// Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102 and opencode 1.18.33, with neutral paths and invented ids.
import type {HookAgent} from "../../src/record/agent-names.ts";

/** `isFirst`: the first stop after a user's prompt. */
export const STOP_INPUTS: Readonly<Record<HookAgent, (folder: string, isFirst: boolean) => object>> = {
  claude: (cwd, isFirst) => ({
    session_id: "5b0c1f3e-7a52-4d0e-9c41-2f6a8e1d7b90",
    transcript_path:
      "/home/runner/.claude/projects/-home-runner-work-app-app/5b0c1f3e-7a52-4d0e-9c41-2f6a8e1d7b90.jsonl",
    cwd,
    prompt_id: "c3d9a6b4-18ef-4c27-b5d0-64f1e2a7930c",
    permission_mode: "bypassPermissions",
    effort: {level: "medium"},
    hook_event_name: "Stop",
    stop_hook_active: !isFirst,
    last_assistant_message: isFirst ? "Added a product." : "Multiplied it.",
    background_tasks: [],
    session_crons: [],
  }),
  codex: (cwd, isFirst) => ({
    session_id: "01a207aa-810e-7350-8966-50521a2791f8",
    turn_id: "01a207aa-8149-7d61-a3c2-1b7e90f4d528",
    transcript_path:
      "/home/runner/.codex/sessions/2026/11/24/rollout-2026-11-24T09-10-29-01a207aa-810e-7350-8966-50521a2791f8.jsonl",
    cwd,
    hook_event_name: "Stop",
    model: "gpt-scripted",
    permission_mode: "bypassPermissions",
    stop_hook_active: !isFirst,
    last_assistant_message: isFirst ? "Added a product." : "Multiplied it.",
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
    transcript_path: "/home/runner/.gemini/tmp/app/chats/session-2026-11-24T23-19-c9223bdf.jsonl",
    cwd,
    hook_event_name: "AfterAgent",
    timestamp: isFirst ? "2026-11-24T23:20:56.947Z" : "2026-11-24T23:21:00.676Z",
    prompt: "add a product",
    prompt_response: isFirst ? "Added a product." : "Added a product.\nMultiplied it.",
    stop_hook_active: false,
  }),
  copilot: (cwd, isFirst) => ({
    sessionId: "8e2d47a1-90bc-4f36-a15d-7c3b60e9f284",
    timestamp: 1795511429470,
    cwd,
    transcriptPath: "/home/runner/.copilot/session-state/8e2d47a1-90bc-4f36-a15d-7c3b60e9f284/events.jsonl",
    stopReason: "end_turn",
    stop_hook_active: !isFirst,
  }),
  opencode: (directory) => ({
    id: "evt_20f4a1c7d002kQx83bNd2mRw6Z",
    type: "session.idle",
    properties: {sessionID: "ses_df852e4c1ffes7xRZP11iREFA9"},
    directory,
  }),
};
