/** The model providers of a new workflow, each with the secret that has its key. The first one is the default. */
export const PROVIDER_KEYS = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
} as const;
export type WorkflowProvider = keyof typeof PROVIDER_KEYS;

export const PROVIDERS = Object.keys(PROVIDER_KEYS) as readonly WorkflowProvider[];
export const DEFAULT_PROVIDER: WorkflowProvider = "anthropic";
