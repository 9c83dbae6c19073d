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
  const text = isInside(folder, file) ? await readPlain(file) : null;
  const lines = text?.split("\n") ?? [];
  if (text === null || lines[line - 1] !== oldLine) return null;
  await writePlain(file, lines.with(line - 1, newLine).join("\n"));
  try {
    return await work();
  } finally {
    if (isInside(folder, file)) await writePlain(file, text);
  }
}

function isInside(folder: string, file: string): boolean {
  try {
    return isBelow(realpathSync(dirname(file)), folder);
  } catch {
    return false;
  }
}

async function readPlain(file: string): Promise<string | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    return (await handle.stat()).isFile() ? await handle.readFile("utf8") : null;
  } finally {
    await handle.close();
  }
}

async function writePlain(file: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch(() => null);
  if (handle === null) return;
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
