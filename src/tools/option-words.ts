/** Writes a setting of a configuration file as the words of a command that mean the same. */

export function optionWords(name: string, values: readonly string[]): string[] {
  const [value = ""] = values;
  if (["true", "True"].includes(value)) return [`--${name}`];
  return ["false", "False"].includes(value) ? [] : values.flatMap((one) => [`--${name}`, one]);
}

/** `forbidOnly` and `warn_return_any` as words with hyphens. */
export const hyphenated = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
