/** Separates a text from the quote at its end, such as the message that an e-mail program adds below a reply. */
import {linesOf} from "./unused-definitions.ts";

// These end a paragraph in a quote; any other line below it continues the quote, although it has no mark of its own.
const BEGINS_BLOCK = /^(?:#{1,6}(?:\s|$)|[`~]{3}|(?:[-*_][ \t]*){3,}$|<)/;

/**
 * Only the structure counts, as the words of e-mail programs depend on the language: a quote up to the end, and above
 * it the paragraph that introduces it, if that ends with a colon and is not the whole text. A text that is only a quote
 * is returned unchanged: its author asks for what it says.
 */
export function splitQuote(markdown: string): {readonly own: string; readonly quote: string} {
  const lines = linesOf(markdown);
  let start: number | null = null;
  let isParagraph = false;
  for (const [at, {opens, inner, isFenced}] of lines.entries()) {
    const isQuoted = opens.trimStart().startsWith(">") && !(start === null && isFenced && lines[at - 1]?.isFenced);
    const isContinued: boolean = isParagraph && opens.trim() === "" && inner.trim() !== "" && !BEGINS_BLOCK.test(inner);
    if (isQuoted) start ??= at;
    else if (inner.trim() !== "" && !isContinued) start = null;
    isParagraph = start !== null && (isQuoted || isContinued) && inner.trim() !== "" && !isFenced;
  }
  if (start === null) return {own: markdown, quote: ""};
  const isBlank = (at: number) => (lines[at]?.text.trim() ?? "") === "";
  let end = start - 1;
  while (end >= 0 && isBlank(end)) end--;
  if (end < 0) return {own: markdown, quote: ""};
  let first = end;
  while (first > 0 && !isBlank(first - 1)) first--;
  const introduces = first > 0 && lines[end]?.isFenced === false && /[:：]\s*$/.test(lines[end]?.inner ?? "");
  const from = lines[introduces ? first : start]?.from ?? 0;
  return {own: markdown.slice(0, from).trimEnd(), quote: markdown.slice(from)};
}
