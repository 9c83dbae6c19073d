/** Finds the credentials in a variable with HTTP headers, such as `ANTHROPIC_CUSTOM_HEADERS`. */
import {parseJson} from "../record/parse-json.ts";

/** Headers with public values: masking `application/json` would make reports unreadable and block changes. */
const PUBLIC =
  /^(?:accept(?:-.*)?|content-type|user-agent|(?:http-)?referer|origin|x-title|.*-(?:version|betas?|provider|model))$/i;
/** The scheme before the credentials (RFC 9110, section 11.4). */
const SCHEME = /^(?:basic|bearer|token)\s+/i;

/** The values of the headers, without the scheme. The text has a header in each line, or is a JSON object. */
export function headerSecrets(text: string): string[] {
  const object = parseJson(text);
  const headers =
    typeof object === "object" && object !== null
      ? Object.entries(object).map(([name, value]) => [name, String(value)])
      : text.split(/\r?\n|\\n/).map((line) => /^([\w-]+)\s*[:=](.*)$/.exec(line.trim())?.slice(1) ?? ["", line]);
  return headers.flatMap(([name = "", value = ""]) => (PUBLIC.test(name) ? [] : [value.trim().replace(SCHEME, "")]));
}
