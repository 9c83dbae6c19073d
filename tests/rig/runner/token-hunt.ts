/** Looks from outside, while a run goes on, where secrets are: in each process's memory, environment and command line, and in files. */
import {closeSync, openSync, readdirSync, readFileSync, readSync, statSync} from "node:fs";
import {join, relative} from "node:path";
import {ENCODINGS} from "../encodings.ts";
import {commandOf, familyOf} from "./processes.ts";

export interface Holder {
  /** the secret's name */
  readonly secret: string;
  /** its command line, or its path below the place */
  readonly name: string;
  readonly where: "memory" | "environment" | "command line" | "file";
}

export interface Hunt {
  readonly holders: readonly Holder[];
  /** command lines of all processes that were looked at */
  readonly processes: readonly string[];
  /** of those whose memory the system kept closed */
  readonly closed: readonly string[];
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** No secret of the rig's is longer, in any form: one that lies across two chunks is in the overlap. */
const OVERLAP_BYTES = 1024;
/** Of Linux on x86 and ARM. */
const PAGE_BYTES = 4096;
const ENTRY_BYTES = 8;
const MAX_FILE_BYTES = 50_000_000;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

/** A token in each disguise, and as git sends it. A form that holds another one is found with that. */
function formsOf(token: string): string[] {
  const encoded = Object.values(ENCODINGS).map((encode) => encode(token));
  const forms = [...new Set([...encoded, Buffer.from(`x-access-token:${token}`).toString("base64")])];
  return forms.filter((form) => !forms.some((other) => other !== form && form.includes(other)));
}

/** Who or what has one of the tokens, of the processes that belong to `place`, their descendants, and the files below it. */
export function huntFor(tokens: Readonly<Record<string, string>>, place: string): Hunt {
  // V8 keeps a text with one wide character in two bytes each.
  const needles = Object.entries(tokens).map(([secret, token]) => ({
    secret,
    forms: formsOf(token).flatMap((form) => [Buffer.from(form), Buffer.from(form, "utf16le")]),
  }));
  const secretsIn = (bytes: Buffer): string[] =>
    needles.filter(({forms}) => forms.some((form) => bytes.includes(form))).map(({secret}) => secret);
  const closed: string[] = [];
  const processes: string[] = [];
  const ofProcesses = familyOf(place).flatMap((pid): Holder[] => {
    const name = commandOf(pid).replaceAll("\n", " ");
    const inFile = (file: string) => attempt(() => secretsIn(readFileSync(`/proc/${pid}/${file}`))) ?? [];
    const inMemory = memorySecrets(pid, secretsIn);
    processes.push(name);
    if (inMemory === "closed") closed.push(name);
    return [
      ...inFile("environ").map((secret) => ({secret, name, where: "environment"}) as const),
      ...inFile("cmdline").map((secret) => ({secret, name, where: "command line"}) as const),
      ...[...(inMemory === "closed" ? [] : inMemory)].map((secret) => ({secret, name, where: "memory"}) as const),
    ];
  });
  return {holders: [...ofProcesses, ...filesWith(place, secretsIn)], processes, closed};
}

function memorySecrets(pid: string, secretsIn: (bytes: Buffer) => string[]): ReadonlySet<string> | "closed" {
  const ranges = writtenRanges(pid);
  const memory = attempt(() => openSync(`/proc/${pid}/mem`, "r"));
  // One that has ended, and waits for its parent, has neither memory nor command line.
  if (memory === undefined) return commandOf(pid) === "" ? new Set() : "closed";
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const found = new Set<string>();
  try {
    for (const {from, end} of ranges) {
      for (let at = from; at < end; at += CHUNK_BYTES - OVERLAP_BYTES) {
        const read = attempt(() => readSync(memory, buffer, 0, Math.min(CHUNK_BYTES, end - at), at)) ?? 0;
        if (buffer.compare(ZEROS, 0, read, 0, read) === 0) continue;
        for (const secret of secretsIn(buffer.subarray(0, read))) found.add(secret);
      }
    }
    return found;
  } finally {
    closeSync(memory);
  }
}

/**
 * The memory that a process may write and has ever used. Most of what is mapped was never touched, and a read would make the system
 * fill it with zeros. https://www.kernel.org/doc/html/latest/admin-guide/mm/pagemap.html
 */
function writtenRanges(pid: string): {from: number; end: number}[] {
  const maps = attempt(() => readFileSync(`/proc/${pid}/maps`, "utf8")) ?? "";
  const mapped = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)].map(([, from = "", to = ""]) => ({
    from: Number.parseInt(from, 16),
    end: Number.parseInt(to, 16),
  }));
  const pages = attempt(() => openSync(`/proc/${pid}/pagemap`, "r"));
  if (pages === undefined) return mapped;
  try {
    return mapped.flatMap(({from, end}) => usedPages({pages, from, end}) ?? [{from, end}]);
  } finally {
    closeSync(pages);
  }
}

/** Runs of pages that are in memory or swapped out; null if the system does not say. */
function usedPages({pages, from, end}: {pages: number; from: number; end: number}) {
  const entries = Buffer.alloc(((end - from) / PAGE_BYTES) * ENTRY_BYTES);
  const read = attempt(() => readSync(pages, entries, 0, entries.length, (from / PAGE_BYTES) * ENTRY_BYTES));
  if (read !== entries.length) return null;
  const runs: {from: number; end: number}[] = [];
  for (let page = 0; page < entries.length / ENTRY_BYTES; page++) {
    // the two highest bits
    if ((entries[page * ENTRY_BYTES + ENTRY_BYTES - 1] ?? 0) < 64) continue;
    const start = from + page * PAGE_BYTES;
    const last = runs.at(-1);
    if (last?.end === start) last.end += PAGE_BYTES;
    else runs.push({from: start, end: start + PAGE_BYTES});
  }
  return runs;
}

/** Folder by folder: one that goes meanwhile must not hide the others. */
function filesWith(place: string, secretsIn: (bytes: Buffer) => string[]): Holder[] {
  const walk = (folder: string): string[] =>
    (attempt(() => readdirSync(folder, {withFileTypes: true})) ?? []).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() ? [path] : [];
    });
  return walk(place).flatMap((file) => {
    const found = attempt(() => (statSync(file).size < MAX_FILE_BYTES ? secretsIn(readFileSync(file)) : [])) ?? [];
    return found.map((secret) => ({secret, name: relative(place, file), where: "file"}) as const);
  });
}

/** A process may end, and a file go, while it is looked at. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
