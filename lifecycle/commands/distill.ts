/** `assay distill`: finds what failed in a log on stdin and prints the excerpt that a fix prompt would carry. */
import {distill} from "../../src/evidence/distill.ts";

/** More than this is cut in the middle: what failed stands near the start or the end, and memory stays bounded. */
const KEPT_BYTES = 24 * 1024 * 1024;

/** Exit 0; 3 for a wrong argument. */
export async function distillCommand(o: {tool?: string; maxChars: string; json?: boolean}): Promise<number> {
  const maxChars = Number(o.maxChars);
  if (!Number.isInteger(maxChars) || maxChars < 200) {
    process.stderr.write("--max-chars must be a whole number of at least 200; leave it out for 6000.\n");
    return 3;
  }
  const log = await readBounded(process.stdin);
  const found = distill({log, maxChars, ...(o.tool !== undefined && {tool: o.tool})});
  process.stdout.write(o.json ? `${JSON.stringify(found)}\n` : `${found.excerpt}\n`);
  return 0;
}

async function readBounded(input: AsyncIterable<Uint8Array>): Promise<string> {
  const head: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  let [headBytes, tailBytes] = [0, 0];
  for await (const chunk of input) {
    if (headBytes < KEPT_BYTES) {
      head.push(chunk);
      headBytes += chunk.length;
      continue;
    }
    tail.push(chunk);
    tailBytes += chunk.length;
    if (tailBytes > 2 * KEPT_BYTES) {
      tail = [Buffer.concat(tail).subarray(-KEPT_BYTES)];
      tailBytes = KEPT_BYTES;
    }
  }
  return Buffer.concat([...head, ...tail]).toString("utf8");
}
