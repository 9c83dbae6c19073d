/** Fills in what a switch of a tool implies, so that the switch and the single settings compare as equal. */
import type {SettingPair, SettingValues} from "./tool-integrity.ts";

const ON = /^(?:true|on|1|yes)$/i;

export interface ImpliedSettings {
  /** the last word of the key path of the switch */
  readonly name: string;
  /** its values that turn it on */
  readonly on?: RegExp;
  /** the keys in the same section that it turns on, by their last words */
  readonly implies: ReadonlySet<string> | RegExp;
}

/** A single setting that the new version lost is as before if its switch is on; and a lost switch if all it implies is. */
export function withImplied({before, after}: SettingPair, {name, on = ON, implies}: ImpliedSettings): SettingPair {
  const filled = new Map(after);
  const isOn = (settings: SettingValues, key: string) => settings.get(key)?.some((value) => on.test(value)) ?? false;
  const isImplied = (word: string) => (implies instanceof RegExp ? implies.test(word) : implies.has(word));
  for (const [key, values] of before) {
    const section = key.slice(0, key.lastIndexOf(" ") + 1);
    const word = key.slice(section.length);
    if (!after.has(key) && isImplied(word) && isOn(after, `${section}${name}`)) filled.set(key, values);
    const isRestated = (one: string) => after.get(`${section}${one}`)?.every((value) => ON.test(value)) ?? false;
    if (
      word === name &&
      isOn(before, key) &&
      !isOn(after, key) &&
      implies instanceof Set &&
      [...implies].every(isRestated)
    )
      filled.set(key, values);
  }
  return {before, after: filled};
}

/** A key that only said what the tool does without it is not lost. */
export function withDefaults(
  {before, after}: SettingPair,
  isDefault: (key: string, values: string) => boolean,
): SettingPair {
  const lost = [...before].filter(([key, values]) => !after.has(key) && isDefault(key, values.join()));
  return {before, after: new Map([...after, ...lost])};
}
