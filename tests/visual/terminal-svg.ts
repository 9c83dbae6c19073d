/** What a terminal showed over time, as an animated SVG: a small terminal, its frames, and their drawing. */

/** A part of a line in one style; the classes are those of the SVG. */
interface Span {
  readonly text: string;
  readonly style: string;
}

interface Cell {
  readonly char: string;
  readonly style: string;
}

export interface Chunk {
  readonly seconds: number;
  readonly text: string;
}

interface Frame {
  readonly seconds: number;
  readonly lines: readonly (readonly Span[])[];
}

const STYLES: Readonly<Record<string, string>> = {1: "b", 2: "q", 31: "r", 32: "g", 33: "y", 34: "l", 36: "c", 90: "q"};
const RESETS = new Set(["0", "22", "39", ""]);
const [LINE_HEIGHT, CHAR_WIDTH, PADDING] = [20, 8.43, 16];
/** A reader needs no more frames, and waits no longer. */
const [MIN_FRAME_S, MAX_FRAME_S, LAST_FRAME_S] = [0.25, 1.2, 6];

/** Draws the chunks; throws at an escape code that it does not know. */
export function framesOf(chunks: readonly Chunk[]): Frame[] {
  const screen = openTerminal();
  const frames: Frame[] = [];
  let nowS = 0;
  for (const {seconds, text} of chunks) {
    nowS += Math.min(seconds, MAX_FRAME_S);
    screen.write(text);
    const last = frames.at(-1);
    const isSoon = last !== undefined && nowS - last.seconds < MIN_FRAME_S;
    if (isSoon) frames[frames.length - 1] = {seconds: last.seconds, lines: screen.lines()};
    else frames.push({seconds: nowS, lines: screen.lines()});
  }
  return frames;
}

function openTerminal() {
  let rows: Cell[][] = [[]];
  let [row, column, style] = [0, 0, ""];
  const put = (char: string) => {
    const cells = rows[row] ?? [];
    while (cells.length < column) cells.push({char: " ", style: ""});
    cells[column] = {char, style};
    rows[row] = cells;
    column += 1;
  };
  const obey = (code: string) => {
    const [, count = "", command = ""] = /^\u001b\[\??([\d;]*)([A-Za-z])$/.exec(code) ?? [];
    if (command === "m") style = count.split(";").reduce((now, one) => styleAfter(now, one), style);
    else if (command === "A") row -= Number(count || 1);
    else if (command === "J") rows = [...rows.slice(0, row), (rows[row] ?? []).slice(0, column)];
    else if (command === "K") rows[row] = (rows[row] ?? []).slice(0, column);
    else if (command !== "h" && command !== "l") throw new Error(`unknown code ${JSON.stringify(code)}`);
  };
  return {
    write(text: string) {
      for (const part of text.split(/(\u001b\[\??[\d;]*[A-Za-z]|\r|\n)/)) {
        if (part === "\r") column = 0;
        else if (part === "\n") rows[++row] ??= [];
        else if (part.startsWith("\u001b")) obey(part);
        else for (const char of part) put(char);
      }
    },
    lines: () => rows.map(spansOf),
  };
}

function styleAfter(now: string, code: string): string {
  if (RESETS.has(code)) return "";
  const name = STYLES[code];
  if (name === undefined) throw new Error(`unknown color ${code}`);
  return [...new Set([...now.split(" "), name])].filter(Boolean).join(" ");
}

function spansOf(cells: readonly Cell[]): Span[] {
  const spans: Span[] = [];
  for (const {char, style} of cells) {
    const last = spans.at(-1);
    if (last?.style === style) spans[spans.length - 1] = {style, text: last.text + char};
    else spans.push({style, text: char});
  }
  return spans;
}

/** With reduced motion it shows the last frame only. */
export function svgOf(frames: readonly Frame[], {columns, title}: {columns: number; title: string}): string {
  const width = Math.ceil(columns * CHAR_WIDTH) + 2 * PADDING;
  const height = Math.max(...frames.map(({lines}) => lines.length)) * LINE_HEIGHT + 2 * PADDING;
  const totalS = (frames.at(-1)?.seconds ?? 0) + LAST_FRAME_S;
  const percent = (seconds: number) => `${((100 * seconds) / totalS).toFixed(2)}%`;
  const animations = frames.map(({seconds}, index) => {
    const isLast = index === frames.length - 1;
    const hidden = index === 0 ? "" : "0%{opacity:0}";
    const end = isLast ? "" : `${percent(frames[index + 1]?.seconds ?? totalS)}{opacity:0}`;
    return `@keyframes k${index}{${hidden}${index === 0 ? "0%" : percent(seconds)}{opacity:1}${end}}#f${index}{animation-name:k${index}}`;
  });
  const groups = frames.map(
    ({lines}, index) => `<g id="f${index}"${index === frames.length - 1 ? ' class="last"' : ""}>${textOf(lines)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>
svg{font:14px ui-monospace,SFMono-Regular,Menlo,"Liberation Mono",monospace;--p:#f6f8fa;--t:#1f2328;--q:#59636e;--r:#c21c2c;--g:#1a7f37;--y:#7d4e00;--c:#0757b3}
@media(prefers-color-scheme:dark){svg{--p:#151b23;--t:#f0f6fc;--q:#9198a1;--r:#ff8182;--g:#4ac26b;--y:#e3b341;--c:#6cb0ff}}
rect{fill:var(--p)}text{fill:var(--t);white-space:pre}.b{font-weight:bold}.q{fill:var(--q)}.r{fill:var(--r)}.g{fill:var(--g)}.y{fill:var(--y)}.c,.l{fill:var(--c)}
g{opacity:0;animation:${totalS.toFixed(2)}s step-end infinite}
${animations.join("")}
@media(prefers-reduced-motion:reduce){g{animation:none}.last{opacity:1}}
</style>
<rect width="100%" height="100%" rx="8"/>
${groups.join("\n")}
</svg>
`;
}

function textOf(lines: Frame["lines"]): string {
  const drawn = lines.map((spans, index) => {
    const parts = spans.map(({text, style}) =>
      style === "" ? escapeXml(text) : `<tspan class="${style}">${escapeXml(text)}</tspan>`,
    );
    return spans.length === 0
      ? ""
      : `<text x="${PADDING}" y="${PADDING + 14 + index * LINE_HEIGHT}">${parts.join("")}</text>`;
  });
  return drawn.join("");
}

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`);
