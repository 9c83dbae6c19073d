/** Takes from a person's or runner's `.npmrc` what a stage's own home needs in order to reach the registry. */
import {looksSecret} from "./stage-variables.ts";

/** Where packages come from and how the way there is trusted; npm's names (npm-config(7)), a scope's registry included. */
const KEPT =
  /^(?:(?:@[^:\s]+:)?registry|cafile|ca(?:\[\])?|strict-ssl|proxy|https?-proxy|noproxy|replace-registry-host)$/;

/**
 * The text of an `.npmrc` without anything that could be a credential: only the settings that say where packages come
 * from, and of those none whose value holds a user name, a token or a variable to be filled in. Comments go too.
 */
export function withoutCredentials(npmrc: string): string {
  const kept = npmrc.split(/\r?\n/).flatMap((line) => {
    const equals = line.indexOf("=");
    const name = line.slice(0, Math.max(0, equals)).trim();
    const value = line.slice(equals + 1).trim();
    return KEPT.test(name) && isPlain(value) ? [`${name}=${value}\n`] : [];
  });
  return kept.join("");
}

/** The certificate of an authority is public, though to a careful eye it looks like a key. */
function isPlain(value: string): boolean {
  if (/^"?-----BEGIN CERTIFICATE-----/.test(value)) return !value.includes("PRIVATE KEY");
  return !value.includes("${") && !looksSecret("", value);
}
