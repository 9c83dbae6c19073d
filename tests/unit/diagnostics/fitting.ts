/** Makes lines that a pattern fits from the pattern itself, so that a test sees each of its alternatives without a list of examples. */

const CLASS = /^\[(?:\\.|[^\]\\])*\]/;
const TIMES = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;
const ESCAPED: Readonly<Record<string, string>> = {
  d: "7",
  s: " ",
  S: "x",
  w: "k",
  W: "-",
  t: "\t",
  n: "\n",
  b: "",
  B: "",
};
const CHARACTERS = [..."xA7 .:/-_'\"[]()|><=*#+`$!,;@\t✖●"];

/** Gives up to `tries` different lines that the pattern fits; those made that it does not fit (for what it looks ahead for) are dropped. */
export function fitting(pattern: RegExp, tries: number): string[] {
  const made = Array.from({length: tries}, (_, n) => makerOf(pattern.source, n * 7919 + 1)());
  return [...new Set(made)].filter((line) => new RegExp(pattern.source, pattern.flags.replace("g", "")).test(line));
}

function makerOf(source: string, seed: number): () => string {
  let at = 0;
  let state = seed;
  const pick = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
  const matched = (what: RegExp): RegExpExecArray | null => {
    const found = what.exec(source.slice(at));
    at += found?.[0].length ?? 0;
    return found;
  };
  const atom = (): (() => string) => {
    const opens = matched(/^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/)?.[0];
    if (opens !== undefined) {
      const inside = choice();
      at++;
      if (opens === "(?=") return () => (pick(2) === 0 ? inside() : "");
      return /[=!]$/.test(opens) ? () => "" : inside;
    }
    const set = matched(CLASS)?.[0];
    if (set !== undefined) {
      const fit = [...CHARACTERS, ...set].filter((one) => one !== "\n" && new RegExp(set).test(one));
      return () => fit[pick(fit.length)] ?? "";
    }
    const character = source[at++] ?? "";
    if (character === "\\") {
      const escaped = source[at++] ?? "";
      return () => ESCAPED[escaped] ?? escaped;
    }
    if (character === "^" || character === "$") return () => "";
    return () => (character === "." ? (CHARACTERS[pick(CHARACTERS.length)] ?? "") : character);
  };
  const sequence = (): (() => string) => {
    const parts: (() => string)[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const one = atom();
      const times = matched(TIMES);
      const mark = times?.[0].charAt(0);
      const least = mark === "{" ? Number(times?.[1]) : mark === "+" || times === null ? 1 : 0;
      const more = times === null || times[2] === "" ? 0 : mark === "?" ? 1 : Number(times[3] || least + 2) - least;
      parts.push(() => Array.from({length: least + pick(Math.min(more, 2) + 1)}, one).join(""));
    }
    return () => parts.map((part) => part()).join("");
  };
  const choice = (): (() => string) => {
    const all = [sequence()];
    while (source[at] === "|") {
      at++;
      all.push(sequence());
    }
    return () => all[pick(all.length)]?.() ?? "";
  };
  return choice();
}
