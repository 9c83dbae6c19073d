/** `assay distill`: finds what failed in a log on stdin and prints the excerpt that a fix prompt would carry. */
import {setFlagsFromString} from "node:v8";
import {distill} from "../../src/evidence/distill.ts";
import {readLog} from "../../src/evidence/read-log.ts";

/** Exit 0; 3 for a wrong argument. */
export async function distillCommand(o: {tool?: string; maxChars: string; json?: boolean}): Promise<number> {
  const maxChars = Number(o.maxChars);
  if (!Number.isInteger(maxChars) || maxChars < 200) {
    process.stderr.write("--max-chars must be a whole number of at least 200; leave it out for 6000.\n");
    return 3;
  }
  // Else V8 triples the room for short-lived strings, of which a large log makes nothing but.
  setFlagsFromString("--semi-space-growth-factor=1");
  const log = await readLog(process.stdin);
  const found = distill({log, maxChars, ...(o.tool !== undefined && {tool: o.tool})});
  process.stdout.write(o.json ? `${JSON.stringify(found)}\n` : `${found.excerpt}\n`);
  return 0;
}
