/** `assay distill`: finds the failures in a log on stdin and prints the excerpt for a fix prompt. */
import {readSync} from "node:fs";
import {isatty} from "node:tty";
import {setFlagsFromString} from "node:v8";
import {suggestWord} from "../detect/config/closest-word.ts";
import {distill} from "../diagnostics/distill.ts";
import {readLog} from "../diagnostics/read-log.ts";
import {escapeLog} from "../process/escape-log.ts";
import {TOOLS} from "../tools/all.ts";

const PART_BYTES = 256 * 1024;

/**
 * V8 optimizes for long-running programs, which costs more time here than it saves. A large log creates only
 * short-lived strings, so the young generation does not grow. The optimizing compiler is off; in Node 20, which has no
 * compiler tier below it, it starts later.
 */
const SHORT_RUN_FLAGS = `--semi-space-growth-factor=1 ${isNodeBefore22() ? "--interrupt-budget=1000000" : "--no-turbofan"}`;

/** Exit 0; 3 for a wrong argument, and on a terminal, where stdin has no log. */
export async function distillCommand(options: {tool?: string; maxChars: string; json?: boolean}): Promise<number> {
  const maxChars = Number(options.maxChars);
  if (!Number.isInteger(maxChars) || maxChars < 200) {
    process.stderr.write("error: --max-chars must be a whole number of at least 200 (default: 6000)\n");
    return 3;
  }
  const names = TOOLS.map(({name}) => name);
  if (options.tool !== undefined && !names.includes(options.tool)) {
    const hint = suggestWord(options.tool, names, "leave --tool out to let Assay look at the log");
    process.stderr.write(`${escapeLog(`error: --tool: no known tool is called ${options.tool}; ${hint}`, "")}\n`);
    return 3;
  }
  if (isatty(0)) {
    process.stderr.write("error: no log on stdin.\nUsage: npm test 2>&1 | assay distill, or assay distill < log\n");
    return 3;
  }
  setFlagsFromString(SHORT_RUN_FLAGS);
  // There, the runner would obey a command in the log.
  const isActions = process.env["GITHUB_ACTIONS"] === "true";
  const log = await readLog(standardInput());
  const result = distill({log, maxChars, ...(options.tool !== undefined && {tool: options.tool})});
  process.stdout.write(
    options.json ? `${JSON.stringify(result)}\n` : `${isActions ? escapeLog(result.excerpt, "") : result.excerpt}\n`,
  );
  return 0;
}

/**
 * Reads stdin in parts; each part is valid until the next one. It avoids `process.stdin`, because loading its streams
 * takes longer than reading a log.
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

/** The number of bytes read; null if stdin cannot be read synchronously, such as a non-blocking pipe. */
function readPart(bytes: Uint8Array): number | null {
  try {
    return readSync(0, bytes);
  } catch {
    return null;
  }
}

/**
 * Node 22 is the first version with a compiler tier below the optimizing one, so `SHORT_RUN_FLAGS` can turn that off.
 */
function isNodeBefore22(): boolean {
  return Number.parseInt(process.versions.node, 10) < 22;
}
