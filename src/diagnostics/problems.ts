/** Finds the complaints of known tools: first blocks, then formats with one line, consecutive lines, or lists. */
import type {Diagnostic} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";
import type {LineRule, Tool} from "../tools/tool.ts";
import {blockAt, diagnosticOf, type Problem} from "./blocks.ts";
import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG, flagOfPattern, linesWithFlag} from "./prefilter.ts";

/**
 * Returns the problems in order of appearance. `tool` moves that tool's rules to the front. Linear in the number of
 * lines.
 */
export function findProblems(options: {lines: LogLines; flags: Int32Array; tool: string | undefined}): Problem[] {
  const {lines, flags, tool} = options;
  const markedLines = linesWithFlag(FLAG.marker, flags).map((at) => bodyAt(lines, at));
  const text = markedLines.join("\n");
  const active = TOOLS.filter(
    ({output}) => output?.markers.length === 0 || output?.markers.some((marker) => text.includes(marker)),
  );
  const tools = [...active.filter(({name}) => name === tool), ...active.filter(({name}) => name !== tool)];
  const blocks = tools.flatMap(({name, output}) =>
    (output?.blocks ?? []).map((block) => ({tool: name, block, flag: flagOfPattern(block.start.source)})),
  );
  const blocksFor = byFlags(blocks);
  const problems: Problem[] = [];
  const isTaken = new Uint8Array(lines.count);
  for (let lineIndex = 0; lineIndex < lines.count; lineIndex++) {
    const possible = blocksFor(flags[lineIndex] ?? 0);
    const match = possible.length === 0 ? undefined : blockAt({lines, at: lineIndex, blocks: possible});
    if (match === undefined) continue;
    problems.push(match);
    isTaken.fill(1, match.from, match.to + 1);
    lineIndex = match.to;
  }
  problems.push(...lineProblems({lines, flags, tools, isTaken}));
  return problems.sort((a, b) => a.from - b.from);
}

/** Returns the rules whose flag is among a line's flags; the lines of a log have few different flags. */
function byFlags<T extends {readonly flag: number}>(rules: readonly T[]): (flags: number) => readonly T[] {
  const anyFlag = rules.reduce((bits, {flag}) => bits | flag, 0);
  const rulesByFlags = new Map<number, readonly T[]>();
  const noRules: readonly T[] = [];
  return (flags) => {
    const knownFlags = flags & anyFlag;
    if (knownFlags === 0) return noRules;
    const rulesThen = rulesByFlags.get(knownFlags) ?? rules.filter(({flag}) => (knownFlags & flag) !== 0);
    rulesByFlags.set(knownFlags, rulesThen);
    return rulesThen;
  };
}

/** The line has a place, but only explains another line. */
const EXPLAINS = /(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)): (?:note|remark|style): |\d - information: /;

/**
 * A format of problems in a tool's lines: `next` is its pattern for the next line, `fields` are the parts of the lines
 * before.
 */
interface LineForm {
  readonly tool: Tool;
  readonly rule: LineRule;
  readonly patterns: readonly RegExp[];
  /** lines without these bits cannot be the first and the last of its format */
  readonly flag: number;
  readonly lastFlag: number;
  next: number;
  fields: Record<string, string>;
}

function formsOf(tool: Tool): LineForm[] {
  return (tool.output?.lines ?? []).map((line) => {
    const rule = line instanceof RegExp ? {patterns: [line]} : line;
    // Each pattern matches its line to the end.
    const patterns = rule.patterns.map(({source}) => new RegExp(source.replace(/\$?$/, "$")));
    const flag = flagOfPattern(rule.patterns[0]?.source ?? "");
    const lastFlag = flagOfPattern(rule.patterns.at(-1)?.source ?? "");
    return {tool, rule, patterns, flag, lastFlag, next: 0, fields: {}};
  });
}

/**
 * Reads a line as the next part of the format, or as its start. Returns all fields if this line ends a problem, else
 * null.
 */
