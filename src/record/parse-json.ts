/** Parses JSON that others wrote. */

/** The value, or undefined for invalid JSON. The parser's message is dropped, because it quotes the text (T32). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
