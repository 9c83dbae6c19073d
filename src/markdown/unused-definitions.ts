/** Finds definitions of footnotes and links that nothing refers to. A rendered page does not show them. */

/** The place of a text to remove, and what stands for it. */
export type Range = readonly [from: number, to: number, instead?: string];

// The markers of block quotes and list items, with indentation.
const OPENERS = /^[ \t]*(?:(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)*/;
const FOOTNOTES = /^(?:\[\^[^\]\s]{1,999}\]:[ \t]*)+/;
const LABEL = /\[\^([^\]\s]{1,999})\](?!\((?!\s)|\[(?!\^))/g;
// A destination may be on the line after the label; a line with more than a destination is a paragraph.
const LINK = /^\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:<[^<>]*>|(?!<)\S+)?[ \t]*$/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
// These begin a block below a paragraph (CommonMark 0.31, 4.8); other HTML continues the paragraph.
const BEGINS = /^(?:#{1,6}(?:[ \t]|$)|(?:[-*_][ \t]*){3,}$)/;
const BLOCK_TAGS = new Set(
  `address article aside blockquote center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li
  main nav ol p section summary table tbody td tfoot th thead tr ul pre`.split(/\s+/),
);
// A line that may begin a block of HTML, which contains no Markdown: all tags except those of running text.
const HTML =
  /^<(?!(?:a|abbr|b|br|cite|code|del|dfn|em|i|img|ins|kbd|mark|q|s|samp|small|span|strike|strong|su[bp]|tt|u|var)\b[^<>]*>[ \t]*[^\s<])[A-Za-z/!?]/i;
const RAW = /<(?:pre|script|style|textarea)\b[\s\S]*?(?:<\/(?:pre|script|style|textarea)>|$(?![\s\S]))/gi;
/** Longer paragraphs with backticks count as having no references, which limits the search for pairs. */
const MAX_PAIRED_CHARS = 5_000;

export interface MarkdownLine {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** the text after the markers in `opens` */
  readonly inner: string;
  readonly opens: string;
  readonly isFenced: boolean;
}

interface Definition {
  readonly kind: "footnote" | "link";
  readonly labels: readonly string[];
  readonly first: number;
  /** the line after its last */
  readonly end: number;
}

type Owners = (Definition | undefined)[];

/** The ranges are whole lines of `markdown`, which has meaningless characters in place of code. */
export function findUnusedDefinitions(markdown: string, lines: readonly MarkdownLine[]): Range[] {
  const definitions = definitionsIn(lines);
  if (definitions.length === 0) return [];
  const hiddenOnes = new Set(definitions);
  // the innermost definition of each line
  const owners: Owners = [];
  for (const definition of definitions)
    for (let index = definition.first; index < definition.end; index++) owners[index] = definition;
  const linkedLabels = linkLabels(lines, definitions);
  const byLabel = new Map<string, Definition>();
  for (const definition of definitions) {
    if (definition.kind === "link" && definition.labels.some((label) => linkedLabels.has(label)))
      hiddenOnes.delete(definition);
    for (const label of definition.kind === "footnote" ? definition.labels : [])
      if (!byLabel.has(label)) byLabel.set(label, definition);
  }
  if (byLabel.size > 0) keepReferenced({markdown, lines, owners, byLabel, hidden: hiddenOnes});
  return lines.flatMap(({from, to}, at): Range[] => {
    const owner = owners[at];
    return owner !== undefined && hiddenOnes.has(owner) ? [[from, to]] : [];
  });
}

/** A page shows a footnote if shown text refers to it, also the text of another shown footnote. */
function keepReferenced(options: {
  markdown: string;
  lines: readonly MarkdownLine[];
  owners: Owners;
  byLabel: ReadonlyMap<string, Definition>;
  hidden: Set<Definition>;
}): void {
  const references = referencesIn(options.markdown, options.lines);
  const pendingReferences = references.filter(({line}) => options.owners[line] === undefined).map(({label}) => label);
  const labelsInside = new Map<Owners[number], string[]>();
  for (const {label, line} of references) {
    const labels = labelsInside.get(options.owners[line]) ?? [];
    labels.push(label);
    labelsInside.set(options.owners[line], labels);
  }
  for (let label = pendingReferences.pop(); label !== undefined; label = pendingReferences.pop()) {
    const definition = options.byLabel.get(label);
    if (
      definition === undefined ||
      !options.hidden.has(definition) ||
      definition.labels.some((other) => options.byLabel.get(other) !== definition)
    )
      continue;
    options.hidden.delete(definition);
    pendingReferences.push(...(labelsInside.get(definition) ?? []));
  }
}

export function linesOf(markdown: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: string | null = null;
  for (let from = 0; from < markdown.length; ) {
    const next = markdown.indexOf("\n", from);
    const to = next === -1 ? markdown.length : next;
    const text = markdown.slice(from, to).replace(/\r$/, "");
    const opens = OPENERS.exec(text)?.[0] ?? "";
    const inner = text.slice(opens.length);
    const [, marks = "", info = ""] = (/^[`~]/.test(inner) ? FENCE.exec(inner) : null) ?? [];
    const closes = fence !== null && marks.startsWith(fence) && info.trim() === "";
    lines.push({from, to, text, inner, opens, isFenced: fence !== null || marks !== ""});
    if (closes) fence = null;
    else if (fence === null && marks !== "") fence = marks;
    from = to + 1;
  }
  return lines;
}

function definitionsIn(lines: readonly MarkdownLine[]): Definition[] {
  const definitions: Definition[] = [];
  let isNested = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || line.inner === "") continue;
    const isDeep = width(line.opens) >= 4 && width(line.opens.replace(/\S.*/, "")) >= 4;
    if (/\S/.test(line.opens)) isNested = true;
    const labels = FOOTNOTES.exec(line.inner)?.[0];
    // A deeper line is code, or the text of a paragraph, unless a line above contains it.
    if (labels !== undefined && (!isDeep || isNested)) {
      isNested = true;
      const names = [...labels.matchAll(LABEL)].map(([, name = ""]) => normalizeLabel(name));
      definitions.push({kind: "footnote", labels: names, first: index, end: footnoteEnd(lines, index, labels)});
      continue;
    }
    const mayBeLink = !isDeep && line.inner.startsWith("[") && line.inner.includes("]:");
    const label = mayBeLink && beginsBlock(lines, index, definitions) ? linkLabel(lines, index) : null;
    if (label !== null) definitions.push({kind: "link", labels: [label.name], first: index, end: label.end});
    index = (label?.end ?? index + 1) - 1;
  }
  return definitions;
}

/** A footnote includes the lines below that are indented or continue its last paragraph. */
function footnoteEnd(lines: readonly MarkdownLine[], first: number, labels: string): number {
  const head = lines[first];
  if (head === undefined) return first;
  const base = width(head.opens.replace(/>[ \t]?/g, ""));
  let lastLine = first;
  let continues = head.inner.length > labels.length && isParagraph(head.inner.slice(labels.length));
  for (let index = first + 1; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined) break;
    const text = line.text.replace(/^(?:[ \t]{0,3}>)+[ \t]?/, "");
    const isBlank = text.trim() === "";
    const isInside = depth(line) >= depth(head) && width(/^[ \t]*/.exec(text)?.[0] ?? "") >= base + 4;
    if (isBlank) continues = false;
    else if (isInside) continues = isParagraph(line.inner) && !line.isFenced;
    else if (!continues || !isLazy(line, head)) break;
    if (!isBlank) lastLine = index;
  }
  return lastLine + 1;
}

const isParagraph = (text: string): boolean =>
  !BEGINS.test(text) &&
  !FENCE.test(text) &&
  !BLOCK_TAGS.has(/^<\/?([a-z][a-z0-9]*)\b/i.exec(text)?.[1]?.toLowerCase() ?? "");

/** A less indented line can still continue the last paragraph of a container. */
function isLazy({inner, opens}: MarkdownLine, head: MarkdownLine): boolean {
  const isDeeper = /[^\s>]/.test(opens) || depth({opens}) > depth(head);
  return isParagraph(inner) && !isDeeper && !FOOTNOTES.test(inner);
}

/** A link's definition cannot follow a line of a paragraph. */
function beginsBlock(lines: readonly MarkdownLine[], at: number, found: readonly Definition[]): boolean {
  const above = lines[at - 1];
  if (above === undefined || above.inner === "" || above.isFenced) return true;
  if (/[-+*\d]/.test(lines[at]?.opens ?? "")) return true;
  const isRule = /^(?:#{1,6}(?:[ \t]|$)|(?:[-*_=][ \t]*){3,}$)/.test(above.inner);
  return isRule || (found.at(-1)?.kind === "link" && found.at(-1)?.end === at);
}

function linkLabel(lines: readonly MarkdownLine[], at: number): {name: string; end: number} | null {
  const line = lines[at];
  const next = lines[at + 1]?.inner.trim() ?? "";
  if (line === undefined) return null;
  const name = LINK.exec(line.inner)?.[1];
  if (name === undefined) return null;
  const isShort = /\]:[ \t]*$/.test(line.inner);
  if (isShort && !/^\S+$|^<[^<>]*>$/.test(next)) return null;
  return {name: normalizeLabel(name), end: at + (isShort ? 2 : 1)};
}

/** All texts in brackets outside of definitions. */
function linkLabels(lines: readonly MarkdownLine[], definitions: readonly Definition[]): Set<string> {
  const skippedLines = new Set<number>();
  for (const {kind, first, end} of definitions)
    for (let index = first; kind === "link" && index < end; index++) skippedLines.add(index);
  const text = lines.map((line, at) => (skippedLines.has(at) ? "" : line.text)).join("\n");
  return new Set([...text.matchAll(/\[((?:[^[\]\\]|\\.){1,999})\]/g)].map(([, name = ""]) => normalizeLabel(name)));
}

/** The references that are certainly outside of code and HTML, with their lines. */
function referencesIn(markdown: string, lines: readonly MarkdownLine[]): {line: number; label: string}[] {
  const raw = [...markdown.matchAll(RAW)].map((match): Range => [match.index, match.index + match[0].length]);
  const references: {line: number; label: string}[] = [];
  let list = 0;
  for (let index = 0; index < lines.length; index++) {
    const firstIndex = index;
    while (lines[index]?.inner !== "" && index < lines.length && !lines[index]?.isFenced) index++;
    const part = lines.slice(firstIndex, index);
    const [head] = part;
    if (lines[index]?.isFenced && lines[index]?.opens === "") list = 0;
    if (head === undefined) continue;
    const indent = width(/^[ \t]*/.exec(head.text)?.[0] ?? "");
    if (indent === 0) list = 0;
    const isCode = indent >= list + 4;
    for (const line of part) if (/[-+*\d]/.test(line.opens)) list = width(line.opens);
    for (const line of part) if (FOOTNOTES.test(line.inner)) list = Math.max(list, 4);
    while (raw[0] !== undefined && raw[0][1] < head.from) raw.shift();
    const isRaw = (raw[0]?.[0] ?? markdown.length) < (part.at(-1)?.to ?? 0);
    if (isCode || isRaw || part.some(({inner}) => HTML.test(inner))) continue;
    const labels = labelsIn(part.map(({text}) => text).join("\n"));
    references.push(...labels.map(({line, label}) => ({label, line: firstIndex + line})));
  }
  return references;
}

function labelsIn(paragraph: string): {line: number; label: string}[] {
  if (!paragraph.includes("[^")) return [];
  let text = paragraph;
  if (text.includes("`")) {
    if (text.length > MAX_PAIRED_CHARS || /<[A-Za-z/!?]|\\`/.test(text)) return [];
    text = text.replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, (code) => code.replace(/[^\n]/g, " "));
  }
  text = text.replace(/\\[^\n]|<[^<>\n]*>|\]\([^()\s]*|\$(?!\s)[^$\n]*\$(?!\w)/g, (part) =>
    part.replace(/[^\n\]]/g, " "),
  );
  return text.split("\n").flatMap((one, line) => {
    const opens = OPENERS.exec(one)?.[0] ?? "";
    const defines = FOOTNOTES.exec(one.slice(opens.length))?.[0] ?? "";
    const body = one.slice(opens.length + defines.length);
    return [...body.matchAll(LABEL)].map(([, label = ""]) => ({line, label: normalizeLabel(label)}));
  });
}

/** The depth of block quotes. */
const depth = ({opens}: Pick<MarkdownLine, "opens">): number => opens.split(">").length;

const normalizeLabel = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase();

function width(indent: string): number {
  if (indent === "") return 0;
  let columns = 0;
  for (const character of indent) columns += character === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}
