/** Extracts the sections of a spec that bind the code: requirements, invariants, public interface and error cases. */
import type {SpecFormat} from "./formats/format.ts";

/** A section that binds the code; the title is empty for a text without headings. */
export interface Constraint {
  readonly title: string;
  readonly text: string;
}

interface MarkdownSection {
  readonly level: number;
  readonly title: string;
  readonly parent: MarkdownSection | undefined;
  /** its heading and its lines, with its subsections */
  readonly lines: string[];
  /** its lines without its heading and its subsections */
  readonly ownLines: string[];
}

/** In the order of the text. The whole text if it has none of the format's sections. */
export function extractConstraints(
  {sections, lines}: Pick<SpecFormat, "sections" | "lines">,
  text: string,
): Constraint[] {
  const body = withoutFrontMatter(text);
  const bindingSections = new Set(splitSections(body).filter(({title}) => sections?.test(title)));
  const constraints = [...bindingSections].flatMap((section): Constraint[] => {
    const {title, ownLines} = section;
    if (lines !== undefined) {
      const keptLines = bindingLines(ownLines, lines);
      return keptLines.length === 0 ? [] : [{title, text: [section.lines[0], ...keptLines].join("\n")}];
    }
    if (hasAncestorIn(section, bindingSections) || !section.lines.slice(1).some((line) => line.trim() !== ""))
      return [];
    return [{title, text: section.lines.join("\n").trim()}];
  });
  return constraints.length > 0 ? constraints : [{title: "", text: body.trim()}];
}

/** The front matter at the start of a text, and the text after it. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, "");
}

/** A `#` in a fenced block is not a heading. */
function splitSections(text: string): MarkdownSection[] {
  const sections: MarkdownSection[] = [];
  const open: MarkdownSection[] = [];
  let fence = "";
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    const [, hashes, heading = ""] = (fence === "" && /^(#{1,6})\s+(.*)$/.exec(line)) || [];
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    if (hashes === undefined) open.at(-1)?.ownLines.push(line);
    else {
      const level = hashes.length;
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      const title = heading.replace(/[*_`#]/g, "").trim();
      open.push({level, title, parent: open.at(-1), lines: [], ownLines: []});
      sections.push(...open.slice(-1));
    }
    for (const section of open) section.lines.push(line);
  }
  return sections;
}

function hasAncestorIn({parent}: MarkdownSection, sections: ReadonlySet<MarkdownSection>): boolean {
  return parent !== undefined && (sections.has(parent) || hasAncestorIn(parent, sections));
}

/** The lines that bind, each with its indented continuation. */
function bindingLines(lines: readonly string[], pattern: RegExp): string[] {
  let isKept = false;
  return lines.filter((line) => {
    isKept = pattern.test(line) || (isKept && /^\s+\S/.test(line));
    return isKept;
  });
}
