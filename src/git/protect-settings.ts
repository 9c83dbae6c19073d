/** Keeps the bot's git directory free of settings that others wrote: the agent runs as the same user, and can reach the folder. */
import {randomUUID} from "node:crypto";
import {readFile, rename, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {refused} from "../record/words.ts";
import type {Git} from "./git.ts";

/** What can name a program, another place to read from, or paths to pass over (gitrepository-layout(5)). */
const STEERING = [
  "commondir",
  "config.lock",
  "config.worktree",
  "hooks",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "info/sparse-checkout",
];

/** Removes all settings, including the repository's own, which `git init` writes again. */
export async function clearSettings(folder: string): Promise<void> {
  for (const name of ["config", ...STEERING]) await rm(join(folder, name), {recursive: true, force: true});
}

/**
 * The same git, which puts the settings of this moment back before each call. Command-scope settings do not do this: a
 * filter may have any name, and an `http.<url>.proxy` beats the plain `http.proxy`. Fails as git does, never rejects.
 */
export async function protectSettings(options: {folder: string; git: Git}): Promise<Git> {
  const {folder, git} = options;
  const file = join(folder, "config");
  const ownSettings = await readFile(file, "utf8");
  return async (args, call) => {
    try {
      for (const name of STEERING) await rm(join(folder, name), {recursive: true, force: true});
      if ((await readFile(file, "utf8").catch(() => null)) !== ownSettings) await putBack(file, ownSettings);
    } catch (error) {
      const message = `the settings of ${folder} could not be put back: ${error instanceof Error ? error.message : String(error)}`;
      return refused({code: null, message, stdout: ""});
    }
    return git(args, call);
  };
}

/** Renames a complete file, so that a parallel call never reads half of it, and a planted link is replaced, not followed. */
async function putBack(file: string, text: string): Promise<void> {
  const temporary = `${file}-${randomUUID()}`;
  await writeFile(temporary, text);
  await rm(file, {recursive: true, force: true});
  await rename(temporary, file);
}
