/** Safe access to the values of parsed manifests, whose shape is not validated. */

/** The value as a map of its own keys; empty if it is not an object. */
export function mapOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isMap(value) ? Object.entries(value) : []);
}

/** The value at a path of keys, or undefined. */
export function valueAt(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isMap(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The text at a path of keys, or null if there is none. */
export function textAt(value: unknown, ...keys: string[]): string | null {
  const text = valueAt(value, ...keys);
  return typeof text === "string" ? text : null;
}

/** The items of a list; empty if the value is not a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The strings in a list, without its other items. */
export function textsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

/** Entries whose value is text, such as `scripts` of a manifest. */
export function textEntries(value: unknown): ReadonlyMap<string, string> {
  if (!isMap(value)) return new Map();
  const cached = entriesOf.get(value);
  if (cached !== undefined) return cached;
  const entries = new Map<string, string>();
  for (const [key, item] of Object.entries(value)) if (typeof item === "string") entries.set(key, item);
  entriesOf.set(value, entries);
  return entries;
}

/** Cached because every kind of stage reads the scripts of the same manifest. */
const entriesOf = new WeakMap<object, ReadonlyMap<string, string>>();
