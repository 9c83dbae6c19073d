/** Finds the cells in table rows beyond the table's columns, which GFM does not show. */
import type {MarkdownLine, Range} from "./unused-definitions.ts";

export function findSurplusCells(lines: readonly MarkdownLine[]): Range[] {
  const ranges: Range[] = [];
  for (let index = 1; index < lines.length; index++) {
    const rule = lines[index];
    const head = lines[index - 1];
    if (rule === undefined || head === undefined || rule.isFenced || !/^[|:\- \t]*-[|:\- \t]*$/.test(rule.inner))
      continue;
    const columns = cellsOf(rule.text, rule.opens.length).length;
    if (cellsOf(head.text, head.opens.length).length !== columns) continue;
    for (index++; index < lines.length; index++) {
      const row = lines[index];
      if (row === undefined || row.inner === "" || row.isFenced || endsTable(row, rule)) break;
      const surplus = cellsOf(row.text, row.opens.length)[columns];
      if (surplus !== undefined) ranges.push([row.from + surplus, row.to]);
    }
  }
  return ranges;
}

/** A list item, or a different quote depth. */
function endsTable(row: MarkdownLine, rule: MarkdownLine): boolean {
  const quotes = (line: MarkdownLine) => line.opens.split(">").length;
  return /[-+*\d]/.test(row.opens) || quotes(row) !== quotes(rule);
}

/** The start of each cell in a row. */
function cellsOf(text: string, from: number): number[] {
  const cells: number[] = [];
  let start = text.charAt(from) === "|" ? from + 1 : from;
  for (const {0: bar, index} of text.matchAll(/\\.|\|/g)) {
    if (bar !== "|" || index < start) continue;
    cells.push(start);
    start = index + 1;
  }
  return text.slice(start).trim() === "" ? cells : [...cells, start];
}
