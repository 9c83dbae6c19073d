/** The entry `judge` of `verify.json`: its keys, their defaults, and the names that they have in other tools. */
import {z} from "zod";

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

export const judgeSchema = z.strictObject({
  enabled: z.boolean().optional().describe("default: false"),
  provider: z
    .enum(JUDGE_PROVIDERS)
    .optional()
    .describe("agent (default): a fresh session of the coding agent without tools; else an HTTP endpoint"),
  model: z.string().trim().min(1).max(200).optional().describe("needed for every provider but agent"),
  effect: z
    .enum(["show", "ask-again", "hold"])
    .optional()
    .describe(
      "what an objection does: it is shown; it goes to the agent (default); it goes there, then holds the change",
    ),
  samples: z.int().min(1).max(5).optional().describe("how often each change is judged; default: 1"),
  maxAttempts: z.int().min(1).max(5).optional().describe("opinions per run, with the first; default: 3"),
  timeoutSeconds: z.int().min(1).max(600).optional().describe("of each call; default: 60"),
  when: z.enum(["verified", "always"]).optional().describe("always: answers without a change too; default: verified"),
  rules: z
    .array(z.string().min(1).max(500))
    .max(10)
    .optional()
    .describe("files of the base commit with rules for every change; default: AGENTS.md"),
});

/** The entry with its defaults. */
export interface JudgeConfig {
  readonly enabled: boolean;
  readonly provider: JudgeProvider;
  /** empty: the model of the run */
  readonly model: string;
  readonly effect: "show" | "ask-again" | "hold";
  readonly samples: number;
  readonly maxAttempts: number;
  readonly timeoutSeconds: number;
  readonly when: "verified" | "always";
  readonly rules: readonly string[];
}

export function judgeConfig(entry: z.infer<typeof judgeSchema> = {}): JudgeConfig {
  return {
    enabled: entry.enabled ?? false,
    provider: entry.provider ?? "agent",
    model: entry.model ?? "",
    effect: entry.effect ?? "ask-again",
    samples: entry.samples ?? 1,
    maxAttempts: entry.maxAttempts ?? 3,
    timeoutSeconds: entry.timeoutSeconds ?? 60,
    when: entry.when ?? "verified",
    rules: entry.rules ?? ["AGENTS.md"],
  };
}

/** Keys of a verifier that was configured elsewhere, with the key to use here. */
export const FORMER_JUDGE_KEYS: Readonly<Record<string, string>> = {
  verifier: "use `judge`, with the keys of docs/judge.md",
  verifyAll: 'remove it: every verified change is judged; `"when": "always"` adds answers without a change',
  verifyHeartbeat: 'use `"when": "always"`, which judges answers without a change too',
  triggerKeywords: "remove it: no word of the agent decides whether it is judged; see `when`",
  verifierModel: "use `model`",
  verifierProvider: "use `provider`",
};
