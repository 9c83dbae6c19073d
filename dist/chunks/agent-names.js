var AGENT_NAMES=["pi","claude","codex","gemini","opencode","copilot","command"],HOOK_AGENTS=["claude","codex","cursor","gemini","copilot","opencode"];var DEFAULT_PHRASE="/assay @assay",DEFAULT_LABEL="assay";var package_default={version:"0.1.0"};var VERSION=package_default.version;
export{AGENT_NAMES,HOOK_AGENTS,DEFAULT_PHRASE,DEFAULT_LABEL,VERSION};
