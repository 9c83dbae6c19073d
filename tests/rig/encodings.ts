/** Twelve ways to write a secret so that a search for the secret itself does not find it. */

type Encode = (secret: string) => string;

const bytes = (secret: string) => Buffer.from(secret);
/** The part of base64 that stays the same whatever stands beside the secret. */
const shifted = (secret: string, by: number) =>
  Buffer.concat([Buffer.alloc(by), bytes(secret)])
    .toString("base64")
    .slice(by + 1, -4);
const eachByte = (secret: string, one: (byte: number) => string, between = "") =>
  [...bytes(secret)].map(one).join(between);
const hex = (byte: number) => byte.toString(16).padStart(2, "0");

export const ENCODINGS: Readonly<Record<string, Encode>> = {
  "as it is": (secret) => secret,
  base64: (secret) => bytes(secret).toString("base64").replace(/=+$/, "").slice(0, -1),
  "base64 after one byte": (secret) => shifted(secret, 1),
  "base64 after two bytes": (secret) => shifted(secret, 2),
  "base64 for addresses": (secret) => bytes(secret).toString("base64url").slice(0, -1),
  hexadecimal: (secret) => bytes(secret).toString("hex"),
  "hexadecimal, large": (secret) => bytes(secret).toString("hex").toUpperCase(),
  "hexadecimal, apart": (secret) => eachByte(secret, hex, " "),
  "percent signs": (secret) => eachByte(secret, (byte) => `%${hex(byte)}`),
  "numbers of XML": (secret) => eachByte(secret, (byte) => `&#${byte};`),
  backwards: (secret) => [...secret].reverse().join(""),
  "half of it": (secret) => secret.slice(0, Math.max(16, Math.ceil(secret.length / 2))),
};
