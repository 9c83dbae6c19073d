/** The settings that make a coding agent call `assay hook` before it stops: one file for each agent. */
import type {HookAgent} from "../../record/agent-names.ts";

/** Seconds until the agent gives up on the hook; `assay hook` itself stops earlier. */
const HOOK_SECONDS = 600;

/** The command that an agent runs before it stops. */
export const hookCommandLine = (agent: string): string => `assay hook --agent ${agent}`;
const json = (settings: object): string => `${JSON.stringify(settings, null, 2)}\n`;

/** Claude Code and Codex have the same format. */
const stopHook = (agent: string): string =>
  json({hooks: {Stop: [{hooks: [{type: "command", command: hookCommandLine(agent), timeout: HOOK_SECONDS}]}]}});

const OPENCODE_PLUGIN = `// Calls \`assay hook\` when a session becomes idle, and sends what failed back into it.
import {spawn} from "node:child_process";

function askAssay(event, directory) {
  return new Promise((resolve) => {
    const child = spawn("assay", ["hook", "--agent", "opencode"], {cwd: directory, stdio: ["pipe", "pipe", "ignore"]});
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.on("error", () => resolve({}));
    child.on("close", () => {
      try {
        resolve(JSON.parse(output));
      } catch {
        resolve({});
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({...event, directory}));
  });
}

export const Assay = async ({client, directory}) => ({
  event: async ({event}) => {
    if (event.type !== "session.idle") return;
    const {decision, reason, note} = await askAssay(event, directory);
    if (note) await client.tui.showToast({body: {message: note, variant: "warning"}}).catch(() => {});
    if (decision !== "block") return;
    const parts = [{type: "text", text: reason}];
    await client.session.prompt({path: {id: event.properties.sessionID}, body: {parts}});
  },
});
`;

interface HookFile {
  readonly path: string;
  readonly text: string;
  /** what a user must do before the agent runs the hook */
  readonly trust?: string;
}

/** The file of each agent, by the name for `assay hook --agent`. */
export const HOOK_FILES: Readonly<Record<HookAgent, HookFile>> = {
  claude: {path: ".claude/settings.json", text: stopHook("claude")},
  codex: {
    path: ".codex/hooks.json",
    text: stopHook("codex"),
    trust: "Codex runs the hooks of trusted projects only.",
  },
  cursor: {
    path: ".cursor/hooks.json",
    text: json({
      version: 1,
      hooks: {stop: [{command: hookCommandLine("cursor"), timeout: HOOK_SECONDS, loop_limit: 5}]},
    }),
  },
  // Trust is a setting of the user, so no file of the repository can give it.
  gemini: {
    path: ".gemini/settings.json",
    trust:
      "Gemini CLI runs the hooks of trusted folders only: use `/permissions`, or set GEMINI_CLI_TRUST_WORKSPACE=true where it has no terminal.",
    text: json({
      hooks: {
        AfterAgent: [
          {hooks: [{type: "command", name: "assay", command: hookCommandLine("gemini"), timeout: HOOK_SECONDS * 1000}]},
        ],
      },
    }),
  },
  copilot: {
    path: ".github/hooks/assay.json",
    text: json({
      version: 1,
      hooks: {agentStop: [{type: "command", bash: hookCommandLine("copilot"), timeoutSec: HOOK_SECONDS}]},
    }),
  },
  opencode: {path: ".opencode/plugins/assay.js", text: OPENCODE_PLUGIN},
};
