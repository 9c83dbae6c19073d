/** Looks into JSON of unknown form without believing anything about it. */

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes a text that must be a JSON object; anything else is a mistake of the rig or of what it tests, so it throws. */
export function parseObject(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`not a JSON object: ${text.slice(0, 200)}`);
  return value;
}

/** Steps down by keys; undefined when one of them is not there. */
export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

export function textAt(value: unknown, ...keys: string[]): string {
  const found = at(value, ...keys);
  return typeof found === "string" ? found : "";
}

export function numberAt(value: unknown, ...keys: string[]): number {
  const found = at(value, ...keys);
  if (typeof found !== "number") throw new Error(`no number at ${keys.join(".")}`);
  return found;
}

/** An answer of GitHub that must be an object. */
export function object(value: unknown): Json {
  if (!isObject(value)) throw new Error("GitHub's answer is no object");
  return value;
}

/** An answer of GitHub that must be a list. */
export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error("GitHub's answer is no list");
  return value;
}
