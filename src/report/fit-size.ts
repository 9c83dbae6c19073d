/** Reduces a report to its maximum size by rendering it again with fewer details. No rendered text is ever cut. */

/** The limits of each part: characters for a text, a count for a list. */
export interface DetailLimits {
  readonly answer: number;
  /** answers of the turns before the last */
  readonly earlier: number;
  readonly excerpt: number;
  readonly diagnostics: number;
  readonly rows: number;
  readonly list: number;
  /** one command, name, sentence or path */
  readonly line: number;
}

const FULL_LIMITS: DetailLimits = {
  answer: 0,
  earlier: 8000,
  excerpt: 12_000,
  diagnostics: 20,
  rows: 200,
  list: 50,
  line: 400,
};

/**
 * From the full report to the shortest possible one. Logs are shortened first, then earlier answers, then the answer.
 * The verdict and the table always stay, with fewer rows.
 */
function levels(maxChars: number): DetailLimits[] {
  const answer = (share: number) => Math.floor(maxChars * share);
  return [
    {...FULL_LIMITS, answer: answer(0.7)},
    {...FULL_LIMITS, answer: answer(0.6), earlier: 4000, excerpt: 6000, rows: 100},
    {...FULL_LIMITS, answer: answer(0.5), earlier: 1500, excerpt: 3000, diagnostics: 10, rows: 80, list: 30, line: 240},
    {answer: answer(0.4), earlier: 500, excerpt: 1500, diagnostics: 5, rows: 60, list: 20, line: 200},
    {answer: answer(0.3), earlier: 0, excerpt: 800, diagnostics: 3, rows: 40, list: 12, line: 160},
    {answer: answer(0.15), earlier: 0, excerpt: 300, diagnostics: 1, rows: 30, list: 6, line: 120},
    {answer: answer(0.06), earlier: 0, excerpt: 0, diagnostics: 0, rows: 20, list: 4, line: 80},
    {answer: answer(0.02), earlier: 0, excerpt: 0, diagnostics: 0, rows: 10, list: 2, line: 60},
    {answer: 0, earlier: 0, excerpt: 0, diagnostics: 0, rows: 3, list: 1, line: 30},
  ];
}

/** The smallest limit that every report can be cut down to. */
export const SMALLEST = 10_000;

/**
 * Renders with as many details as fit. * @param options.maxChars UTF-16 units; at least `SMALLEST`. GitHub refuses a
 * comment above 65,536. @returns the first rendering that fits, or the smallest one.
 */
export function fitToSize(options: {maxChars: number; render: (limits: DetailLimits) => string}): string {
  let text = "";
  for (const limits of levels(options.maxChars)) {
    text = options.render(limits);
    if (text.length <= options.maxChars) break;
  }
  return text;
}

/** The first `max` items, and how many were left out. */
export function capLength<T>(items: readonly T[], max: number): {shown: readonly T[]; left: number} {
  return {shown: items.slice(0, max), left: Math.max(0, items.length - max)};
}

/**
 * The head and the tail of a text, because a tool's last lines matter as much as its first. Whole lines if possible.
 */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.floor(max / 3));
  const tail = text.slice(text.length - Math.floor((max * 2) / 3));
  const headLines = head.slice(0, head.lastIndexOf("\n") + 1 || head.length);
  const tailLines = tail.slice(tail.indexOf("\n") + 1);
  return `${headLines.trimEnd()}\n… ${text.length - headLines.length - tailLines.length} characters left out …\n${tailLines}`;
}
