/** Detects whether two models are of the same family. A judge prefers texts from its own family. */

const FAMILIES: readonly (readonly [family: string, ...names: (string | RegExp)[]])[] = [
  ["Claude", "claude", "anthropic"],
  ["GPT", /\bgpt|\bo[1345](?:-|\b)/, "codex", "chatgpt", "openai"],
  ["Gemini", "gemini", "gemma", "google"],
  ["Llama", "llama"],
  ["Mistral", "mistral", "mixtral", "codestral", "devstral", "magistral"],
  ["Qwen", "qwen", "qwq"],
  ["DeepSeek", "deepseek"],
  ["Grok", "grok"],
  ["Kimi", "kimi", "moonshot"],
  ["GLM", /\bglm/],
];

/** The family of `provider/model`, by the model's name first; null if it is unknown. */
export function modelFamily(model: string): string | null {
  const name = model.toLowerCase();
  const modelName = name.slice(name.lastIndexOf("/") + 1);
  const find = (text: string) =>
    FAMILIES.find(([, ...names]) => names.some((name) => text.search(name) >= 0))?.[0] ?? null;
  return find(modelName) ?? find(name);
}

/** Null if one of the two families is unknown. */
export function isSameFamily(one: string, other: string): boolean | null {
  if (one !== "" && one === other) return true;
  const [a, b] = [modelFamily(one), modelFamily(other)];
  return a === null || b === null ? null : a === b;
}
