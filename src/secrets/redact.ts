/** Takes known secrets, their usual encodings and anything that looks like a key out of a text. Linear; never throws. */
import {patternSpans, VAGUE_KINDS} from "./key-patterns.ts";

/** Twelve characters of a secret in a row are too many: an agent told to cut or wrap it is still caught. */
const WINDOW = 12;
/** Shorter values (`true`, `1234`) would black out ordinary words; they are no secrets one could keep. */
const SHORTEST = 6;
const LONGEST = 16_384;
const MASK = "***";
const KNOWN = {what: "a known secret", isKnown: true} as const;

/** A stretch of text that must not leave the run; `what` names the kind of key, never the value. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly what: string;
  /** a value that the run holds, not only something that looks like a key */
  readonly isKnown: boolean;
}

/**
 * A function that masks every secret in a text with three asterisks.
 *
 * @param o.secrets values that the run holds. Values under six characters are left alone; up to eleven characters are
 *   found whole; from twelve on, any twelve characters in a row are found, in the value and in each of its encodings.
 */
export function createRedactor(o: {secrets: readonly string[]}): (text: string) => string {
  const find = createSecretFinder(o);
  return (text) => {
    const found = find(text);
    if (found.length === 0) return text;
    const pieces: string[] = [];
    let from = 0;
    for (const {start, end} of found) {
      pieces.push(text.slice(from, start), MASK);
      from = end;
    }
    pieces.push(text.slice(from));
    return pieces.join("");
  };
}

/** The same search, for a caller that refuses instead of masking, such as the scan of a diff. In order, no overlaps. */
export function createSecretFinder(o: {secrets: readonly string[]}): (text: string) => Secret[] {
  const known = knownForms(o.secrets);
  return (text) => merged([...known(text), ...patternSpans(text).map((span) => ({...span, isKnown: false}))]);
}

function knownForms(secrets: readonly string[]): (text: string) => Secret[] {
  const whole = new Set<string>();
  const windows = new Set<string>();
  const filter = new Uint8Array(65_536);
  for (const form of secrets.flatMap(formsOf)) {
    if (form.length < WINDOW) whole.add(form);
    for (let i = 0; i + WINDOW <= form.length; i++) {
      windows.add(form.slice(i, i + WINDOW));
      filter[hash(form, i)] = 1;
    }
  }
  return (text) => {
    const found: Secret[] = [];
    for (const form of whole) {
      for (let i = text.indexOf(form); i !== -1; i = text.indexOf(form, i + form.length)) {
        found.push({start: i, end: i + form.length, ...KNOWN});
      }
    }
    const isKnown = (at: number) => filter[hash(text, at)] === 1 && windows.has(text.slice(at, at + WINDOW));
    for (let i = 0; i + WINDOW <= text.length; ) {
      if (!isKnown(i)) {
        i++;
        continue;
      }
      const last = found.at(-1);
      if (last !== undefined && last.start <= i && i <= last.end)
        found[found.length - 1] = {...last, end: Math.max(last.end, i + WINDOW)};
      else found.push({start: i, end: i + WINDOW, ...KNOWN});
      // A long secret is walked a window at a time; only its end is felt for step by step.
      i += isKnown(i + WINDOW) ? WINDOW : 1;
    }
    return found;
  };
}

/** Four characters out of the twelve: cheap enough to ask at every place of a megabyte. */
function hash(text: string, at: number): number {
  const mixed = text.charCodeAt(at) * 31 + text.charCodeAt(at + 3) * 1009;
  return (mixed + text.charCodeAt(at + 6) * 8209 + text.charCodeAt(at + 11) * 65_537) & 0xffff;
}

/** A secret as programs print it. A secret of several lines is also each of its lines, as a log would show it. */
function formsOf(secret: string): string[] {
  const value = secret.slice(0, LONGEST).replace(/[\ud800-\udfff]/gu, "\ufffd");
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const texts = [...new Set([value, value.trim(), ...lines])].filter((text) => text.length >= SHORTEST);
  return [...new Set(texts.flatMap(encodings))].filter((form) => form.length >= SHORTEST);
}

function encodings(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const hex = bytes.toString("hex");
  const json = JSON.stringify(text).slice(1, -1);
  const percent = encodeURIComponent(text);
  const fullPercent = hex.replace(/../g, "%$&");
  const xml = text.replace(/[&<>"']/g, (char) => XML[char] ?? char);
  const numeric = xml.replaceAll("&quot;", "&#34;").replaceAll("&apos;", "&#39;");
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  return [
    text,
    Array.from(text).reverse().join(""),
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.toLowerCase(),
    percent.replaceAll("%20", "+"),
    fullPercent,
    fullPercent.toUpperCase(),
    xml,
    numeric,
    hex,
    hex.toUpperCase(),
    hex.replace(/..(?!$)/g, "$& "),
    hex.replace(/..(?!$)/g, "$&:"),
    text.replaceAll("'", "'\\''"),
    ...EACH_BYTE.map(([before, after]) => hex.replace(/../g, `${before}$&${after}`)),
    bytes.reduce((out, byte) => `${out}&#${byte};`, ""),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    ...base64.map((form) => Array.from(form).reverse().join("")),
    bytes.toString("base64"),
  ];
}

/** How languages write a byte by its number, in hexadecimal. */
const EACH_BYTE = [
  ["\\x", ""],
  ["\\u00", ""],
  ["&#x", ";"],
] as const;
const XML: Readonly<Record<string, string>> = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"};

/** The characters of base64 that depend on the secret alone when `shift` bytes of something else stand before it. */
function base64At(bytes: Buffer, shift: number): string {
  const all = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  return all.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

function merged(found: Secret[]): Secret[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: Secret[] = [];
  for (const next of found) {
    const last = out.at(-1);
    if (last !== undefined && next.start <= last.end) {
      const surest = next.isKnown || (!last.isKnown && VAGUE_KINDS.has(last.what)) ? next : last;
      out[out.length - 1] = {...surest, start: last.start, end: Math.max(last.end, next.end)};
    } else out.push(next);
  }
  return out;
}
