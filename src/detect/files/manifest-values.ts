/** Safe looks into parsed manifests, whose shape nobody has checked. */

/** The value as a map of its own keys; empty when it is none. */
export function mapOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isMap(value) ? Object.entries(value) : []);
}

/** The value at a path of keys, or undefined. */
export function valueAt(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((here, key) => (isMap(here) && Object.hasOwn(here, key) ? here[key] : undefined), value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The text at a path of keys, or null when there is none. */
export function textAt(value: unknown, ...keys: string[]): string | null {
  const found = valueAt(value, ...keys);
  return typeof found === "string" ? found : null;
}

/** The texts of a list; anything else in it is left out. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Entries whose value is text, such as `scripts` of a manifest. */
export function textEntries(value: unknown): ReadonlyMap<string, string> {
  if (!isMap(value)) return new Map();
  const known = entriesOf.get(value);
  if (known !== undefined) return known;
  const entries = new Map<string, string>();
  for (const [key, item] of Object.entries(value)) if (typeof item === "string") entries.set(key, item);
  entriesOf.set(value, entries);
  return entries;
}

/** The same manifest is asked for its scripts by every kind of stage. */
const entriesOf = new WeakMap<object, ReadonlyMap<string, string>>();
