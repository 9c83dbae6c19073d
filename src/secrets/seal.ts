/** Encrypts a text with a secret of the run, so that it can be kept at a place that everyone can read. */
import {createCipheriv, createDecipheriv, hkdfSync, randomBytes} from "node:crypto";
import {deflateRawSync, inflateRawSync} from "node:zlib";

const ALGORITHM = "aes-256-gcm";
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface SealOptions {
  readonly secret: string;
  /** what the text is about: it is not encrypted, and another one does not open it */
  readonly about: string;
}

/** Salt, nonce, tag and the compressed, encrypted text, as base64. `secret` must be too long to be guessed. */
export function seal(text: string, {secret, about}: SealOptions): string {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(secret, salt), nonce, {authTagLength: TAG_BYTES});
  cipher.setAAD(Buffer.from(about));
  const encrypted = [cipher.update(deflateRawSync(text)), cipher.final()];
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), ...encrypted]).toString("base64");
}

/** The text; null if the secret or `about` is another one, if the sealed text was changed, or if it is too large. */
export function unseal(sealed: string, {secret, about, maxBytes}: SealOptions & {maxBytes: number}): string | null {
  const bytes = Buffer.from(sealed, "base64");
  const [nonceAt, tagAt, textAt] = [SALT_BYTES, SALT_BYTES + NONCE_BYTES, SALT_BYTES + NONCE_BYTES + TAG_BYTES];
  const key = keyOf(secret, bytes.subarray(0, nonceAt));
  try {
    const nonce = bytes.subarray(nonceAt, tagAt);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, {authTagLength: TAG_BYTES});
    decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(tagAt, textAt));
    const compressed = Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]);
    return inflateRawSync(compressed, {maxOutputLength: maxBytes}).toString();
  } catch {
    // node:crypto and node:zlib have no other way to refuse
    return null;
  }
}

const keyOf = (secret: string, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, salt, "assay.session/2", 32));
