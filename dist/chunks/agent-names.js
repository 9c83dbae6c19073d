var AGENT_NAMES=["pi","claude","codex","gemini","opencode","copilot","command"],HOOK_AGENTS=["claude","codex","cursor","gemini","copilot","opencode"];
export{AGENT_NAMES,HOOK_AGENTS};
