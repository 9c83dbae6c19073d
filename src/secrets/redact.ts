/** Finds and masks known secrets, their usual encodings, and texts that look like keys. Linear; never throws. */
import {patternSpans, VAGUE_KINDS} from "./key-patterns.ts";

/** Any twelve characters of a secret in a row are found, even if the secret was cut or wrapped. */
const WINDOW_CHARS = 12;
/** Shorter values, such as `true` or `1234`, would mask ordinary words. */
const MIN_SECRET_CHARS = 6;
const MAX_SECRET_CHARS = 16_384;
const MASK = "***";
const KNOWN_SECRET = {what: "a known secret", isKnown: true} as const;

/** A part of a text that must not leave the run. `what` is the kind of key, never the value. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly what: string;
  /** a known value of the run, not only a text that looks like a key */
  readonly isKnown: boolean;
}

/**
 * Returns a function that masks every secret in a text with three asterisks.
 *
 * @param options.secrets known values. Values under six characters are ignored. Values of up to eleven characters are found
 *   as a whole; of longer ones, any twelve characters in a row, in the value and in each of its encodings.
 */
export function createRedactor(options: {secrets: readonly string[]}): (text: string) => string {
  const find = createSecretFinder(options);
  return (text) => {
    let maskedText = "";
    let from = 0;
    for (const {start, end} of find(text)) {
      maskedText += text.slice(from, start) + MASK;
      from = end;
    }
    return maskedText + text.slice(from);
  };
}

/** Returns a function that finds the same secrets, in order and without overlaps, for the scan of a diff. */
export function createSecretFinder({secrets}: {secrets: readonly string[]}): (text: string) => Secret[] {
  const findKnown = createKnownFinder(secrets);
  return (text) => merge([...findKnown(text), ...patternSpans(text).map((span) => ({...span, isKnown: false}))]);
}

function createKnownFinder(secrets: readonly string[]): (text: string) => Secret[] {
  const shortForms = new Set<string>();
  const windows = new Set<string>();
  const filter = new Uint8Array(65_536);
  for (const form of secrets.flatMap(formsOf)) {
    if (form.length < WINDOW_CHARS) shortForms.add(form);
    for (let i = 0; i + WINDOW_CHARS <= form.length; i++) {
      windows.add(form.slice(i, i + WINDOW_CHARS));
      filter[hash(form, i)] = 1;
    }
  }
  return (text) => {
    const matches: Secret[] = [];
    for (const form of shortForms) {
      for (let i = text.indexOf(form); i !== -1; i = text.indexOf(form, i + form.length)) {
        matches.push({start: i, end: i + form.length, ...KNOWN_SECRET});
      }
    }
    const isKnown = (at: number) => filter[hash(text, at)] === 1 && windows.has(text.slice(at, at + WINDOW_CHARS));
    for (let i = 0; i + WINDOW_CHARS <= text.length; ) {
      if (!isKnown(i)) {
        i++;
        continue;
      }
      const lastMatch = matches.at(-1);
      if (lastMatch !== undefined && lastMatch.start <= i && i <= lastMatch.end)
        matches[matches.length - 1] = {...lastMatch, end: Math.max(lastMatch.end, i + WINDOW_CHARS)};
      else matches.push({start: i, end: i + WINDOW_CHARS, ...KNOWN_SECRET});
      // Within a long secret the search steps by whole windows; only its end needs single steps.
      i += isKnown(i + WINDOW_CHARS) ? WINDOW_CHARS : 1;
    }
    return matches;
  };
}

/** Hashes four of the twelve characters, which is cheap enough for every position of a megabyte. */
function hash(text: string, at: number): number {
  const product = text.charCodeAt(at) * 31 + text.charCodeAt(at + 3) * 1009;
  return (product + text.charCodeAt(at + 6) * 8209 + text.charCodeAt(at + 11) * 65_537) & 0xffff;
}

/**
 * The forms that programs print a secret in. Each line of a multi-line secret counts, because a log may show it alone.
 */
export function formsOf(secret: string): string[] {
  const value = secret.slice(0, MAX_SECRET_CHARS).replace(/[\ud800-\udfff]/gu, "\ufffd");
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const texts = [...new Set([value, value.trim(), ...lines])].filter((text) => text.length >= MIN_SECRET_CHARS);
  return [...new Set(texts.flatMap(encodings))].filter((form) => form.length >= MIN_SECRET_CHARS);
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

/** Notations for a byte in hexadecimal. */
const EACH_BYTE = [
  ["\\x", ""],
  ["\\u00", ""],
  ["&#x", ";"],
] as const;
const XML: Readonly<Record<string, string>> = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"};

/** The base64 characters that depend only on the secret, if `shift` other bytes precede it. */
function base64At(bytes: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

function merge(secrets: Secret[]): Secret[] {
  const mergedSpans: Secret[] = [];
  for (const next of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const lastSecret = mergedSpans.at(-1);
    if (lastSecret !== undefined && next.start <= lastSecret.end) {
      const likelier = next.isKnown || (!lastSecret.isKnown && VAGUE_KINDS.has(lastSecret.what)) ? next : lastSecret;
      mergedSpans[mergedSpans.length - 1] = {
        ...likelier,
        start: lastSecret.start,
        end: Math.max(lastSecret.end, next.end),
      };
    } else mergedSpans.push(next);
  }
  return mergedSpans;
}
