/** Finds by indentation what a line is inside of. */

/** The lines before with less indentation: what the line is inside of. */
export function headsAround(lines: readonly string[], at: number): string[] {
  const heads: string[] = [];
  let indent = (lines[at] ?? "").search(/\S|$/);
  for (let index = at - 1; index > 0 && indent > 0; index -= 1) {
    const text = lines[index] ?? "";
    const own = text.search(/\S/);
    if (own < 0 || own >= indent) continue;
    indent = own;
    heads.push(text);
  }
  return heads;
}
