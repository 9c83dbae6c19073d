/** The agents that a run can start. */

export const AGENT_NAMES = ["pi", "claude", "codex", "gemini", "opencode", "copilot", "command"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];
