/** Finds what known tools complained about: blocks first, then one-line and header forms through the problem-matcher library. */
import {type IProblem, type IProblemMatcher, parseProblemMatchersJson} from "@rushstack/problem-matcher";
import type {Diagnostic} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";
import {firstOf, type ToolRules} from "../tools/rules.ts";
import {blockAt, type Problem} from "./blocks.ts";
import {bodyAt, type Lines} from "./lines.ts";
import {HINT, hintOfPattern, placesWith} from "./prefilter.ts";
import {signFinder} from "./tool-markers.ts";

const signsIn = signFinder(TOOLS.flatMap((rules) => rules.signs));

/** Gives the problems in order of appearance. `tool` moves that tool's rules to the front. Linear in the lines. */
export function findProblems(o: {lines: Lines; hints: Int32Array; tool: string | undefined}): Problem[] {
  const {lines, hints, tool} = o;
  const seen = signsIn(placesWith(HINT.sign, hints).map((at) => bodyAt(lines, at)));
  const active = TOOLS.filter((rules) => rules.signs.length === 0 || rules.signs.some((sign) => seen.has(sign)));
  const rules = [...active.filter((r) => r.tool === tool), ...active.filter((r) => r.tool !== tool)];
  const blocks = rules.flatMap((r) =>
    (r.blocks ?? []).map((block) => ({tool: r.tool, block, hint: hintOfPattern(block.start.source)})),
  );
  const anyBlock = blocks.reduce((bits, {hint}) => bits | hint, 0);
  const problems: Problem[] = [];
  const taken = new Uint8Array(lines.count);
  for (let at = 0; at < lines.count; at++) {
    if (((hints[at] ?? 0) & anyBlock) === 0) continue;
    const found = blockAt({lines, at, hints: hints[at] ?? 0, blocks});
    if (found === undefined) continue;
    problems.push(found);
    taken.fill(1, found.from, found.to + 1);
    at = found.to;
  }
  problems.push(...lineProblems({lines, hints, rules, taken}));
  return problems.sort((a, b) => a.from - b.from);
}

/** A place is told, but the line only explains another one. */
const EXPLAINS = /(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)): (?:note|remark|style): |\d - information: /;

interface Matcher {
  readonly matcher: IProblemMatcher;
  readonly rules: ToolRules;
  /** without this bit a line cannot be the first, or the only one, of its form */
  readonly hint: number;
  /** the start of a form of several lines: it need only look at the lines that follow one */
  readonly start: RegExp | null;
  /** one of a list under the name of a file: where it has no line's number it goes on with the one before */
  readonly listed: RegExp | null;
  /** after so many lines without the next part the form has ended */
  readonly length: number;
}

function matchersOf(rules: ToolRules): Matcher[] {
  return (rules.lines ?? []).flatMap((line) => {
    const patterns = Array.isArray(line.pattern) ? line.pattern : [line.pattern];
    const several = patterns.length > 1;
    const last = patterns.at(-1);
    const first = firstOf(line);
    return parseProblemMatchersJson([{...line, name: rules.tool}]).map((matcher) => ({
      matcher,
      rules,
      hint: hintOfPattern(first),
      listed: last?.loop === true && last.line !== undefined ? new RegExp(last.regexp) : null,
      length: patterns.length,
      start: several ? new RegExp(first) : null,
    }));
  });
}

function lineProblems(o: {lines: Lines; hints: Int32Array; rules: readonly ToolRules[]; taken: Uint8Array}): Problem[] {
  const matchers = o.rules.flatMap(matchersOf);
  const any = matchers.reduce((bits, {hint}) => bits | hint, 0);
  const problems: Problem[] = [];
  const header = new Map<string, number>();
  const awakeUntil = new Int32Array(matchers.length).fill(-1);
  let anyAwakeUntil = -1;
  const wake = (index: number, until: number): void => {
    awakeUntil[index] = until;
    anyAwakeUntil = Math.max(anyAwakeUntil, until);
  };
  o.hints.forEach((hints, at) => {
    if (o.taken[at] === 1 || ((hints & any) === 0 && at > anyAwakeUntil)) return;
    const body = bodyAt(o.lines, at);
    const text = `${body}\n`;
    let seen = false;
    matchers.forEach(({matcher, rules, hint, start, listed, length}, index) => {
      const mayStart = (hints & hint) !== 0;
      if (start !== null) {
        if (mayStart && start.test(body)) wake(index, at + length);
        if (at > (awakeUntil[index] ?? -1)) return;
      } else {
        if (seen || !mayStart) return;
      }
      const found = matcher.exec(text);
      if (found === false || seen) return;
      seen = true;
      if (start !== null) wake(index, at + length);
      if (listed !== null && listed.exec(body)?.groups?.["line"] === undefined) return;
      problems.push({
        diagnostic: fromLibrary({rules, found, body}),
        from: at,
        to: at,
        key: headerKey({header, found, at, lines: o.lines}),
        isBlock: false,
      });
    });
  });
  return problems;
}

/** The header line that names the file of a stylish-like report, so that the excerpt can keep it with the item. */
function headerKey(o: {header: Map<string, number>; found: IProblem; at: number; lines: Lines}): number[] {
  const {file} = o.found;
  if (file === undefined || bodyAt(o.lines, o.at).includes(file)) return [o.at];
  const known = o.header.get(file);
  for (let at = o.at - 1; at >= Math.max(0, o.at - 12); at--) {
    if (bodyAt(o.lines, at).includes(file)) {
      o.header.set(file, at);
      return [at, o.at];
    }
  }
  return known === undefined ? [o.at] : [known, o.at];
}

function fromLibrary(o: {rules: ToolRules; found: IProblem; body: string}): Diagnostic {
  const {found} = o;
  return {
    tool: o.rules.tool,
    ...(found.file === undefined ? {} : {file: found.file.trim()}),
    ...(found.line === undefined ? {} : {line: found.line}),
    ...(found.column === undefined ? {} : {column: found.column}),
    ...(found.code === undefined ? {} : {code: found.code}),
    message: found.message.trim() || (o.rules.unsaid ?? ""),
    severity: EXPLAINS.test(o.body) ? "info" : (found.severity ?? "error"),
  };
}
