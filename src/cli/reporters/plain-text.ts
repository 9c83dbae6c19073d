/** Foreign text for a terminal: one harmless line, and its width in columns. */
import {clip, showInvisible} from "../../markdown/escape.ts";

/** Foreign text as one line without control characters, which could change the terminal. */
export function plain(text: string): string {
  return clip(showInvisible(text).replace(/\s+/g, " ").trim(), 500);
}

/** Emoji and East Asian characters take two columns; variation selectors and combining marks none. */
const WIDE_CHARACTER =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[！-｠]/u;
const NO_WIDTH = /\p{Mark}|\u200d/u;

function columnsOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE_CHARACTER.test(character) ? 2 : 1;
}

/**
 * The first part of a line that fits into `columns`, with an ellipsis if something was cut. Color codes take no room.
 */
export function fitColumns(line: string, columns: number): string {
  let width = 0;
  let text = "";
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    if (part.startsWith("\u001b[")) text += part;
    else
      for (const character of part) {
        width += columnsOf(character);
        // All color codes stay, so that none remains open.
        if (width < columns) text += character;
        else if (width - columnsOf(character) < columns) text += "…";
      }
  }
  return width < columns ? line : text;
}
