/** Reads failures that a tool prints over several lines, by the start, the end and the parts that its rules name. */
import type {Diagnostic} from "../record/evidence.ts";
import type {Block} from "../tools/tool.ts";
import {bodyAt, type LogLines} from "./lines.ts";

/** A diagnostic and the lines it was read from, `from` to `to` inclusive; `key` are the lines that carry its parts. */
export interface Problem {
  readonly diagnostic: Diagnostic;
  readonly from: number;
  readonly to: number;
  readonly key: readonly number[];
  readonly isBlock: boolean;
}

const ABOVE_LINES = 20;

/** Gives the block that starts at line `at`, which has these flags, or undefined. The first rule that fits reads it. */
export function blockAt(options: {
  lines: LogLines;
  at: number;
  flags: number;
  blocks: readonly {tool: string; block: Block; flag: number}[];
}): Problem | undefined {
  const body = bodyAt(options.lines, options.at);
  if (body === "") return undefined;
  for (const {tool, block, flag} of options.blocks) {
    if ((options.flags & flag) === 0) continue;
    const start = block.start.exec(body);
    if (start === null) continue;
    if (block.unless !== undefined && isUnless({...options, block})) return undefined;
    const problem = readBlock(tool, {lines: options.lines, at: options.at, block, fields: {...start.groups}});
    const {message, testId} = problem.diagnostic;
    if (block.needsMessage !== true || (message !== "" && message !== testId)) return problem;
  }
  return undefined;
}

/** A block whose start is the line `at`; `fields` are what its lines have given. */
interface OpenBlock {
  readonly lines: LogLines;
  readonly at: number;
  readonly block: Block;
  readonly fields: Record<string, string | undefined>;
}

function isUnless(options: Pick<OpenBlock, "lines" | "at" | "block">): boolean {
  const missing = new Set(options.block.unless);
  const lastLine = Math.min(options.lines.count - 1, options.at + options.block.maxLines);
  for (let at = options.at + 1; at <= lastLine && missing.size > 0; at++) {
    const body = bodyAt(options.lines, at);
    if (options.block.end.test(body)) return false;
    for (const pattern of missing) if (pattern.test(body)) missing.delete(pattern);
  }
  return missing.size === 0;
}

function readBlock(tool: string, options: OpenBlock): Problem {
  const key = [options.at];
  const lastLine = Math.min(options.lines.count - 1, options.at + options.block.maxLines);
  let to = options.at;
  let hasEnd = false;
  let blankGoesOn = options.block.blankUntil !== undefined;
  for (let at = options.at + 1; at <= lastLine; at++) {
    const body = bodyAt(options.lines, at);
    if (options.block.blankUntil?.test(body) === true) blankGoesOn = false;
    hasEnd = options.block.end.test(body) && !(blankGoesOn && body === "");
    if (hasEnd) break;
    to = at;
    for (const pattern of options.block.inside) {
      const fresh = Object.entries(pattern.exec(body)?.groups ?? {}).filter(
        ([name, value]) => value !== undefined && options.fields[name] === undefined,
      );
      if (fresh.length === 0) continue;
      Object.assign(options.fields, Object.fromEntries(fresh));
      key.push(at);
    }
  }
  // What only begins as such a failure does: the lines that follow are of something else.
  if (!hasEnd && key.length === 1) to = options.at;
  while (to > options.at && bodyAt(options.lines, to).trim() === "") to--;
  const from = options.block.above === undefined ? options.at : readAbove(options, {above: options.block.above, key});
  const severity = severityOf(options.fields["severity"]) ?? options.block.severity ?? "error";
  return {
    diagnostic: diagnosticOf(tool, options.fields, severity),
    from,
    to,
    key: [...new Set(key)],
    isBlock: true,
  };
}

/** Reads the indented lines above a block's start, nearest first, so that the earliest match fills the fields. */
function readAbove(options: OpenBlock, {above, key}: {above: RegExp; key: number[]}): number {
  let from = options.at;
  // The topmost line that names something is the reason; those below it are its details.
  for (let at = options.at - 1; at >= Math.max(0, options.at - ABOVE_LINES); at--) {
    const body = bodyAt(options.lines, at);
    if (!/^\s+(?!---)\S/.test(body)) break;
    const groups = above.exec(body)?.groups;
    if (groups === undefined) continue;
    Object.assign(options.fields, groups);
    from = at;
  }
  if (from < options.at) key.push(from);
  return from;
}

/** The diagnostic with these named parts. */
export function diagnosticOf(
  tool: string,
  fields: Readonly<Record<string, string | undefined>>,
  severity: Diagnostic["severity"],
): Diagnostic {
  const {file, line, column, code, message, testId} = fields;
  return {
    tool,
    ...(file === undefined ? {} : {file: file.trim()}),
    ...(line === undefined ? {} : {line: Number(line)}),
    ...(column === undefined ? {} : {column: Number(column)}),
    ...(code === undefined ? {} : {code}),
    message: (message ?? testId ?? "").trim(),
    severity,
    ...(testId === undefined ? {} : {testId: testId.trim()}),
  };
}

function severityOf(word: string | undefined): Diagnostic["severity"] | undefined {
  if (word === undefined) return undefined;
  if (/^(?:w|warn|⚠|!)/i.test(word)) return "warning";
  if (/^(?:i|info|note|help|c|r|suggestion|low)/i.test(word)) return "info";
  return "error";
}
