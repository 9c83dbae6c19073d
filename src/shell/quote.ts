/** Quotes words so that a shell reads them unchanged. */

const PLAIN_WORD = /^[\w@%+=:,./^-]+$/;

/**
 * Quotes one word for a shell line, if needed. A word that begins with `-` stays an option: write paths as `./path`.
 */
export const quoteWords = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Formats variables as assignments in front of a command. */
export function assignments(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${quoteWords(value)}`);
}
