/** Quotes words so that a shell reads them unchanged. */

const PLAIN = /^[\w@%+=:,./^-]+$/;

/**
 * One word of a shell line, in quotes if needed. A word that begins with `-` stays an option: write paths as `./path`.
 */
export const quoteWords = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The assignments in front of a command's words. */
export function assignments(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${quoteWords(value)}`);
}
