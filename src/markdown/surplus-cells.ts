/** Finds the cells of table rows that are more than the table's columns: GFM leaves them out. */
import type {Line, Range} from "./unused-definitions.ts";

export function findSurplusCells(lines: readonly Line[]): Range[] {
  const found: Range[] = [];
  for (let at = 1; at < lines.length; at++) {
    const rule = lines[at];
    const head = lines[at - 1];
    if (rule === undefined || head === undefined || rule.fenced || !/^[|:\- \t]*-[|:\- \t]*$/.test(rule.inner))
      continue;
    const columns = cellsOf(rule.text, rule.opens.length).length;
    if (cellsOf(head.text, head.opens.length).length !== columns) continue;
    for (at++; at < lines.length; at++) {
      const row = lines[at];
      if (row === undefined || row.inner === "" || row.fenced || leaves(row, rule)) break;
      const surplus = cellsOf(row.text, row.opens.length)[columns];
      if (surplus !== undefined) found.push([row.from + surplus, row.to]);
    }
  }
  return found;
}

/** A list item, or another depth of quotes. */
function leaves(row: Line, rule: Line): boolean {
  const quotes = (line: Line) => line.opens.split(">").length;
  return /[-+*\d]/.test(row.opens) || quotes(row) !== quotes(rule);
}

/** Where each cell of a row begins. */
function cellsOf(text: string, from: number): number[] {
  const cells: number[] = [];
  let start = text.charAt(from) === "|" ? from + 1 : from;
  const bars = /\\.|\|/g;
  bars.lastIndex = start;
  for (let bar = bars.exec(text); bar !== null; bar = bars.exec(text)) {
    if (bar[0] !== "|") continue;
    cells.push(start);
    start = bar.index + 1;
  }
  return text.slice(start).trim() === "" ? cells : [...cells, start];
}
