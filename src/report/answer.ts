/** The agent's own answer, rebuilt line by line: it keeps its headings, lists, tables and code, and nothing in it is live. */
import {BLOCK_MARKER, disarmed, fence, inlineLine, visible} from "./escape.ts";

/** A language that GitHub draws (diagrams, maps, formulas, suggestions) would be more than text. */
const PLAIN_LANGUAGE = /^(?!(?:math|mermaid|geojson|topojson|stl|suggestion)\b)[A-Za-z][\w+#.-]{0,19}$/;

/** Markdown that an agent wrote, safe to stand in a comment before other blocks. Linear in its length. */
export function answerMarkdown(text: string): string {
  const lines = visible(text).split("\n");
  const out: string[] = [];
  let prose: string[] = [];
  const flush = () => {
    const table = prose.some(looksLikeTableRule);
    out.push(...prose.map((line) => proseLine(line, table)));
    prose = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const opening = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/.exec(line);
    if (opening !== null) {
      flush();
      const [, indent = "", ticks = "", info = ""] = opening;
      const end = closingLine(lines, i + 1, ticks);
      const code = lines.slice(i + 1, end).map((inner) => withoutIndent(inner, indent.length));
      const language = info.trim().split(/\s/, 1)[0] ?? "";
      // Always at the start of a line, whatever list it stood in: there it needs no agreement about nesting to stay closed.
      out.push(fence(code.join("\n"), PLAIN_LANGUAGE.test(language) ? language : ""));
      i = end;
    } else if (line.trim() === "") {
      flush();
      out.push("");
    } else {
      prose.push(line);
    }
  }
  flush();
  return out.join("\n").trim();
}

function closingLine(lines: readonly string[], from: number, ticks: string): number {
  for (let i = from; i < lines.length; i++) {
    const line = (lines[i] ?? "").trim();
    if (line.length >= ticks.length && line === ticks.charAt(0).repeat(line.length)) return i;
  }
  return lines.length;
}

function withoutIndent(line: string, width: number): string {
  let start = 0;
  while (start < width && /[ \t]/.test(line.charAt(start))) start++;
  return line.slice(start);
}

/** Wider than GFM's rule on purpose: a table that we miss would split our code spans at their pipes. */
function looksLikeTableRule(line: string): boolean {
  return line.includes("-") && /^[\s>*+:|.)\d-]*$/.test(line);
}

/** Keeps what opens a quote, heading, list item or task; bounded, so that no nesting grows with the text. */
function proseLine(line: string, table: boolean): string {
  if (/^[ \t]{0,3}[-*_][-*_ \t]{2,}$/.test(line) && line.length <= 80) return line;
  const quotes = /^(?:[ \t]{0,3}>){0,5}/.exec(line)?.[0] ?? "";
  const opener =
    /^[ \t]{0,40}(?:#{1,6}(?=[ \t])|(?:[-+*]|\d{1,9}[.)])[ \t]{1,4}(?:\[[ xX]\](?=[ \t]))?)?[ \t]{0,4}/.exec(
      line.slice(quotes.length, quotes.length + 80),
    );
  const start = quotes + (opener?.[0] ?? "");
  const rest = line.slice(start.length);
  const nested = BLOCK_MARKER.exec(rest)?.[0] ?? "";
  return start + disarmed(nested) + inlineLine(rest.slice(nested.length), {table, emphasis: true});
}
