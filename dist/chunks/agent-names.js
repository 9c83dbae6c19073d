var AGENT_NAMES=["pi","claude","codex","gemini","opencode","copilot","command"],AGENTS_WITH_COST=["pi","claude","opencode"],HOOK_AGENTS=["claude","codex","cursor","gemini","copilot","opencode"];
export{AGENT_NAMES,AGENTS_WITH_COST,HOOK_AGENTS};
