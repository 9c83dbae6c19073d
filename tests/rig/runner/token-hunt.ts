/** Looks from outside, while a run goes on, where a secret is: in each process's memory, environment and command line, and in files. */
import {closeSync, openSync, readdirSync, readFileSync, readSync, statSync} from "node:fs";
import {join, relative} from "node:path";
import {processesOf} from "./processes.ts";

interface Holder {
  /** its command line, or its path below the place */
  readonly name: string;
  readonly where: "memory" | "environment" | "command line" | "file";
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** No secret of the rig's is longer, in any form: one that lies across two chunks is in the overlap. */
const OVERLAP_BYTES = 1024;
const MOST_FILE_BYTES = 50_000_000;

/** Who or what has one of `forms`, of the processes that belong to `place` and of the files below it. */
export function huntFor(forms: readonly string[], place: string): Holder[] {
  // V8 keeps a text with one wide character in two bytes each.
  const needles = forms.flatMap((form) => [Buffer.from(form), Buffer.from(form, "utf16le")]);
  const has = (bytes: Buffer): boolean => needles.some((needle) => bytes.includes(needle));
  const holders = processesOf(place).flatMap((line): Holder[] => {
    const [, pid = "", command = ""] = /^(\d+): (.*)$/s.exec(line) ?? [];
    const name = command.replaceAll("\n", " ");
    const inFile = (file: string): boolean => attempt(() => has(readFileSync(`/proc/${pid}/${file}`))) ?? false;
    return [
      ...(inFile("environ") ? [{name, where: "environment"} as const] : []),
      ...(inFile("cmdline") ? [{name, where: "command line"} as const] : []),
      ...(memoryHas(pid, has) ? [{name, where: "memory"} as const] : []),
    ];
  });
  return [...holders, ...filesWith(place, has)];
}

function memoryHas(pid: string, has: (bytes: Buffer) => boolean): boolean {
  const maps = attempt(() => readFileSync(`/proc/${pid}/maps`, "utf8")) ?? "";
  const ranges = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)];
  const memory = attempt(() => openSync(`/proc/${pid}/mem`, "r"));
  if (memory === undefined) return false;
  const buffer = Buffer.alloc(CHUNK_BYTES);
  try {
    return ranges.some(([, from = "", to = ""]) => {
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += CHUNK_BYTES - OVERLAP_BYTES) {
        const read = attempt(() => readSync(memory, buffer, 0, Math.min(CHUNK_BYTES, end - at), at)) ?? 0;
        if (has(buffer.subarray(0, read))) return true;
      }
      return false;
    });
  } finally {
    closeSync(memory);
  }
}

/** Folder by folder: one that goes meanwhile must not hide the others. */
function filesWith(place: string, has: (bytes: Buffer) => boolean): Holder[] {
  const walk = (folder: string): string[] =>
    (attempt(() => readdirSync(folder, {withFileTypes: true})) ?? []).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() ? [path] : [];
    });
  return walk(place)
    .filter((file) => attempt(() => statSync(file).size < MOST_FILE_BYTES && has(readFileSync(file))) === true)
    .map((file) => ({name: relative(place, file), where: "file"}));
}

/** A process may end, and a file go, while it is looked at. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
