/** A small terminal: keeps what a person would see after the escape codes that the live region uses. */
import type {Output} from "../../../src/cli/reporters/reporter.ts";

export interface Screen extends Output {
  text(): string;
  isCursorVisible(): boolean;
}

/** Fails on an escape code that it does not know, and on a line that would wrap or scroll the region away. */
export function openScreen(size: {columns: number; rows: number}): Screen {
  let lines = [""];
  let row = 0;
  let isVisible = true;
  return {
    ...size,
    isTTY: true,
    write(text) {
      for (const part of text.split(/(\u001b\[\??\d*[A-Za-z]|\r|\n)/)) {
        if (part === "\n") {
          row += 1;
          if (row === lines.length) lines.push("");
        } else if (/^\u001b\[\d+A$/.test(part)) {
          const up = Number(part.slice(2, -1));
          if (up >= size.rows) throw new Error(`${up} lines up in a window of ${size.rows}`);
          row -= up;
        } else if (part === "\u001b[J") lines = lines.slice(0, row).concat("");
        else if (/^\u001b\[\?25[hl]$/.test(part)) isVisible = part.endsWith("h");
        else if (part.startsWith("\u001b")) throw new Error(`unknown code ${JSON.stringify(part)}`);
        else if (part !== "\r") lines[row] += part;
      }
    },
    text: () => lines.join("\n").trim(),
    isCursorVisible: () => isVisible,
  };
}
