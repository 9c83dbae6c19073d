/** Reads failures that a tool prints on several lines, from the patterns of their first line, last line and parts. */
import type {Diagnostic} from "../record/evidence.ts";
import type {Block, ReasonAbove} from "../tools/tool.ts";
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

const ABOVE_LINES = 400;

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
  for (let lineIndex = options.at + 1; lineIndex <= lastLine && missing.size > 0; lineIndex++) {
    const body = bodyAt(options.lines, lineIndex);
    if (options.block.end.test(body)) return false;
    for (const pattern of missing) if (pattern.test(body)) missing.delete(pattern);
  }
  return missing.size === 0;
}

function readBlock(tool: string, options: OpenBlock): Problem {
  const key = [options.at];
  const lastLine = Math.min(options.lines.count - 1, options.at + options.block.maxLines);
  let to = options.at;
  let messageAt = -1;
  let hasEnd = false;
  let blankGoesOn = options.block.blankUntil !== undefined;
  for (let lineIndex = options.at + 1; lineIndex <= lastLine; lineIndex++) {
    const body = bodyAt(options.lines, lineIndex);
    if (options.block.blankUntil?.test(body) === true) blankGoesOn = false;
    hasEnd = options.block.end.test(body) && !(blankGoesOn && body === "");
    if (hasEnd) break;
    to = lineIndex;
    for (const pattern of options.block.inside) {
      const fresh = Object.entries(pattern.exec(body)?.groups ?? {}).filter(
        ([name, value]) => value !== undefined && options.fields[name] === undefined,
      );
      if (fresh.length === 0) continue;
      if (fresh.some(([name]) => name === "message")) messageAt = lineIndex;
      Object.assign(options.fields, Object.fromEntries(fresh));
      key.push(lineIndex);
    }
  }
  // Only the first line looks like such a failure, so the following lines do not belong to it.
  if (!hasEnd && key.length === 1) to = options.at;
  while (to > options.at && bodyAt(options.lines, to).trim() === "") to--;
  const {above} = options.block;
  const hasReason = key.length > 1;
  const from = above === undefined || hasReason ? options.at : readAbove(options, {above, key});
  if (!hasReason) messageAt = key[1] ?? -1;
  const detail = detailBelow(options, {messageAt, to});
  const severity = severityOf(options.fields["severity"]) ?? options.block.severity ?? "error";
  return {
    diagnostic: {...diagnosticOf(tool, options.fields, severity), ...(detail !== "" && {detail})},
    from,
    to,
    key: [...new Set(key)],
    isBlock: true,
  };
}

/**
 * Finds the reason under a heading that names the block's test. Returns the block's first line: the reason, if nothing
 * of another test is between.
 */
function readAbove(options: OpenBlock, {above, key}: {above: ReasonAbove; key: number[]}): number {
  const {at: start, lines, fields} = options;
  let reason: {at: number; groups: Record<string, string>} | undefined;
  let isAlone = true;
  for (let at = start - 1; at >= Math.max(0, start - ABOVE_LINES); at--) {
    const body = bodyAt(lines, at);
    const heading = above.heading.exec(body);
    if (reason !== undefined && heading?.groups?.["testId"] === fields["testId"]) {
      Object.assign(fields, reason.groups);
      key.push(reason.at);
      return isAlone ? reason.at : start;
    }
    const isOther = heading !== null || above.result.test(body);
    isAlone &&= !isOther;
    // The topmost line that names something is the reason; those below it are its details.
    const groups = above.reason.exec(body)?.groups;
    if (isOther) reason = undefined;
    else if (groups !== undefined) reason = {at, groups};
  }
  return start;
}

const MAX_DETAIL_LINES = 20;
const MAX_DETAIL_CHARS = 500;
const STACK_FRAME = /^\s*(?:at |❯ |› )/;

/** The lines below the message that belong to it, without blank lines. */
function detailBelow({lines, at: start, block}: OpenBlock, {messageAt, to}: {messageAt: number; to: number}): string {
  if (messageAt < 0) return "";
  const message = bodyAt(lines, messageAt);
  if (block.detail === undefined && !message.trimEnd().replace(/['"]$/, "").endsWith(":")) return "";
  const depth = message.search(/\S/);
  const belongs = (body: string): boolean =>
    block.detail?.test(body) ?? (body.search(/\S/) >= depth && !STACK_FRAME.test(body));
  const found: string[] = [];
  // A reason above the block ends at it.
  const last = Math.min(messageAt < start ? start - 1 : to, messageAt + MAX_DETAIL_LINES);
  for (let at = messageAt + 1; at <= last; at++) {
    const body = bodyAt(lines, at);
    if (body.trim() !== "" && !belongs(body)) break;
    if (body.trim() !== "") found.push(body.trim());
  }
  return found.join("\n").slice(0, MAX_DETAIL_CHARS);
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
  if (/^(?:w|warn|⚠|‼|!)/i.test(word)) return "warning";
  if (/^(?:i|info|note|help|c|r|suggestion|low)/i.test(word)) return "info";
  return "error";
}
