/** The text of a file's bytes. */
import type {Text} from "./project.ts";

/** UTF-8, or UTF-16 where a mark says so; without the mark. What holds a NUL is no text. Of `bytes` only the first `length` count. */
export function decode(bytes: Buffer, length: number = bytes.length): Text {
  const [first, second, third] = [bytes[0], bytes[1], bytes[2]];
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const text =
    wide === null || length < 2
      ? bytes.toString("utf8", first === 0xef && second === 0xbb && third === 0xbf && length > 2 ? 3 : 0, length)
      : new TextDecoder(wide).decode(bytes.subarray(0, length));
  return text.includes("\0") ? {kind: "none", why: "it is binary"} : {kind: "text", text};
}
