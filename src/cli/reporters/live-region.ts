/** The last lines of a terminal, rewritten in place; text above them stays. */
import {fitColumns} from "./plain-text.ts";
import type {Output} from "./reporter.ts";

const CLEAR_BELOW = "\u001b[J";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

export interface LiveRegion {
  /** rewrites the region; lines that do not fit into the window are counted */
  draw(lines: readonly string[]): void;
  /** prints text above the region, where it stays */
  printAbove(text: string, lines: readonly string[]): void;
  /** replaces the region by text that stays */
  end(text: string): void;
}

export function openLiveRegion(out: Output): LiveRegion {
  let height = 0;
  const moveToStart = () => (height === 0 ? "" : `\u001b[${height}A\r${CLEAR_BELOW}`);
  const region = (lines: readonly string[]) => {
    const rows = fitRows(lines, out.rows ?? 24).map((line) => `${fitColumns(line, out.columns ?? 80)}\n`);
    return {text: rows.join(""), height: rows.length};
  };
  return {
    draw(lines) {
      const next = region(lines);
      out.write(`${height === 0 ? HIDE_CURSOR : ""}${moveToStart()}${next.text}`);
      height = next.height;
    },
    printAbove(text, lines) {
      const next = region(lines);
      out.write(`${moveToStart()}${text}\n${next.text}`);
      height = next.height;
    },
    end(text) {
      out.write(`${moveToStart()}${text}${SHOW_CURSOR}`);
      height = 0;
    },
  };
}

/**
 * Cuts a region to the height of the window, because a taller one could not be rewritten. The last rows stay, because
 * they change.
 */
function fitRows(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(1, rows - 2);
  if (lines.length <= room) return lines;
  const hiddenCount = lines.length - room + 1;
  return [`…${hiddenCount} more lines`, ...lines.slice(hiddenCount)];
}
