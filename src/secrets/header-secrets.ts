/** Finds the credentials in a variable with HTTP headers, such as `ANTHROPIC_CUSTOM_HEADERS`. */
import {parseJson} from "../record/parse-json.ts";

/** Headers with public values: masking `application/json` would make reports unreadable and block changes. */
const PUBLIC =
  /^(?:accept(?:-.*)?|content-type|user-agent|(?:http-)?referer|origin|x-title|.*-(?:version|betas?|provider|model))$/i;
/** The scheme before the credentials (RFC 9110, section 11.4). */
const SCHEME = /^(?:basic|bearer|token)\s+/i;

/** The values of the headers, without the scheme. */
export function headerSecrets(text: string): string[] {
  return headersIn(text).flatMap(([name = "", value = ""]) =>
    value.trim() === "" || PUBLIC.test(name) ? [] : [value.trim().replace(SCHEME, "")],
  );
}

/**
 * Name and value of each header. The text is a JSON object, has a header in each line, or a list such as
 * `name=value,name=value`. A text without a header, such as a path, has none.
 */
export function headersIn(text: string): string[][] {
  const object = parseJson(text);
  return typeof object === "object" && object !== null
    ? Object.entries(object).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
    : text
        .split(/\r?\n|\\n|,(?=[\w-]+=)/)
        .flatMap((line) => [/^([\w-]+)\s*[:=](.*)$/.exec(line.trim())?.slice(1) ?? []]);
}
