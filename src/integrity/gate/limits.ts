/** Compares the numbers of commands: the values of options, and the limits in conditions of a script. */
import {splitShell} from "../../shell/split.ts";
import {CEILING, FLOOR} from "./line-words.ts";
import {commandsIn} from "./shell-status.ts";

/** An option with a lower least value, or with a higher most value; undefined if there is none. */
export function looserLimit(before: readonly string[], after: readonly string[]): string | undefined {
  const [old, now] = [limitsIn(before), limitsIn(after)];
  return [...now.keys()].find((name) => {
    const [from, to] = [old.get(name), now.get(name)];
    if (from === undefined || to === undefined) return false;
    const key = name.replace(/^-+(?:test-)?(?:cov-|coverage[.-](?:thresholds?[.-])?)?/, "");
    return FLOOR.test(key) || FLOOR.test(name) ? to < from : CEILING.test(key) && to > from;
  });
}

/** The same for programs that measure coverage, which are no checks by themselves. */
export function looserCoverage(before: string, after: string): string | undefined {
  const measures = (text: string) => (splitShell(text) ?? []).filter(({words}) => /cover|nyc|c8/.test(words[0] ?? ""));
  const earlier = measures(before);
  const options = measures(after).map(({words}) => {
    const previous = earlier.find((one) => one.words[0] === words[0] && one.words[1] === words[1]);
    return previous === undefined ? undefined : looserLimit(previous.words, words);
  });
  return options.find((option) => option !== undefined);
}

function limitsIn(words: readonly string[]): Map<string, number> {
  return new Map(
    words.flatMap((word, index) => {
      const [, name = "", own] = /^(-{1,2}[A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word) ?? [];
      const value = Number((own ?? words[index + 1] ?? "").replace(/%$/, "") || Number.NaN);
      return name === "" || Number.isNaN(value) ? [] : [[name, value] as const];
    }),
  );
}

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

const LIMIT = /(-(?:lt|le|gt|ge)|[<>]=?)(\s*["']?)(\d+(?:\.\d+)?)/g;
/** What a script measures, where a number is a limit of it. */
const MEASURED = /cover|total|limit|threshold|percent|warn|count|size|minimum|maximum/i;

/** The same condition of a script with a limit that more values pass. */
export function looserCondition(before: string, after: string): string | undefined {
  const limits = (text: string) =>
    text
      .split("\n")
      .flatMap((line) => (MEASURED.test(line) ? [...line.matchAll(LIMIT)].map((match) => ({line, match})) : []));
  const [old, now] = [limits(before), limits(after)];
  if (old.length !== now.length) return undefined;
  const shape = (line: string) => line.replace(LIMIT, "$1$2");
  return now.find(({line, match}, index) => {
    const earlier = old[index];
    if (earlier === undefined || shape(earlier.line) !== shape(line)) return false;
    const [from, to] = [Number(earlier.match[3]), Number(match[3])];
    // The script fails below, or above, the number.
    return /lt|le|</.test(match[1] ?? "") ? to < from : to > from;
  })?.line;
}
