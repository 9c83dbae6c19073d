/** Lists the requests to a model, which are all that the key proxy forwards, and the headers that agents send with them. */

const NAME = "[A-Za-z0-9][\\w.:@-]*";
/** Parts that Azure, Google's address for OpenAI's protocol, and versions put before the name of a request. */
const BEFORE = `(?:/openai)?(?:/deployments/${NAME})?(?:/v\\d+(?:(?:alpha|beta)\\d*)?)?(?:/openai)?`;

/**
 * The paths below a provider's address, by method. The references of the providers list them, next to many that change
 * an account or show its data: https://platform.openai.com/docs/api-reference, https://docs.anthropic.com/en/api,
 * https://ai.google.dev/api, https://openrouter.ai/docs/api-reference.
 */
const MODEL_PATHS: Readonly<Record<string, RegExp>> = {
  GET: new RegExp(`^${BEFORE}/models(?:/${NAME})?$`),
  POST: new RegExp(
    `^${BEFORE}/(?:chat/completions|completions|responses(?:/compact)?|messages(?:/count_tokens)?|models/[\\w.-]+:(?:generateContent|streamGenerateContent|countTokens))$`,
  ),
};

/** Claude Code, Gemini CLI, Azure and Codex; the others turn the pages of a list of models. */
const PARAMETERS = ["beta", "alt", "api-version", "client_version", "limit", "after_id", "before_id", "pageSize"];

/**
 * The path that a provider gets for the part of an agent's address below the provider's own; null if it is no request to
 * a model. It is decoded once, so it has no second spelling. Unknown parameters are left out.
 */
export function modelPath(method: string, address: string): string | null {
  const [encoded = ""] = address.split("?", 1);
  const path = encoded.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (!MODEL_PATHS[method]?.test(path)) return null;
  const parameters = [...new URLSearchParams(address.slice(encoded.length))];
  const query = new URLSearchParams(parameters.filter(([name]) => PARAMETERS.includes(name)));
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * The headers that the supported agents send to their providers, as observed, and those with which gateways such as
 * OpenRouter name a program. All others stay here: one could name another method or address.
 */
export function isModelHeader(name: string): boolean {
  return HEADERS.has(name) || HEADER_FAMILIES.some((family) => name.startsWith(family));
}

const HEADERS = new Set([
  ...["accept", "accept-language", "content-type", "content-encoding", "user-agent", "originator", "x-app"],
  ...["session-id", "session_id", "thread-id", "x-session-id", "x-session-affinity", "x-affinity"],
  ...["x-client-request-id", "x-claude-code-session-id", "x-goog-api-client", "x-initiator", "x-interaction-type"],
  ...["http-referer", "x-title"],
]);
const HEADER_FAMILIES = ["anthropic-", "openai-", "x-stainless-", "x-codex-"];
