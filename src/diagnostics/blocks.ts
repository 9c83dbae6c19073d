/** Reads failures that a tool prints on several lines, from the patterns of their first line, last line and parts. */
import type {Diagnostic} from "../record/evidence.ts";
import type {Block} from "../tools/tool.ts";
import {bodyAt, type LogLines} from "./lines.ts";

/**
 * A diagnostic and the lines it was read from, `from` to `to` inclusive; `key` are the lines that contain its parts.
 */
export interface Problem {
  readonly diagnostic: Diagnostic;
  readonly from: number;
  readonly to: number;
  readonly key: readonly number[];
  readonly isBlock: boolean;
}

const ABOVE_LINES = 20;

/** Returns the block that starts at line `at`, or undefined. The first matching rule reads it. */
export function blockAt(options: {
  lines: LogLines;
  at: number;
  blocks: readonly {tool: string; block: Block}[];
}): Problem | undefined {
  const body = bodyAt(options.lines, options.at);
  if (body === "") return undefined;
  for (const {tool, block} of options.blocks) {
    const start = block.start.exec(body);
    if (start === null) continue;
    if (block.unless !== undefined && isUnless({...options, block})) return undefined;
    const problem = readBlock(tool, {lines: options.lines, at: options.at, block, fields: {...start.groups}});
    const {message, testId} = problem.diagnostic;
    if (block.needsMessage !== true || (message !== "" && message !== testId)) return problem;
  }
  return undefined;
}

/** A block whose first line is `at`; `fields` contains the parts that were read so far. */
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
  // Only the first line looks like such a failure, so the following lines do not belong to it.
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

/** Reads the indented lines above a block's start, nearest first. The earliest match fills a field. */
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
