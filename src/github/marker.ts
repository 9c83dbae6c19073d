/** The hidden first line of a comment: a run finds its own comment and the agent's session by it. */

import type {ChangeSize} from "../record/record.ts";

/** Ids of Assay are short; `readMarker` would not accept a longer one. */
const MAX_ID = 100;

export interface Marker {
  readonly run: string;
  /** null if the run has no session (`/verify`, refusals) */
  readonly session: string | null;
  /** the commit that this run parked; `none` if it published, so that no earlier work is continued */
  readonly parked?: string;
  /** absent if the run had no attempt */
  readonly spent?: Spent;
  /** of the change that the run published; absent without one */
  readonly size?: ChangeSize;
}

/** What a run took, so that the next run of the thread can add it up. */
export interface Spent {
  readonly usd: number;
  readonly minutes: number;
}

const PARKED = /^(?:none|[0-9a-f]{40}(?:[0-9a-f]{24})?)$/;

/** One HTML comment. The ids are percent-encoded, including `>` and blanks, so that none can end it or add a field. */
export function runMarker(marker: Marker): string {
  const session = marker.session === null ? "" : ` session=${encode(marker.session)}`;
  const parkedField = marker.parked !== undefined && PARKED.test(marker.parked) ? ` parked=${marker.parked}` : "";
  const {spent} = marker;
  const spentField = spent === undefined ? "" : ` spent=${spent.usd.toFixed(4)}/${spent.minutes.toFixed(1)}`;
  const {size} = marker;
  const sizeField = size === undefined ? "" : ` size=${size.lines}/${size.files}/${size.tests}`;
  return `<!-- assay:run=${encode(marker.run)}${session}${parkedField}${spentField}${sizeField} -->`;
}

/**
 * The marker of a comment's body, or null. Only the first line counts, because foreign text further down may look like
 * a marker. Anyone can write such a first line, so pass only comments whose author is the bot.
 */
export function readMarker(body: string): Marker | null {
  const form =
    /^<!-- assay:run=([\w.%~!*'()-]{1,900})(?: session=([\w.%~!*'()-]{1,900}))?(?: parked=(\w+))?(?: spent=([\d.]{1,20})\/([\d.]{1,20}))?(?: size=(\d{1,9})\/(\d{1,9})\/(\d{1,9}))? -->(?:\r?\n|$)/;
  const match = form.exec(body);
  if (match === null) return null;
  const run = decode(match[1] ?? "");
  const session = match[2] === undefined ? null : decode(match[2]);
  const parkedCommit = match[3];
  if (run === null || (match[2] !== undefined && session === null)) return null;
  if (parkedCommit !== undefined && !PARKED.test(parkedCommit)) return null;
  return {
    run,
    session,
    ...(parkedCommit !== undefined && {parked: parkedCommit}),
    ...(match[4] !== undefined && {spent: {usd: Number(match[4]), minutes: Number(match[5])}}),
    ...(match[6] !== undefined && {
      size: {lines: Number(match[6]), files: Number(match[7]), tests: Number(match[8])},
    }),
  };
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

function decode(id: string): string | null {
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}
