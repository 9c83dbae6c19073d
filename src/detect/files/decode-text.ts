/** Decodes the content of a file: UTF-8, or UTF-16 with a byte order mark. A text with a NUL is binary. */

/** The bytes of a file, or the reason why there are none. */
export type FileContent =
  | {readonly kind: "bytes"; readonly bytes: Buffer}
  | {readonly kind: "none"; readonly why: string};

/** The text of a file, or the reason why there is none. */
export type FileText = {readonly kind: "text"; readonly text: string} | {readonly kind: "none"; readonly why: string};

const BINARY = {kind: "none", why: "it is binary"} as const;

export function decodeText(content: FileContent): FileText {
  if (content.kind === "none") return content;
  const {bytes} = content;
  const wide = wideEncoding(bytes);
  const text = wide === null ? bytes.toString("utf8", hasMark(bytes) ? 3 : 0) : new TextDecoder(wide).decode(bytes);
  return text.includes("\0") ? BINARY : {kind: "text", text};
}

/** The same as UTF-8, without a copy if it is already UTF-8. */
export function utf8Of(content: FileContent): Uint8Array | null {
  if (content.kind === "none") return null;
  const {bytes} = content;
  if (wideEncoding(bytes) === null) return bytes.includes(0) ? null : hasMark(bytes) ? bytes.subarray(3) : bytes;
  const decodedText = decodeText(content);
  return decodedText.kind === "text" ? Buffer.from(decodedText.text) : null;
}

function wideEncoding([first, second]: Buffer): "utf-16le" | "utf-16be" | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

const hasMark = ([first, second, third]: Buffer): boolean => first === 0xef && second === 0xbb && third === 0xbf;
