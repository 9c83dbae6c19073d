/** Compiles the format of a problem on one line, such as `%f:%l:%c: %t<error|warning>: %m`, to a pattern. */

/**
 * As in Vim's errorformat: file, line, column, end line and end column, type, number (here any code), and message. `%F`
 * is a file without blanks, and `%P` one that has a folder or an ending. Words after `%f` and `%F` are the endings of
 * the file, after `%t` the types, after `%n` and `%m` what the code or the message begins with. Text in braces may be
 * missing.
 */
const PARTS: Readonly<Record<string, (words: string) => string>> = {
  f: (endings) => `(?<file>(?:[A-Za-z]:)?[^\\s:][^:]*?${ending(endings)})`,
  F: (endings) => `(?<file>(?:[A-Za-z]:)?[^\\s:]+${ending(endings)})`,
  P: () => `(?<file>(?:[A-Za-z]:)?${PLAIN}*[./\\\\]${PLAIN}*[A-Za-z]\\w*)`,
  l: () => "(?<line>\\d+)",
  c: () => "(?<column>\\d+)",
  e: () => "\\d+",
  k: () => "\\d+",
  t: (types) => `(?<severity>${types === "" ? TYPES : types})`,
  n: (start) => `(?<code>${start}[@\\w=+/:-]+)`,
  m: (start) => `(?<message>${start}.*?)`,
};
const PLAIN = `[^\\s:"'(),;<>|=]`;
const TYPES = "(?:error|warning|info|note|fatal|Error|Warning|Info|Suggestion|ERROR|WARNING|WARN)\\b";
const ending = (words: string): string => (words === "" ? "" : `\\.(?:${words})`);
const TOKEN = /%(\w)(?:<([^>]*)>)?|([{}])|([^%{}]+)/g;

export const lineFormat = (format: string): RegExp =>
  new RegExp(
    `^${format.replace(TOKEN, (_, letter: string | undefined, words = "", brace: string | undefined, text: string) => {
      if (letter !== undefined) return PARTS[letter]?.(words) ?? "";
      return brace === undefined ? text.replace(/[.*+?^$()|[\]\\/]/g, "\\$&") : brace === "{" ? "(?:" : ")?";
    })}$`,
  );
