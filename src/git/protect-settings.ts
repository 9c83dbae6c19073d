/** Removes settings of others from the bot's git directory, which the agent can reach as the same user. */
import {randomUUID} from "node:crypto";
import {lstatSync, readFileSync} from "node:fs";
import {readFile, rename, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {refused} from "../record/words.ts";
import type {Git} from "./git.ts";

/** Files that can name a program, another place to read from, or paths to ignore (gitrepository-layout(5)). */
const SETTINGS_FILES = [
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
  for (const name of ["config", ...SETTINGS_FILES]) await rm(join(folder, name), {recursive: true, force: true});
}

/**
 * Returns the same git, which restores the current settings before each call. Command-scope settings are not enough: a
 * filter may have any name, and an `http.<url>.proxy` overrides the plain `http.proxy`. Fails like git, never rejects.
 */
export async function protectSettings(options: {folder: string; git: Git}): Promise<Git> {
  const {folder, git} = options;
  const file = join(folder, "config");
  const ownSettings = await readFile(file, "utf8");
  const steering = SETTINGS_FILES.map((name) => join(folder, name));
  return async (args, call) => {
    try {
      for (const path of steering) if (isThere(path)) await rm(path, {recursive: true, force: true});
      if (textOf(file) !== ownSettings) await restoreFile(file, ownSettings);
    } catch (error) {
      const message = `the settings of ${folder} could not be put back: ${error instanceof Error ? error.message : String(error)}`;
      return refused({code: null, message, stdout: ""});
    }
    return git(args, call);
  };
}

// Hundreds of calls look at these files, and asynchronous calls take ten times as long.
const isThere = (path: string) => lstatSync(path, {throwIfNoEntry: false}) !== undefined;

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/**
 * Renames a complete file, so that a parallel call never reads half of it, and a planted link is replaced, not
 * followed.
 */
async function restoreFile(file: string, text: string): Promise<void> {
  const temporary = `${file}-${randomUUID()}`;
  await writeFile(temporary, text);
  await rm(file, {recursive: true, force: true});
  await rename(temporary, file);
}
