/** Finds `verify.json` in one of its three places and reads it; the caller says where texts come from, so that it can be a commit. */
import {lstat, readFile} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result} from "../../record/words.ts";
import {CONFIG_FILES, type Config, DEFAULT_CONFIG, rejectConfig} from "./config.ts";

/** Larger files are no configuration that a person wrote. */
export const MAX_CONFIG_BYTES = 256 * 1024;

/** Gives the defaults when there is no file. Two files at once are a mistake, because nobody could tell which one counts. */
export async function readConfig(
  read: (path: string) => Promise<Result<string | null, Failure>>,
): Promise<Result<Config, Failure>> {
  const found: {file: string; text: string}[] = [];
  for (const file of CONFIG_FILES) {
    const text = await read(file);
    if (!text.ok) return text;
    if (text.value !== null) found.push({file, text: text.value});
  }
  const [first, second] = found;
  if (first === undefined) return ok(DEFAULT_CONFIG);
  // The checker of what a file says is large, and most repositories have none.
  if (second === undefined) return (await import("./parse-config.ts")).parseConfig(first);
  const mistake = {path: second.file, message: `exists beside ${first.file}`, hint: "keep one of the two files"};
  return rejectConfig(second.file, [mistake]);
}

/** The same for the files of a folder. A file that is there and cannot be read is a mistake, since without it other stages would run. */
export function readConfigIn(folder: string): Promise<Result<Config, Failure>> {
  return readConfig(async (path) => {
    const file = join(folder, path);
    try {
      if ((await lstat(file)).isFile()) return ok(await readFile(file, "utf8"));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      if (code === "ENOENT" || code === "ENOTDIR") return ok(null);
      const hint = "make it readable for this user";
      return rejectConfig(path, [{path: "(the whole file)", message: `cannot be read (${code})`, hint}]);
    }
    const hint = "put the file itself there";
    return rejectConfig(path, [{path: "(the whole file)", message: "is no regular file", hint}]);
  });
}
