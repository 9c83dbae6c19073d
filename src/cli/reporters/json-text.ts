/** Prints a document of `--json`. */

/** A terminal obeys the control characters after ASCII, which JSON leaves as they are. */
export const jsonText = (document: unknown): string =>
  `${JSON.stringify(document, null, 2).replace(/[\x7f-\x9f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)}\n`;
