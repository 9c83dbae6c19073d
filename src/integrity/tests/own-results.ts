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
    return one === other || valuesOf(other, before).includes(one) || valuesOf(one, before).includes(other);
  });
}

/** What a name was set to last, also with the value of the name in it, without white space. */
function valuesOf(name: string, before: string): string[] {
  const value = namedValue(name, before);
  if (value === undefined) return [];
  const expanded = value.replace(NAME, (inner) => (inner === name ? inner : (namedValue(inner, before) ?? inner)));
  return [value, expanded].map((one) => one.replace(/\s+/g, "").replace(/^await/, ""));
}

/** Not a name of a field, a call or an argument. */
const NAME = /(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$(:=])/g;

function namedValue(name: string, before: string): string | undefined {
  if (!/^[\w$]+$/.test(name)) return undefined;
  const assigned = new RegExp(
    String.raw`(?<![\w.$])${name.replaceAll("$", String.raw`\$`)}\s*(?::[^=\n]+)?:?=(?!=)([^;\n]+)`,
    "g",
  );
  return [...before.matchAll(assigned)].at(-1)?.[1]?.trim();
}
