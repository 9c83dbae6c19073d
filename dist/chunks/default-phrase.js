var AGENT_NAMES=["pi","claude","codex","gemini","opencode","copilot","command"],HOOK_AGENTS=["claude","codex","cursor","gemini","copilot","opencode"];var DEFAULT_PHRASE="/assay @assay",DEFAULT_COMMANDS="/verify /continue /approve /undo /update /review /plan /setup /help /status /stop",DEFAULT_LABEL="assay";
export{AGENT_NAMES,HOOK_AGENTS,DEFAULT_PHRASE,DEFAULT_COMMANDS,DEFAULT_LABEL};
