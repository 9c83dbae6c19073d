/** Finds what known tools complained about: blocks first, then one-line and header forms through the problem-matcher library. */
import type {IProblem, IProblemMatcher} from "@rushstack/problem-matcher";
import type {Diagnostic} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";
import type {Tool} from "../tools/tool.ts";
import {blockAt, type Problem} from "./blocks.ts";
import {matcherOf, patternsOf} from "./line-rules.ts";
import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG, flagOfPattern, linesWithFlag} from "./prefilter.ts";
import {markerFinder} from "./tool-markers.ts";

const markersIn = markerFinder(TOOLS.flatMap(({output}) => output?.markers ?? []));

/** Gives the problems in order of appearance. `tool` moves that tool's rules to the front. Linear in the lines. */
export function findProblems(o: {lines: LogLines; flags: Int32Array; tool: string | undefined}): Problem[] {
  const {lines, flags, tool} = o;
  const seenMarkers = markersIn(linesWithFlag(FLAG.marker, flags).map((at) => bodyAt(lines, at)));
  const active = TOOLS.filter(({output}) => {
    const {markers = null} = output ?? {};
    return markers?.length === 0 || markers?.some((marker) => seenMarkers.has(marker)) === true;
  });
  const tools = [...active.filter(({name}) => name === tool), ...active.filter(({name}) => name !== tool)];
  const blocks = tools.flatMap(({name, output}) =>
    (output?.blocks ?? []).map((block) => ({tool: name, block, flag: flagOfPattern(block.start.source)})),
  );
  const anyBlock = blocks.reduce((bits, {flag}) => bits | flag, 0);
  const problems: Problem[] = [];
  const isTaken = new Uint8Array(lines.count);
  for (let at = 0; at < lines.count; at++) {
    if (((flags[at] ?? 0) & anyBlock) === 0) continue;
    const match = blockAt({lines, at, flags: flags[at] ?? 0, blocks});
    if (match === undefined) continue;
    problems.push(match);
    isTaken.fill(1, match.from, match.to + 1);
    at = match.to;
  }
  problems.push(...lineProblems({lines, flags, tools, isTaken}));
  return problems.sort((a, b) => a.from - b.from);
}

/** The line has a place, but only explains another line. */
const EXPLAINS = /(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)): (?:note|remark|style): |\d - information: /;

interface Matcher {
  readonly matcher: IProblemMatcher;
  readonly tool: Tool;
  /** without this bit a line cannot be the first, or the only one, of its form */
  readonly flag: number;
  /** the start of a form of several lines: it need only look at the lines that follow one */
  readonly start: RegExp | null;
  /** one of a list under the name of a file: without a line number it continues the item before it */
  readonly listed: RegExp | null;
  /** after so many lines without the next part the form has ended */
  readonly length: number;
}

function matchersOf(tool: Tool): Matcher[] {
  return (tool.output?.lines ?? []).flatMap((line) => {
    const patterns = patternsOf(line);
    const [first, second] = patterns;
    const matcher = matcherOf(tool.name, line);
    if (first === undefined || matcher === undefined) return [];
    const lastPattern = patterns.at(-1);
    const isList =
      !(line instanceof RegExp) && line.isList === true && lastPattern?.source.includes("(?<line>") === true;
    return {
      matcher,
      tool,
      flag: flagOfPattern(first.source),
      listed: isList ? lastPattern : null,
      length: patterns.length,
      start: second === undefined ? null : first,
    };
  });
}

function lineProblems(o: {lines: LogLines; flags: Int32Array; tools: readonly Tool[]; isTaken: Uint8Array}): Problem[] {
  const matchers = o.tools.flatMap(matchersOf);
  const anyFlag = matchers.reduce((bits, {flag}) => bits | flag, 0);
  const problems: Problem[] = [];
  const header = new Map<string, number>();
  const awakeUntil = new Int32Array(matchers.length).fill(-1);
  let anyAwakeUntil = -1;
  const wake = (index: number, until: number): void => {
    awakeUntil[index] = until;
    anyAwakeUntil = Math.max(anyAwakeUntil, until);
  };
  o.flags.forEach((flags, at) => {
    if (o.isTaken[at] === 1 || ((flags & anyFlag) === 0 && at > anyAwakeUntil)) return;
    const body = bodyAt(o.lines, at);
    const text = `${body}\n`;
    let isMatched = false;
    matchers.forEach(({matcher, tool, flag, start, listed, length}, index) => {
      const mayStart = (flags & flag) !== 0;
      if (start !== null) {
        if (mayStart && start.test(body)) wake(index, at + length);
        if (at > (awakeUntil[index] ?? -1)) return;
      } else {
        if (isMatched || !mayStart) return;
      }
      const match = matcher.exec(text);
      if (match === false || isMatched) return;
      isMatched = true;
      if (start !== null) wake(index, at + length);
      if (listed !== null && listed.exec(body)?.groups?.["line"] === undefined) return;
      problems.push({
        diagnostic: fromLibrary({tool, match, body}),
        from: at,
        to: at,
        key: headerKey({header, match, at, lines: o.lines}),
        isBlock: false,
      });
    });
  });
  return problems;
}

/** The header line that names the file of a stylish-like report, so that the excerpt can keep it with the item. */
function headerKey(o: {header: Map<string, number>; match: IProblem; at: number; lines: LogLines}): number[] {
  const {file} = o.match;
  if (file === undefined || bodyAt(o.lines, o.at).includes(file)) return [o.at];
  const knownLine = o.header.get(file);
  for (let at = o.at - 1; at >= Math.max(0, o.at - 12); at--) {
    if (bodyAt(o.lines, at).includes(file)) {
      o.header.set(file, at);
      return [at, o.at];
    }
  }
  return knownLine === undefined ? [o.at] : [knownLine, o.at];
}

function fromLibrary(o: {tool: Tool; match: IProblem; body: string}): Diagnostic {
  const {match} = o;
  return {
    tool: o.tool.name,
    ...(match.file === undefined ? {} : {file: match.file.trim()}),
    ...(match.line === undefined ? {} : {line: match.line}),
    ...(match.column === undefined ? {} : {column: match.column}),
    ...(match.code === undefined ? {} : {code: match.code}),
    message: match.message.trim() || (o.tool.output?.defaultMessage ?? ""),
    severity: EXPLAINS.test(o.body) ? "info" : (match.severity ?? "error"),
  };
}
