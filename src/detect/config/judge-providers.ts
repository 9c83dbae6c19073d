/** The providers of the judge's model, by the value of `judge.provider`. */

/** `agent` is the run's own coding agent; the others are called over HTTP. */
export const JUDGE_PROVIDERS = [
  "agent",
  "anthropic",
  "openai",
  "google",
  "openrouter",
  "mistral",
  "deepseek",
  "groq",
  "xai",
] as const;
export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number];
