/** Any program as the agent: it reads the prompt on stdin, changes files in its folder, and prints its answer. */
import type {Adapter} from "./adapter.ts";
import {COMPLETE, EMPTY_TURN, modelName} from "./events.ts";

/** A longer answer is cut. */
const MAX_ANSWER = 100_000;

export const command: Adapter = {
  name: "command",
  package: null,
  needsNoKey: true,
  // Only the owner knows whether the program reads the address, so it is used only if the owner sets it.
  providers: {
    anthropic: provider("ANTHROPIC_API_KEY", ["ANTHROPIC_BASE_URL"]),
    openai: provider("OPENAI_API_KEY", ["OPENAI_BASE_URL", "OPENAI_API_BASE"]),
    google: provider("GEMINI_API_KEY", ["GOOGLE_GEMINI_BASE_URL"]),
    openrouter: {keys: ["OPENROUTER_API_KEY"]},
  },

  // The first entry of `agent-args` is the program.
  arguments: ({extraArguments}) => extraArguments.slice(1),
  environment: (_, hide) => ({BASH_ENV: hide.script}),
  ownConfig: () => [],
  configFiles: [],
  configured: () => new Set(),
  conversation: {kind: "transcript"},

  listen: (choice) => {
    let answer = "";
    const state = () => ({
      ...EMPTY_TURN,
      model: modelName(choice),
      answer: answer.trim(),
      stopReason: COMPLETE,
      usage: {...EMPTY_TURN.usage, hasUnknownCost: true},
    });
    return {
      line(text) {
        if (answer.length < MAX_ANSWER) answer += `${text}\n`;
        return null;
      },
      state,
      // A program without an answer may have changed files, so only its exit code counts.
      end: () => ({kind: "answered"}),
    };
  },
};

function provider(key: string, variables: readonly string[]) {
  return {keys: [key], also: variables, proxied: {variables}} as const;
}
