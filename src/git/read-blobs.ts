/** Reads many contents of the bot's repository in a few calls of git, with limits. */
import type {Git} from "./git.ts";

/** The limit of one call, whose output is completely in memory. */
const CALL_BYTES = 32 * 1024 * 1024;
/** Most changes are smaller, and are read in one call without asking for the sizes first. */
const SMALL_BYTES = 2 * 1024 * 1024;

/**
 * Passes each distinct content to `take`, in the order of `ids`. Contents that are larger than `fileBytes`, exceed
 * `allBytes` together, are missing or cannot be read are left out.
 */
export async function readBlobs(options: {
  repository: {readonly git: Git};
  ids: readonly string[];
  limits: {readonly fileBytes: number; readonly allBytes: number};
  take: (id: string, content: Buffer) => void;
}): Promise<void> {
  const {repository, limits, take} = options;
  const ids = [...new Set(options.ids)];
  if (ids.length === 0) return;
  const withinLimit = (id: string, content: Buffer) => content.length <= limits.fileBytes && take(id, content);
  if (limits.allBytes >= SMALL_BYTES && (await readBatch({repository, ids, take: withinLimit, maxBytes: SMALL_BYTES})))
    return;
  const sizes = await repository.git(["cat-file", "--batch-check=%(objecttype) %(objectsize)"], {input: lines(ids)});
  if (!sizes.ok) return;
  const rows = sizes.value.split("\n");
  let bytesLeft = limits.allBytes;
  let bytes = 0;
  let batch: string[] = [];
  for (const [index, id] of ids.entries()) {
    const [type, size = ""] = (rows[index] ?? "").split(" ");
    const length = Number(size);
    if (type !== "blob" || length > limits.fileBytes || length > bytesLeft) continue;
    bytesLeft -= length;
    if (bytes + length > CALL_BYTES && batch.length > 0) {
      await readBatch({repository, ids: batch, take});
      [batch, bytes] = [[], 0];
    }
    batch.push(id);
    bytes += length;
  }
  if (batch.length > 0) await readBatch({repository, ids: batch, take});
}

/**
 * True if git gave all contents. Each object is a line `<id> <type> <size>`, its bytes and a line break; a missing
 * object is a line `<id> missing`.
 */
async function readBatch(options: {
  repository: {readonly git: Git};
  ids: readonly string[];
  take: (id: string, content: Buffer) => void;
  maxBytes?: number;
}): Promise<boolean> {
  const {repository, ids, take, maxBytes} = options;
  const call = {input: lines(ids), isBytes: true, ...(maxBytes && {maxBytes})} as const;
  const contents = await repository.git(["cat-file", "--batch"], call);
  if (!contents.ok) return false;
  const bytes = Buffer.from(contents.value, "latin1");
  for (let offset = 0; offset < bytes.length; ) {
    const end = bytes.indexOf("\n", offset);
    if (end === -1) return true;
    const [id = "", type, size] = bytes.toString("latin1", offset, end).split(" ");
    offset = end + 1;
    if (type === "missing") continue;
    const length = Number(size);
    // The output is incomplete.
    if (!Number.isInteger(length) || offset + length > bytes.length) return true;
    if (type === "blob") take(id, bytes.subarray(offset, offset + length));
    offset += length + 1;
  }
  return true;
}

const lines = (ids: readonly string[]) => ids.map((id) => `${id}\n`).join("");
