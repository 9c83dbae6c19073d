/** Writes the long outputs of a run's stages to files, as evidence, and for upload as an artifact. */
import {mkdirSync} from "node:fs";
import {open, rm} from "node:fs/promises";
import {basename, join} from "node:path";
import {cleanText} from "../../process/lines.ts";
import type {OutputFileOptions, SavedOutput} from "../../process/output.ts";
import type {Captured} from "../../record/evidence.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_BYTES_OF_ALL = 256 * 1024 * 1024;
/** The evidence is read from this much of the start and of the end, to limit Assay's memory. */
const WINDOW_BYTES = 512 * 1024;
const WINDOW_LINES = 8_000;
const PART_BYTES = 64 * 1024;
/** The maximum length of a secret without a line end. */
const SECRET_BYTES = 4096;
const NEWLINE = 0x0a;
/** The suffix of a file that still contains secrets; it is deleted after its stage, except in a crash. */
const UNREDACTED = ".part";

/** The logs of one run. */
export interface Logs {
  /** A file for one stage; null if the logs of this run have reached their limit, or cannot be written. */
  begin(stage: string): OutputFileOptions | null;
  /**
   * Closes the file. A short output is in the record, so its file is deleted. For a long output, `text` is the
   * evidence, and `log` is the file's name, or null if it was deleted. Secrets are redacted in the file, not in the
   * text. Never rejects.
   */
  finish(options: FinishedOutput): Promise<LongOutput | null>;
}

interface LongOutput {
  readonly text: string;
  readonly log: string | null;
}

interface FinishedOutput {
  readonly to: OutputFileOptions;
  /** null if nothing was started */
  readonly spilled: SavedOutput | null;
  readonly output: Captured;
}

/**
 * `redact` is applied to each part of a file before the file gets its final name; with null no file is kept.
 * `mostBytes` limits all files together.
 */
export function openLogs(options: {
  folder: string;
  redact: ((text: string) => string) | null;
  mostBytes?: number;
}): Logs {
  const {folder, redact} = options;
  let freeBytes = options.mostBytes ?? MAX_BYTES_OF_ALL;
  let count = 0;
  async function keep({to, spilled, output}: FinishedOutput): Promise<LongOutput | null> {
    if (spilled === null || spilled.bytes === 0 || output.droppedBytes === 0) return null;
    const text = await readHeadAndTail({file: to.file, spilled, output});
    if (redact === null) return {text, log: null};
    const log = `${to.file.slice(0, -UNREDACTED.length)}.log`;
    await copyWithoutSecrets({from: to.file, to: log, redact});
    freeBytes -= spilled.bytes;
    return {text, log: basename(log)};
  }
  return {
    begin(stage) {
      const maxBytes = Math.min(MAX_BYTES, freeBytes);
      if (maxBytes <= 0 || !createFolder(folder)) return null;
      freeBytes -= maxBytes;
      count += 1;
      return {file: join(folder, `${count}-${stage.replace(/[^\w.-]+/g, "-").slice(0, 60)}${UNREDACTED}`), maxBytes};
    },
    async finish(finished) {
      const {file, maxBytes} = finished.to;
      freeBytes += maxBytes;
      const output = await keep(finished).catch(() => null);
      await rm(file, {force: true});
      return output;
    },
  };
}

/** Without a folder there are no logs; the record still has heads and tails. */
function createFolder(folder: string): boolean {
  try {
    mkdirSync(folder, {recursive: true});
    return true;
  } catch {
    return false;
  }
}

/** The start and end of the output, cleaned. If the file is cut, its end is not the output's end. */
async function readHeadAndTail(options: {file: string; spilled: SavedOutput; output: Captured}): Promise<string> {
  const {spilled, output} = options;
  await using file = await open(options.file, "r");
  const readRange = async (from: number, to: number): Promise<Buffer> => {
    const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(to - from), position: from});
    return buffer.subarray(0, bytesRead);
  };
  const {bytes, isWhole} = spilled;
  const clean = (raw: Buffer): string => cleanText(raw.toString());
  const note = "[… some of the output left out …]\n";
  const head = firstLines(await readRange(0, Math.min(bytes, WINDOW_BYTES)));
  if (!isWhole) return clean(head) + note + output.tail;
  // Includes the byte before it, so that a line directly after the head counts as whole.
  const tail = lastLines(await readRange(Math.max(head.length - 1, bytes - WINDOW_BYTES, 0), bytes));
  return clean(head) + (head.length + tail.length < bytes ? note : "") + clean(tail);
}

/** Whole lines from the start. Their number is limited, because short lines take far more memory than their bytes. */
function firstLines(bytes: Buffer): Buffer {
  let end = 0;
  for (let lines = 0; lines < WINDOW_LINES && bytes.includes(NEWLINE, end); lines++) {
    end = bytes.indexOf(NEWLINE, end) + 1;
  }
  return bytes.subarray(0, end);
}

/** The same from the end, without a cut first line. */
function lastLines(bytes: Buffer): Buffer {
  const lineStart = bytes.indexOf(NEWLINE) + 1;
  let start = bytes.length;
  for (let lines = 0; lines < WINDOW_LINES && start > lineStart; lines++) {
    start = bytes.lastIndexOf(NEWLINE, start - 2) + 1;
  }
  return bytes.subarray(Math.max(start, lineStart));
}

/**
 * Copies in parts that end at a line end, or at a place of a long line without a secret, so that no secret is split.
 */
async function copyWithoutSecrets(options: {
  from: string;
  to: string;
  redact: (text: string) => string;
}): Promise<void> {
  await using from = await open(options.from, "r");
  await using to = await open(options.to, "w", 0o600);
  // One buffer for all parts: with a new one for each, a long log would double Assay's memory.
  const buffer = Buffer.allocUnsafe(PART_BYTES);
  let bufferedBytes = 0;
  for (let isLast = false; !isLast; ) {
    const {bytesRead} = await from.read({buffer, offset: bufferedBytes, length: PART_BYTES - bufferedBytes});
    isLast = bytesRead === 0;
    const part = buffer.subarray(0, bufferedBytes + bytesRead);
    const lineEnd = part.lastIndexOf(NEWLINE) + 1;
    const isLong = lineEnd === 0 && part.length === PART_BYTES;
    const end = isLast ? part.length : isLong ? endWithin(part, options.redact) : lineEnd;
    const bytes = part.subarray(0, end);
    const text = bytes.toString();
    const clean = options.redact(text);
    await to.writeFile(clean === text ? bytes : clean);
    bufferedBytes = part.length - end;
    buffer.copyWithin(0, end, part.length);
  }
}

/** A place in a long line where redacting both sides gives the same as redacting the whole, so no secret crosses it. */
function endWithin(part: Buffer, redact: (text: string) => string): number {
  const text = (from: number, to: number): string => redact(part.subarray(from, to).toString("latin1"));
  let end = part.length - SECRET_BYTES;
  const isCut = (): boolean => {
    const [from, to] = [end - SECRET_BYTES, end + SECRET_BYTES];
    return text(from, end) + text(end, to) !== text(from, to);
  };
  while (end > 2 * SECRET_BYTES && isCut()) end -= SECRET_BYTES;
  return end;
}
