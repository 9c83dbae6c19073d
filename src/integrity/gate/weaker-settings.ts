/** Names the settings of a new `verify.json` that check less than those before it, in a few words each. */
import {SETTING_RULES} from "./setting-rules.ts";
import {readSettings} from "./settings.ts";
import {isWeaker} from "./weaker-values.ts";

const MAX_VALUE = 40;

/** `before` is null without an earlier file; then the values are compared with the defaults. */
export function weakerSettings(file: string, {before, after}: {before: string | null; after: string}): string[] {
  const [old, current] = [readSettings(file, before), readSettings(file, after)];
  const rules = SETTING_RULES.filter(({files}) => files.test(file));
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((key) => {
    const weaker = / timeout$/.test(key) ? "grows" : rules.find((one) => one.key.test(key))?.weaker;
    const words = `${key} ${current.get(key)?.join(", ") ?? "removed"}`;
    const isNamed = weaker !== undefined && isWeaker(weaker, old.get(key), current.get(key));
    return isNamed ? [words.slice(0, key.length + MAX_VALUE)] : [];
  });
}
