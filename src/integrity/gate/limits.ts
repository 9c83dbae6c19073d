/** Compares the conditions of a shell test. */
import {commandsIn} from "../commands/command-fates.ts";

const EQUALS = /^(?:==?|-eq)$/;

/** A comparison of a script with one value that accepts all but one now: `[ "$x" = 3 ]`, and then `[ "$x" != "" ]`. */
export function looserComparison(before: string, after: string): string | undefined {
  const comparisons = (text: string) =>
    commandsIn(text).filter(({words: [name = ""]}) => /^(?:test|\[\[?)$/.test(name));
  const [old, now] = [comparisons(before), comparisons(after)];
  if (old.length !== now.length) return undefined;
  const looser = now.find(({words: [, value, operator = "", limit], isNegated}, i) => {
    const earlier = old[i];
    // With the same limit, the branches may have changed places.
    const isSame = earlier?.words[1] === value && earlier?.words[3] !== limit && earlier?.isNegated === isNegated;
    return isSame && EQUALS.test(earlier?.words[2] ?? "") && /^(?:!=|-ne|-g[te]|-l[te]|=~)$/.test(operator);
  });
  return looser?.raws.join(" ");
}
