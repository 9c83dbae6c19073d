/** Finds `verify.json` in one of its three places and reads it, from a folder or from a commit. */
import {lstat, readFile} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {CONFIG_FILES, type Config, DEFAULT_CONFIG, rejectConfig} from "./config.ts";

/** The limit for the file. A hand-written configuration is smaller. */
export const MAX_CONFIG_BYTES = 256 * 1024;

/** The file that a `verify.json` extends. */
export interface ExtendedPlace {
  /** `owner/name` */
  readonly repository: string;
  readonly path: string;
}

/** The result names the file with its commit. A failure is the reason why it cannot be read. */
export type ReadExtended = (place: ExtendedPlace) => Promise<Result<{file: string; text: string}, string | Failure>>;

/** Returns the defaults when there is no file. Two files are a mistake, because it is unclear which one applies. */
export async function readConfig(
  read: (path: string) => Promise<Result<string | null, Failure>>,
  readExtended: ReadExtended,
): Promise<Result<Config, Failure>> {
  const sources: {file: string; text: string}[] = [];
  for (const file of CONFIG_FILES) {
    const text = await read(file);
    if (!text.ok) return text;
    if (text.value !== null) sources.push({file, text: text.value});
  }
  const [first, second] = sources;
  if (first === undefined) return ok(DEFAULT_CONFIG);
  // The schema library is large, and most repositories have no file.
  if (second === undefined) return parseWithExtended(first, readExtended);
  const message = `exists in addition to ${first.file}`;
  return rejectConfig(second.file, [{path: second.file, message, hint: "keep one of the two files"}]);
}

async function parseWithExtended(
  source: {file: string; text: string},
  readExtended: ReadExtended,
): Promise<Result<Config, Failure>> {
  const {parseConfig, parseEntries} = await import("./parse-config.ts");
  const own = parseEntries(source);
  if (!own.ok || own.value.entries.extends === undefined) return parseConfig(source);
  const [owner, name, ...path] = own.value.entries.extends.split("/");
  const place = {repository: `${owner}/${name}`, path: path.join("/") || CONFIG_FILES[0]};
  const extended = await readExtended(place);
  if (extended.ok) return parseConfig(source, extended.value);
  const {failure} = extended;
  if (typeof failure !== "string") return refused(failure);
  const message = `names ${place.path} of ${place.repository}, which could not be read`;
  return rejectConfig(source.file, [{path: "extends", message, hint: failure}], own.value.isQuiet);
}

/**
 * Reads the configuration of a folder. An unreadable file is a mistake, since without it other stages would run.
 * `otherwise` gives the text of a file that is not in the folder.
 */
export function readConfigIn(
  folder: string,
  readExtended: ReadExtended,
  otherwise: (path: string) => string | null = () => null,
): Promise<Result<Config, Failure>> {
  return readConfig(async (path) => {
    const file = join(folder, path);
    const reject = (message: string, hint: string) => rejectConfig(path, [{path: "(the whole file)", message, hint}]);
    try {
      if ((await lstat(file)).isFile()) return ok(await readFile(file, "utf8"));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      if (code === "ENOENT" || code === "ENOTDIR") return ok(otherwise(path));
      return reject(`cannot be read (${code})`, "make it readable for this user");
    }
    return reject("is not a regular file", "replace it with a regular file");
  }, readExtended);
}
