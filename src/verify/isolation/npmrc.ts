/** Copies from the real `.npmrc` only the settings that a stage needs to reach the registry. */
import {looksSecret} from "./stage-variables.ts";

/** Settings of registries, certificates and proxies (npm-config(7)), including the registry of a scope. */
const COPIED =
  /^(?:(?:@[^:\s]+:)?registry|cafile|ca(?:\[\])?|strict-ssl|proxy|https?-proxy|noproxy|replace-registry-host)$/;

/**
 * The text of an `.npmrc` without anything that could be a credential: only the settings above, and none whose value contains a
 * user name, a token or a variable. Comments are removed.
 */
export function withoutCredentials(npmrc: string): string {
  const lines = npmrc.split(/\r?\n/).flatMap((line) => {
    const equals = line.indexOf("=");
    const name = line.slice(0, Math.max(0, equals)).trim();
    const value = line.slice(equals + 1).trim();
    return COPIED.test(name) && isPlain(value) ? [`${name}=${value}\n`] : [];
  });
  return lines.join("");
}

/** The certificate of an authority is public, although it looks like a key. */
function isPlain(value: string): boolean {
  if (/^"?-----BEGIN CERTIFICATE-----/.test(value)) return !value.includes("PRIVATE KEY");
  return !value.includes("${") && !looksSecret("", value);
}
