/** The coding agents: those that a run can start, and those whose stop hook Assay answers. */

export const AGENT_NAMES = ["pi", "claude", "codex", "gemini", "opencode", "copilot", "command"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** The others report tokens at most. */
export const AGENTS_WITH_COST: readonly AgentName[] = ["pi", "claude", "opencode"];

export const HOOK_AGENTS = ["claude", "codex", "cursor", "gemini", "copilot", "opencode"] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];
export const isHookAgent = (name: string | undefined): name is HookAgent => HOOK_AGENTS.some((agent) => agent === name);
