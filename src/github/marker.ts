/** The hidden first line of a comment: a run finds its own comment and the agent's session by it. */

import {parseJson} from "../record/parse-json.ts";
import type {ChangeSize} from "../record/record.ts";
import {type RunFacts, runFactsSchema} from "../record/run-facts.ts";

/** Ids of Assay are short; `readMarker` would not accept a longer one. */
const MAX_ID = 100;
const MAX_FACTS = 4_000;
/** A job with an agent reports the cost, and could make the marker unreadable with another number. */
const MAX_USD = 1_000_000;

export interface Marker {
  readonly run: string;
  /** null if the run has no session (`/verify`, refusals) */
  readonly session: string | null;
  /**
   * the commit that this run parked; `none` if it published, so that no earlier work is continued; `merge` if it parked
   * the work of `/update`, which no request continues, and `merged` if it published that
   */
  readonly parked?: string;
  /** absent if the run had no attempt */
  readonly spent?: Spent;
  /** of the change that the run published; absent without one */
  readonly size?: ChangeSize;
  /** of a finished run */
  readonly verdict?: string;
  /** of a finished run with an attempt; absent if they are too long */
  readonly facts?: RunFacts;
}

/** What a run took, so that the next run of the thread can add it up. */
export interface Spent {
  readonly usd: number;
  readonly minutes: number;
  /** absent for a single one */
  readonly tries?: number;
}

const PARKED = /^(?:none|merged?|[0-9a-f]{40}(?:[0-9a-f]{24})?)$/;

/** One HTML comment. The ids are percent-encoded, including `>` and blanks, so that none can end it or add a field. */
export function runMarker(marker: Marker): string {
  const session = marker.session === null ? "" : ` session=${encode(marker.session)}`;
  const parkedField = marker.parked !== undefined && PARKED.test(marker.parked) ? ` parked=${marker.parked}` : "";
  const {spent} = marker;
  const spentField =
    spent === undefined
      ? ""
      : ` spent=${Math.min(Math.max(0, spent.usd), MAX_USD).toFixed(4)}/${spent.minutes.toFixed(1)}${spent.tries ? `/${spent.tries}` : ""}`;
  const {size} = marker;
  const sizeField = size === undefined ? "" : ` size=${size.lines}/${size.files}/${size.tests}`;
  const verdictField = marker.verdict === undefined ? "" : ` verdict=${marker.verdict}`;
  const facts = marker.facts === undefined ? "" : encodeJson(marker.facts);
  const factsField = facts === "" || facts.length > MAX_FACTS ? "" : ` facts=${facts}`;
  const fields = `${session}${parkedField}${spentField}${sizeField}${verdictField}${factsField}`;
  return `<!-- assay:run=${encode(marker.run)}${fields} -->`;
}

/**
 * The marker of a comment's body, or null. Only the first line counts, because foreign text further down may look like
 * a marker. Anyone can write such a first line, so pass only comments whose author is the bot.
 */
export function readMarker(body: string): Marker | null {
  const [, text] = /^<!-- assay:(run=[^\s>]+(?: [a-z]+=[^\s>]+)*) -->(?:\r?\n|$)/.exec(body) ?? [];
  if (text === undefined) return null;
  const pairs = text
    .split(" ")
    .map((field) => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)]);
  const fields = new Map(pairs.map(([name = "", value = ""]) => [name, value]));
  const isInOrder = [...fields.keys()].join() === FIELDS.filter((name) => fields.has(name)).join();
  const run = decode(fields.get("run") ?? "");
  const session = fields.has("session") ? decode(fields.get("session") ?? "") : null;
  const parked = fields.get("parked");
  const spent = numbersOf(fields.get("spent"), 2) ?? numbersOf(fields.get("spent"), 3);
  const size = numbersOf(fields.get("size"), 3);
  const verdict = fields.get("verdict");
  const facts = runFactsSchema.safeParse(parseJson(decode(fields.get("facts") ?? "") ?? "")).data;
  const isWhole = isInOrder && fields.size === pairs.length && [spent, size].every((numbers) => numbers !== null);
  if (!isWhole || run === null || (fields.has("session") && session === null)) return null;
  if (parked !== undefined && !PARKED.test(parked)) return null;
  if (verdict !== undefined && !/^[a-z-]{1,40}$/.test(verdict)) return null;
  const [usd, minutes, tries] = spent ?? [];
  const [lines, files, tests] = size ?? [];
  return {
    run,
    session,
    ...(parked !== undefined && {parked}),
    ...(usd !== undefined && minutes !== undefined && {spent: {usd, minutes, ...(tries !== undefined && {tries})}}),
    ...(lines !== undefined && files !== undefined && tests !== undefined && {size: {lines, files, tests}}),
    ...(verdict !== undefined && {verdict}),
    ...(facts && {facts}),
  };
}

/** The commit that a report says requests continue with, or `none`; null for a report that leaves this as it was. */
export function savedIn(body: string): string | null {
  const {parked = "merge"} = readMarker(body) ?? {};
  return parked.startsWith("merge") ? null : parked;
}

/** In the order of the marker. */
const FIELDS = ["run", "session", "parked", "spent", "size", "verdict", "facts"];

/** Numbers with slashes between them; empty without a text, null if it has another form. */
function numbersOf(text: string | undefined, count: number): number[] | null {
  if (text === undefined) return [];
  const numbers = text.split("/").map((part) => (/^\d[\d.]{0,19}$/.test(part) ? Number(part) : Number.NaN));
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}

/** The hidden first line of the reply that notifies a requester. It is no report, so `readMarker` does not read it. */
export const noticeMarker = (run: string): string => `<!-- assay:notice=${encode(run)} -->`;

/** The run that the reply belongs to, or null. Pass only comments whose author is the bot. */
export function readNotice(body: string): string | null {
  const id = /^<!-- assay:notice=([\w.%~!*'()-]{1,900}) -->(?:\r?\n|$)/.exec(body)?.[1];
  return id === undefined ? null : decode(id);
}

/** The hidden first line of a comment on a line; the same failure of a later run has the same id. */
export const placeMarker = (id: string): string => `<!-- assay:place=${id} -->`;

/** The id of a comment on a line, or null. Pass only comments whose author is the bot. */
export const readPlace = (body: string): string | null =>
  /^<!-- assay:place=([0-9a-f]{16}) -->\r?\n/.exec(body)?.[1] ?? null;

function encode(id: string): string {
  return encodeURIComponent(id.slice(0, MAX_ID).replace(/[\ud800-\udfff]/gu, "\ufffd"));
}

/** JSON's own signs stay readable: none of them ends a comment or a field. */
function encodeJson(value: object): string {
  return encodeURIComponent(JSON.stringify(value)).replace(/%(?:22|2C|3A|5B|5D|7B|7D)/g, decodeURIComponent);
}

function decode(id: string): string | null {
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}