function readPart(form: LineForm, body: string): Record<string, string> | null {
  const {patterns, rule} = form;
  let place = Math.min(form.next, patterns.length - 1);
  let match = patterns[place]?.exec(body) ?? null;
  if (match === null && form.next > 0) {
    [place, form.next, form.fields] = [0, 0, {}];
    match = patterns[0]?.exec(body) ?? null;
  }
  if (match === null) return null;
  const fields = Object.entries(match.groups ?? {}).filter(([, value]) => value);
  Object.assign(form.fields, Object.fromEntries(fields));
  form.next = place + 1;
  if (form.next < patterns.length) return null;
  const {message = "", ...others} = form.fields;
  if (rule.isList !== true) form.next = 0;
  form.fields = rule.isList === true ? others : {};
  // In a list below the name of a file, a line without a line number continues the item before it.
  const isContinued = rule.isList === true && "line" in (match.groups ?? {}) && match.groups?.["line"] === undefined;
  return isContinued ? {} : {...others, message};
}

function lineProblems(options: {
  lines: LogLines;
  flags: Int32Array;
  tools: readonly Tool[];
  isTaken: Uint8Array;
}): Problem[] {
  const forms = options.tools.flatMap(formsOf);
  const formsFor = byFlags(forms);
  const problems: Problem[] = [];
  const headers = new Map<string, number>();
  let isAnyOpen = false;
  for (let lineIndex = 0; lineIndex < options.lines.count; lineIndex++) {
    const flags = options.flags[lineIndex] ?? 0;
    const possible: readonly LineForm[] = isAnyOpen ? forms : formsFor(flags);
    if (possible.length === 0 || options.isTaken[lineIndex] === 1) continue;
    let body = "";
    let isMatched = false;
    isAnyOpen = false;
    for (const form of possible) {
      const isPossible =
        (flags & form.flag) !== 0 && ((options.flags[lineIndex + form.patterns.length - 1] ?? 0) & form.lastFlag) !== 0;
      if (form.next === 0 && (!isPossible || (isMatched && form.patterns.length === 1))) continue;
      body ||= bodyAt(options.lines, lineIndex);
      const fields = readPart(form, body);
      isAnyOpen ||= form.next > 0;
      if (fields === null || isMatched) continue;
      isMatched = true;
      if (fields["message"] === undefined) continue;
      const diagnostic = diagnosticIn({form, fields, body});
      const key = headerKey({headers, file: diagnostic.file, at: lineIndex, lines: options.lines});
      problems.push({diagnostic, from: lineIndex, to: lineIndex, key, isBlock: false});
    }
  }
  return problems;
}

/**
 * The header line with the file's name in a report like ESLint's `stylish`, so that the excerpt can keep it with the
 * item.
 */
function headerKey(options: {
  headers: Map<string, number>;
  file: string | undefined;
  at: number;
  lines: LogLines;
}): number[] {
  const {file, headers} = options;
  if (file === undefined || bodyAt(options.lines, options.at).includes(file)) return [options.at];
  const knownLine = headers.get(file);
  for (let lineIndex = options.at - 1; lineIndex >= Math.max(0, options.at - 12); lineIndex--) {
    if (bodyAt(options.lines, lineIndex).includes(file)) {
      headers.set(file, lineIndex);
      return [lineIndex, options.at];
    }
  }
  return knownLine === undefined ? [options.at] : [knownLine, options.at];
}

function diagnosticIn({
  form,
  fields,
  body,
}: {
  form: LineForm;
  fields: Record<string, string>;
  body: string;
}): Diagnostic {
  const {tool, rule} = form;
  const [word = ""] = /^(?:err|warn|info)/.exec(fields["severity"]?.toLowerCase() ?? "") ?? [];
  const severity = SEVERITIES[word] ?? rule.severity ?? "error";
  const diagnostic = diagnosticOf(tool.name, fields, EXPLAINS.test(body) ? "info" : severity);
  return {...diagnostic, message: diagnostic.message || (tool.output?.defaultMessage ?? "")};
}

const SEVERITIES: Readonly<Record<string, Diagnostic["severity"]>> = {err: "error", warn: "warning", info: "info"};
