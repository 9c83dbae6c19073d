/** Finds the file that an interpreter runs, such as `artisan` in `php artisan serve`, and screens its name. */

import {baseName} from "../../shell/program.ts";
import {nameSet} from "../../tools/names.ts";
import type {UnsafeKind} from "../../tools/tool-command.ts";

const INTERPRETERS = /^(php|ruby|python[\d.]*|pypy3?|node|bun|deno|tsx|ts-node|perl)$/;
/** With these options, the interpreter gets code or a module, or only checks a file. */
const RUNS_NO_FILE = nameSet("-c -e -m -p -l --eval --print --test --check --run test check lint fmt task x install");
const VALUED = new Set(["-d", "-r", "-W", "-X", "--require", "--import", "--loader", "--env-file", "--conditions"]);
/** Parts of a path that show a check, whatever the other parts are. */
const CHECK_PART = /^(tests?|specs?|check\w*|lint\w*|verify|validate|ci|unit|build|bench\w*)$/;
const SHOWN_BY_NAME: readonly (readonly [UnsafeKind, ReadonlySet<string>])[] = [
  ["server", nameSet("server serve start dev devserver")],
  ["watch", nameSet("watch watcher")],
  ["release", nameSet("release publish deploy upload")],
  ["service", nameSet("migrate migration migrations seed seeds")],
  ["mutates", nameSet("update bump")],
];

/** The file's name and the words after it; null if the interpreter starts no file. */
export function interpretedFile(words: readonly string[]): readonly string[] | null {
  const index = fileIndex(words);
  return index > 0 ? [baseName(words[index] ?? ""), ...words.slice(index + 1)] : null;
}

/** The danger that the file's name suggests, such as a server for `node server.js`; null if there is none. */
export function screenFileName(words: readonly string[]): UnsafeKind | null {
  const index = fileIndex(words);
  if (index < 1) return null;
  const path = (words[index] ?? "").toLowerCase().split(/[^a-z0-9]+/);
  if (path.some((part) => CHECK_PART.test(part))) return null;
  const name = baseName((words[index] ?? "").toLowerCase()).split(/[^a-z0-9]+/);
  return SHOWN_BY_NAME.find(([, names]) => name.some((part) => names.has(part)))?.[0] ?? null;
}

function fileIndex(words: readonly string[]): number {
  if (!INTERPRETERS.test(words[0] ?? "") || words.slice(1, 4).some((word) => RUNS_NO_FILE.has(word))) return -1;
  const start = words[1] === "run" ? 2 : 1;
  return words.findIndex((word, i) => i >= start && !word.startsWith("-") && !VALUED.has(words[i - 1] ?? ""));
}
