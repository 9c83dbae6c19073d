/** Finds assertions that compare the result of a call with another result of the same call. */

const COMPARISONS = [
  /^(?:await)?expect\((.{4,200}\))\)\.(?:to(?:Be|Equal|StrictEqual)|to\.(?:deep\.)?(?:equal|eql))\((.+)\);?$/,
  /^assert([^=]{4,200})==(.+)$/,
  /^[\w.]*(?:[eE]qual|[sS]ame|assert_eq|\.is)\w*!?\((?:t,)?(.{4,200}?\)),([\w$.]+)\)/,
  /^[\w.]*(?:[eE]qual|[sS]ame|assert_eq|\.is)\w*!?\((?:t,)?([\w$.]+),(.{4,200}\))\)/,
];

/**
 * `expect(sum(a)).toBe(sum(a))` fails only if two calls give different values, and so does a value with a name:
 * `const expected = sum(a)`. `text`: the assertion without white space; `before`: the test up to it.
 */
export function expectsOwnResult(text: string, before: string): boolean {
  return COMPARISONS.some((pattern) => {
    const [, one, other] = pattern.exec(text) ?? [];
    if (one === undefined || other === undefined) return false;
    return one === other || namedValue(other, before) === one || namedValue(one, before) === other;
  });
}

/** What a name was set to last, without white space. */
function namedValue(name: string, before: string): string | undefined {
  if (!/^[\w$]+$/.test(name)) return undefined;
  const assigned = new RegExp(
    String.raw`(?<![\w.$])${name.replaceAll("$", String.raw`\$`)}\s*(?::[^=\n]+)?:?=(?!=)([^;\n]+)`,
    "g",
  );
  const value = [...before.matchAll(assigned)].at(-1)?.[1];
  return value?.replace(/\s+/g, "").replace(/^await/, "");
}
