/** The model providers that the judge can call over HTTP: addresses, keys, and the two forms of request. */
import {z} from "zod";
import type {JudgeProvider} from "../../detect/config/judge-providers.ts";
import type {Usage} from "../../record/usage.ts";
import {anthropicTokens, anthropicUsageSchema} from "./anthropic-usage.ts";

interface Endpoint {
  readonly form: "openai" | "anthropic";
  readonly key: string;
  readonly url: string;
  /** the variable that overrides the address, for a gateway or your own model */
  readonly urlVariable: string;
  /** absent: its answers have tokens without a price, so a limit in dollars cannot include them */
  readonly reportsCost?: true;
}

const openai = (name: string, url: string): Endpoint => ({
  form: "openai",
  key: `${name}_API_KEY`,
  url,
  urlVariable: `${name}_BASE_URL`,
});

export type EndpointName = Exclude<JudgeProvider, "agent">;

/** By the value of `judge.provider`. */
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  anthropic: {
    form: "anthropic",
    key: "ANTHROPIC_API_KEY",
    url: "https://api.anthropic.com/v1",
    urlVariable: "ANTHROPIC_BASE_URL",
  },
  openai: openai("OPENAI", "https://api.openai.com/v1"),
  google: openai("GEMINI", "https://generativelanguage.googleapis.com/v1beta/openai"),
  openrouter: {...openai("OPENROUTER", "https://openrouter.ai/api/v1"), reportsCost: true},
  mistral: openai("MISTRAL", "https://api.mistral.ai/v1"),
  deepseek: openai("DEEPSEEK", "https://api.deepseek.com/v1"),
  groq: openai("GROQ", "https://api.groq.com/openai/v1"),
  xai: openai("XAI", "https://api.x.ai/v1"),
};

/** Anthropic requires a limit; an opinion on eight points needs a fraction of it. */
const MAX_TOKENS = 8_000;

interface EndpointCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function requestTo(options: {
  endpoint: Endpoint;
  baseUrl: string;
  model: string;
  key: string;
  prompt: string;
}): EndpointCall {
  const {endpoint, model, key} = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const messages = [{role: "user", content: options.prompt}];
  const json = {"content-type": "application/json"};
  if (endpoint.form === "openai") {
    const headers = {...json, authorization: `Bearer ${key}`};
    return {url: `${base}/chat/completions`, headers, body: JSON.stringify({model, messages})};
  }
  const headers = {...json, "x-api-key": key, "anthropic-version": "2023-06-01"};
  // the variable is also used without the version, as by Anthropic's own library
  const url = `${/\/v\d+$/.test(base) ? base : `${base}/v1`}/messages`;
  return {url, headers, body: JSON.stringify({model, max_tokens: MAX_TOKENS, messages})};
}

const count = z.number().nonnegative().catch(0);
const openaiSchema = z.object({
  choices: z.array(z.object({message: z.object({content: z.string()}), finish_reason: z.string().nullish()})).min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({cached_tokens: count}).nullish().catch(null),
      cost: z.number().nonnegative().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
const anthropicSchema = z.object({
  content: z.array(z.object({type: z.string(), text: z.string().optional()})),
  stop_reason: z.string().nullish(),
  usage: anthropicUsageSchema,
});

interface EndpointAnswer {
  readonly text: string;
  /** the model stopped at its length limit */
  readonly isCutOff: boolean;
  readonly usage: Usage;
}

/** The answer in a response body; null if it is not of the endpoint's form. */
export function readResponse(form: Endpoint["form"], body: unknown): EndpointAnswer | null {
  if (form === "openai") {
    const {data} = openaiSchema.safeParse(body);
    const choice = data?.choices[0];
    if (choice === undefined) return null;
    const cached = data?.usage?.prompt_tokens_details?.cached_tokens ?? 0;
    const usage: Usage = {
      input: Math.max(0, (data?.usage?.prompt_tokens ?? 0) - cached),
      output: data?.usage?.completion_tokens ?? 0,
      cacheRead: cached,
      cacheWrite: 0,
      costUsd: data?.usage?.cost ?? 0,
      ...(typeof data?.usage?.cost !== "number" && {hasUnknownCost: true}),
    };
    return {text: choice.message.content, isCutOff: choice.finish_reason === "length", usage};
  }
  const {data} = anthropicSchema.safeParse(body);
  if (data === undefined) return null;
  const usage: Usage = {...anthropicTokens(data.usage), costUsd: 0, hasUnknownCost: true};
  const text = data.content.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n");
  return {text, isCutOff: data.stop_reason === "max_tokens", usage};
}
