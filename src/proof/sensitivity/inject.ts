/** Writes a fault into a file of a checkout, and puts the file back. */
import {constants, realpathSync} from "node:fs";
import {open} from "node:fs/promises";
import {dirname, join} from "node:path";
import {isBelow} from "../../process/mounts.ts";

/**
 * Replaces one line of the file while `work` runs. Null if the file is not a regular one inside the checkout, or its
 * line is not as expected: a test that ran before may have put a link there.
 */
export async function withFault<T>(
  options: {folder: string; path: string; line: number; oldLine: string; newLine: string},
  work: () => Promise<T>,
): Promise<T | null> {
  const {path, line, oldLine, newLine} = options;
  const folder = realpathSync(options.folder);
  const file = join(folder, path);
  const plain = isInside(folder, file) ? await readPlain(file) : null;
  const bytes = plain?.bytes ?? null;
  // One character for each byte: the other lines may not be UTF-8, and must stay as they are.
  const lines = bytes?.toString("latin1").split("\n") ?? [];
  if (plain === null || bytes === null || lines[line - 1] !== bytesOf(oldLine)) return null;
  const fault = Buffer.from(lines.with(line - 1, bytesOf(newLine)).join("\n"), "latin1");
  // Python takes a compiled file if its source has the same size and the same second.
  await writePlain({file, bytes: fault, modifiedMs: Math.max(Date.now(), plain.modifiedMs + 1000)});
  try {
    return await work();
  } finally {
    if (isInside(folder, file)) await writePlain({file, bytes, modifiedMs: Date.now()});
  }
}

const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

function isInside(folder: string, file: string): boolean {
  try {
    return isBelow(realpathSync(dirname(file)), folder);
  } catch {
    return false;
  }
}

interface PlainFile {
  readonly bytes: Buffer;
  readonly modifiedMs: number;
}

async function readPlain(file: string): Promise<PlainFile | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    return stat.isFile() ? {bytes: await handle.readFile(), modifiedMs: stat.mtimeMs} : null;
  } finally {
    await handle.close();
  }
}

async function writePlain({file, bytes, modifiedMs}: PlainFile & {readonly file: string}): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch(() => null);
  if (handle === null) return;
  try {
    await handle.writeFile(bytes);
    await handle.utimes(modifiedMs / 1000, modifiedMs / 1000);
  } finally {
    await handle.close();
  }
}
