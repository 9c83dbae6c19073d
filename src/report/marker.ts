/** The hidden first line by which a run finds its own comment, and the agent's session, again. */

/** Ids are Assay's own and short; a longer one would not be read back. */
const MAX_ID = 100;

export interface Marker {
  readonly run: string;
  /** null when the run has no session (`/verify`, refusals) */
  readonly session: string | null;
}

/** One HTML comment; the ids are percent-encoded (`>` and blanks included), so that none can end it or add a field. */
export function runMarker(marker: Marker): string {
  const session = marker.session === null ? "" : ` session=${encode(marker.session)}`;
  return `<!-- assay:run=${encode(marker.run)}${session} -->`;
}

/**
 * The marker of a comment's body, or null. Only the very first line counts: foreign text can put the same characters
 * further down, in a block of code. Anyone can write such a first line: ask only for comments whose author is the bot.
 */
export function readMarker(body: string): Marker | null {
  const found = /^<!-- assay:run=([\w.%~!*'()-]{1,900})(?: session=([\w.%~!*'()-]{1,900}))? -->(?:\r?\n|$)/.exec(body);
  if (found === null) return null;
  const run = decode(found[1] ?? "");
  const session = found[2] === undefined ? null : decode(found[2]);
  return run === null || (found[2] !== undefined && session === null) ? null : {run, session};
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
