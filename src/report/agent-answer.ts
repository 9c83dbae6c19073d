/** Renders the agent's answer line by line: lists and code stay, nothing is active or looks like a verdict. */
import {fence, inlineLine, neutralize, showInvisible, withoutMarker} from "../markdown/escape.ts";
import {withoutVerdictSigns} from "../markdown/verdict-signs.ts";

/** A language that GitHub draws (diagrams, maps, formulas, suggestions) would be more than text. */
const PLAIN_LANGUAGE = /^(?!(?:math|mermaid|geojson|topojson|stl|suggestion)\b)[A-Za-z][\w+#.-]{0,19}$/;

/** The answer as a quote, so that a reader sees that the agent wrote it. */
export function quotedAnswer(text: string): string {
  return answerMarkdown(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/**
 * Markdown that an agent wrote, safe in front of other blocks of a comment: paragraphs, lists, quotes and code.
 * Headings, rules and task lists show their characters, tables are code, verdict signs are words. Linear in its length.
 */
export function answerMarkdown(text: string): string {
  const lines = withoutVerdictSigns(showInvisible(text)).split("\n");
  const out: string[] = [];
  let prose: string[] = [];
  const flush = () => {
    const isTable = prose.some((line) => line.includes("|") && looksLikeTableRule(line));
    out.push(...(isTable ? [fence(prose.join("\n"))] : prose.map(proseLine)));
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
      // Always at the start of a line, even inside a list, so that all parsers agree where it ends.
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

/** Broader than GFM's rule on purpose, so that no table is missed. */
function looksLikeTableRule(line: string): boolean {
  return line.includes("-") && /^[\s>*+:|.)\d-]*$/.test(line);
}

/** Keeps the markers of quotes and list items. Their number is limited, so that nesting cannot grow with the text. */
function proseLine(line: string): string {
  const quotes = /^(?:[ \t]{0,3}>){0,5}/.exec(line)?.[0] ?? "";
  const inner = line.slice(quotes.length);
  // a rule, the line below a heading or the second line of a table; an empty list item can be one, too
  if (/^[-*_=:+ \t]+$/.test(inner)) return quotes + inner.replace(/\S/g, neutralize);
  const opener = /^[ \t]{0,40}(?:(?:[-+*]|\d{1,9}[.)])[ \t]{1,4})?[ \t]{0,4}/.exec(inner.slice(0, 80))?.[0] ?? "";
  const content = inner.slice(opener.length);
  const escapedContent = /^[-*_=:+ \t]+$/.test(content)
    ? content.replace(/\S/g, neutralize)
    : inlineLine(content, {emphasis: true});
  return quotes + opener + withoutMarker(escapedContent);
}
