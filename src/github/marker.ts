/** The hidden first line by which a run finds its own comment, and the agent's session, again. */

/** Ids are Assay's own and short; a longer one would not be read back. */
const MAX_ID = 100;

export interface Marker {
  readonly run: string;
  /** null when the run has no session (`/verify`, refusals) */
  readonly session: string | null;
  /** the commit that this run parked; `none` where it published, so that nothing earlier is left to go on with */
  readonly parked?: string;
}

const PARKED = /^(?:none|[0-9a-f]{40}(?:[0-9a-f]{24})?)$/;

/** One HTML comment; the ids are percent-encoded (`>` and blanks included), so that none can end it or add a field. */
export function runMarker(marker: Marker): string {
  const session = marker.session === null ? "" : ` session=${encode(marker.session)}`;
  const parked = marker.parked !== undefined && PARKED.test(marker.parked) ? ` parked=${marker.parked}` : "";
  return `<!-- assay:run=${encode(marker.run)}${session}${parked} -->`;
}

/**
 * The marker of a comment's body, or null. Only the very first line counts: foreign text can put the same characters
 * further down, in a block of code. Anyone can write such a first line: ask only for comments whose author is the bot.
 */
export function readMarker(body: string): Marker | null {
  const form =
    /^<!-- assay:run=([\w.%~!*'()-]{1,900})(?: session=([\w.%~!*'()-]{1,900}))?(?: parked=(\w+))? -->(?:\r?\n|$)/;
  const found = form.exec(body);
  if (found === null) return null;
  const run = decode(found[1] ?? "");
  const session = found[2] === undefined ? null : decode(found[2]);
  const parked = found[3];
  if (run === null || (found[2] !== undefined && session === null)) return null;
  if (parked === undefined) return {run, session};
  return PARKED.test(parked) ? {run, session, parked} : null;
}

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
