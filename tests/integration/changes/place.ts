/** A server, a repository on it and the bot's own repository, in a temporary folder that goes with the test. */
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {openRepository, type Repository} from "../../../src/git/repository.ts";
import {openPrograms} from "../../../src/process/own-programs.ts";
import type {Result} from "../../../src/record/words.ts";
import {type GitServer, startGitServer} from "../../rig/git-server.ts";
import type {Files, Origin} from "../../rig/origin.ts";

export const TOKEN = "ghs_canaryWriteToken0123456789";
const NAME = "ada/shop";

export interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly server: GitServer;
  readonly origin: Origin;
  readonly url: string;
  /** the commit on `main` */
  readonly base: string;
  readonly repository: Repository;
}

export function value<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.failure)}`);
  return result.value;
}

export async function makePlace(options: {
  files: Files;
  token?: string;
  private?: boolean;
  /** the PATH that the bot's git gets */
  path?: string;
}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "assay-place-"));
  const server = await startGitServer({tokens: {[TOKEN]: "write", readOnly: "read"}});
  const origin = await server.create(NAME, {private: options.private ?? true});
  const base = await origin.commit({files: options.files});
  const url = server.remote(NAME);
  const repository = value(
    await openBot({
      folder: join(folder, "bot"),
      url,
      token: options.token ?? TOKEN,
      ...(options.path && {path: options.path}),
    }),
  );
  value(await repository.fetch(base));
  return {
    folder,
    server,
    origin,
    url,
    base,
    repository,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, {recursive: true, force: true, maxRetries: 3});
    },
  };
}

export function openBot(options: {folder: string; url: string; token: string; path?: string}) {
  const {folder, url, token} = options;
  const programs = openPrograms({first: options.path ?? ""});
  const source = {kind: "remote", url, token} as const;
  return openRepository({folder, source, variables: {}, programs});
}

/** Writes files below `folder`; null removes. */
export async function write(folder: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await rm(file, {recursive: true, force: true});
    if (text === null) continue;
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, text);
  }
}

/** Every file below `folder` that holds `needle`, git's packed objects aside. */
export async function filesWith(folder: string, needle: string): Promise<string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true});
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(needle) ? [file] : [])));
  return found.flat();
}
