/** The entry `judge` of `verify.json`: its defaults, and the names that its keys have in other tools. */
import type {JudgeProvider} from "./judge-providers.ts";
import type {ConfigFile} from "./schema.ts";

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

export function judgeConfig(entry: NonNullable<ConfigFile["judge"]> = {}): JudgeConfig {
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
  verifyAll: 'remove it: every verified change is judged; `"when": "always"` of `judge` adds answers without a change',
  verifyHeartbeat: 'use `"when": "always"` of `judge`, which judges answers without a change too',
  triggerKeywords: "remove it: no word of the agent decides whether it is judged; see `when` of `judge`",
  verifierModel: "use `model` of `judge`",
  verifierProvider: "use `provider` of `judge`",
};

/** Names of models that people write for their provider. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  gemini: "google",
  claude: "anthropic",
  gpt: "openai",
  grok: "xai",
};

/** For an entry that is not an object, such as `"judge": true`. */
export const JUDGE_EXAMPLE =
  '{"enabled": true, "provider": "openai", "model": "gpt-5"}, or {"enabled": true} for the agent\'s own model';

/** Names of keys for an address or an API key, which other tools have in their configuration. */
export const ADDRESS_OR_KEY = /(?:^|[-_])(?:secret|server|address|host)$|(?:url|uri|base|endpoint|key|token)$/i;

export const JUDGE_VARIABLES =
  "set address and key as environment variables in the workflow, such as OPENAI_BASE_URL and OPENAI_API_KEY; see docs/judge.md";
