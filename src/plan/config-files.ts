/** Finds the one `verify.json` of a commit, or of a folder, and reads it. */
import type {Repository} from "../changes/repository.ts";
import type {Failure} from "../record.ts";
import {ok, type Result} from "../words.ts";
import {CONFIG_FILES, type Config, DEFAULT_CONFIG, invalid, parseConfig} from "./config.ts";
import type {Project} from "./view.ts";

const MAX_BYTES = 1_000_000;

/** The config of a commit (P4: of the base). No file: the default. Two files, or mistakes: `config-invalid`. */
export async function readConfig(from: {
  repository: Pick<Repository, "readText">;
  commit: string;
}): Promise<Result<Config, Failure>> {
  const found: {file: string; text: string}[] = [];
  for (const file of CONFIG_FILES) {
    const text = await from.repository.readText(from.commit, file, {maxBytes: MAX_BYTES});
    if (!text.ok) return text;
    if (text.value !== null) found.push({file, text: text.value});
  }
  return theOnly(found);
}

/** The config of an opened folder, for `assay plan` and for `--in-place`. */
export function readProjectConfig(project: Project): Result<Config, Failure> {
  const unread = CONFIG_FILES.find((file) => project.has(file) && project.text(file) === null);
  if (unread !== undefined) {
    return invalid(unread, [
      {
        path: "(the whole file)",
        message: "cannot be read as text",
        hint: "save it as UTF-8, as a regular file of at most 1 MB",
      },
    ]);
  }
  return theOnly(CONFIG_FILES.flatMap((file) => (project.has(file) ? [{file, text: project.text(file) ?? ""}] : [])));
}

function theOnly(found: readonly {file: string; text: string}[]): Result<Config, Failure> {
  const [first, ...others] = found;
  if (first === undefined) return ok(DEFAULT_CONFIG);
  if (others.length === 0) return parseConfig(first);
  const files = found.map(({file}) => file);
  return invalid(first.file, [
    {
      path: "(the whole file)",
      message: `is one of several: ${files.join(", ")}`,
      hint: "keep one of these files and remove the others",
    },
  ]);
}
