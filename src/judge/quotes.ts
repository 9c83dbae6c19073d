/** Checks that a quote of the judge occurs in its input. */

/** The texts that a quote may come from. */
export interface QuotableTexts {
  readonly diff: string;
  /** results of the checks, and the changed paths */
  readonly facts: string;
  /** the agent's own words */
  readonly answer: string;
}

/** A shorter quote occurs by chance; it counts only as a whole line. */
const SHORT = 8;

/** Where the quote occurs, in the order of its weight as evidence; null if it occurs nowhere. */
export function findQuote(quote: string, texts: QuotableTexts): keyof QuotableTexts | null {
  const places = ["diff", "facts", "answer"] as const;
  return places.find((place) => occursIn(quote, texts[place])) ?? null;
}

/** Verbatim, or equal apart from white space and the diff's marks at the start of lines, which models leave out. */
function occursIn(quote: string, text: string): boolean {
  const trimmedQuote = quote.trim();
  if (trimmedQuote.replace(/\s/g, "").length < SHORT) {
    const line = withoutMark(trimmedQuote);
    return line !== "" && text.split("\n").some((one) => one.trim() === trimmedQuote || withoutMark(one) === line);
  }
  return text.includes(trimmedQuote) || normalize(text).includes(normalize(trimmedQuote));
}

const withoutMark = (line: string): string => line.replace(/^[+\- ]/, "").trim();

function normalize(text: string): string {
  return text.split("\n").map(withoutMark).join(" ").replace(/\s+/g, " ").trim();
}
