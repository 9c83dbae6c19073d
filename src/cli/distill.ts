/** `assay distill`: finds what failed in a log on stdin and prints the excerpt that a fix prompt would carry. */
import {readSync} from "node:fs";
import {setFlagsFromString} from "node:v8";
import {distill} from "../diagnostics/distill.ts";
import {readLog} from "../diagnostics/read-log.ts";

const PART_BYTES = 256 * 1024;

/**
 * What V8 does for programs that run for long takes more time here than it gives back: room for short-lived strings, of which a large log
 * makes nothing but; and the costly last step of compiling, which where there is no step before it (Node 20) has to come, but later.
 */
const FOR_A_SHORT_LIFE = `--semi-space-growth-factor=1 ${isBefore22() ? "--interrupt-budget=1000000" : "--no-turbofan"}`;

/** Exit 0; 3 for a wrong argument. */
export async function distillCommand(o: {tool?: string; maxChars: string; json?: boolean}): Promise<number> {
  const maxChars = Number(o.maxChars);
  if (!Number.isInteger(maxChars) || maxChars < 200) {
    process.stderr.write("--max-chars must be a whole number of at least 200; leave it out for 6000.\n");
    return 3;
  }
  setFlagsFromString(FOR_A_SHORT_LIFE);
  const log = await readLog(standardInput());
  const found = distill({log, maxChars, ...(o.tool !== undefined && {tool: o.tool})});
  process.stdout.write(o.json ? `${JSON.stringify(found)}\n` : `${found.excerpt}\n`);
  return 0;
}

/**
 * What arrives on stdin, each part valid until the next is asked for. Without the streams of `process.stdin`, which take longer to load
 * than a log to read.
 */
async function* standardInput(): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(PART_BYTES);
  for (;;) {
    const length = readPart(bytes);
    if (length === 0) return;
    if (length === null) {
      yield* process.stdin;
      return;
    }
    yield bytes.subarray(0, length);
  }
}

/** The number of bytes read; null where stdin cannot be waited for in this way, as a pipe that does not block. */
function readPart(bytes: Uint8Array): number | null {
  try {
    return readSync(0, bytes);
  } catch {
    return null;
  }
}

/** True for the versions of Node in which V8 has no compiler between its first and its last. */
function isBefore22(): boolean {
  return Number.parseInt(process.versions.node, 10) < 22;
}
