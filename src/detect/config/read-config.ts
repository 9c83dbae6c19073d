/** Finds `verify.json` in one of its three places and reads it, from a folder or from a commit. */
import {lstat, readFile} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result} from "../../record/words.ts";
import {CONFIG_FILES, type Config, DEFAULT_CONFIG, rejectConfig} from "./config.ts";

/** The limit for the file. A hand-written configuration is smaller. */
export const MAX_CONFIG_BYTES = 256 * 1024;

/** Returns the defaults when there is no file. Two files are a mistake, because it is unclear which one applies. */
export async function readConfig(
  read: (path: string) => Promise<Result<string | null, Failure>>,
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
  if (second === undefined) return (await import("./parse-config.ts")).parseConfig(first);
  const message = `exists in addition to ${first.file}`;
  return rejectConfig(second.file, [{path: second.file, message, hint: "keep one of the two files"}]);
}

/**
 * Reads the configuration of a folder. An unreadable file is a mistake, since without it other stages would run.
 * `otherwise` gives the text of a file that is not in the folder.
 */
export function readConfigIn(
  folder: string,
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
  });
}
