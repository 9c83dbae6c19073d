/** Makes foreign text harmless for the Actions runner, which obeys commands that it finds in a step's output. */

/**
 * The runner reads `::name::` at the start of a line, after white space, and `##[name]` anywhere in it (actions/runner,
 * ActionCommand.cs); .NET ends a line at `\r`, `\n` or both. So every line gets the prefix, which must not be blank,
 * and both openers are broken as well, should another program cut the prefix off again. Takes one line or many, gives
 * the same without a newline at the end.
 */
export function escapeLog(text: string, prefix = "│ "): string {
  return text
    .replace(/(?:\r\n|\r|\n)$/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => prefix + line.replace(/^([\s\x85]*):(?=:)/, "$1: ").replaceAll("##[", "# #["))
    .join("\n");
}
