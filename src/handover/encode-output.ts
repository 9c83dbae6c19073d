/** Encodes texts for the outputs between jobs, so that the runner finds no secret in them. */
import {deflateRawSync, inflateRawSync} from "node:zlib";

/**
 * The runner drops an output that contains the value of any secret, even a common word such as `main`, or that value's
 * base64 (actions/runner, JobExtension.cs and HostContext.cs). So each byte becomes one of the 256 Braille patterns,
 * which no secret is made of.
 */
const FIRST = 0x2800;
/** The limit for a decoded text. The longest comment has 256 KiB. */
const MAX_BYTES = 1024 * 1024;

export function encodeOutput(text: string): string {
  return Array.from(deflateRawSync(text), (byte) => String.fromCharCode(FIRST + byte)).join("");
}

/** Decodes the text; empty if it is not encoded text. */
export function decodeOutput(text: string): string {
  const bytes = Array.from(text, (character) => character.charCodeAt(0) - FIRST);
  if (bytes.some((byte) => byte < 0 || byte > 255)) return "";
  try {
    return inflateRawSync(Uint8Array.from(bytes), {maxOutputLength: MAX_BYTES}).toString();
  } catch {
    // cut or forged
    return "";
  }
}
