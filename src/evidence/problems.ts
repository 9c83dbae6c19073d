/** Finds what known tools complained about: blocks first, then one-line and header forms through the problem-matcher library. */
import {type IProblem, type IProblemMatcher, parseProblemMatchersJson} from "@rushstack/problem-matcher";
import type {Diagnostic} from "../record/evidence.ts";
import {blockAt, type Problem} from "./blocks.ts";
import type {Line} from "./lines.ts";
import {signFinder} from "./signs.ts";
import {TOOLS} from "./tools/all.ts";
import type {ToolRules} from "./tools/rules.ts";

const signsIn = signFinder(TOOLS.flatMap((rules) => rules.signs));

/** Gives the problems in order of appearance. `tool` moves that tool's rules to the front. Linear in the lines. */
export function findProblems(lines: readonly Line[], tool: string | undefined): Problem[] {
  const seen = signsIn(lines.map((line) => line.body));
  const active = TOOLS.filter((rules) => rules.signs.length === 0 || rules.signs.some((sign) => seen.has(sign)));
  const rules = [...active.filter((r) => r.tool === tool), ...active.filter((r) => r.tool !== tool)];
  const blocks = rules.flatMap((r) => (r.blocks ?? []).map((block) => ({tool: r.tool, block})));
  const starts = anyOf(blocks.map(({block}) => block.start.source));
  const problems: Problem[] = [];
  const taken = new Uint8Array(lines.length);
  for (let at = 0; at < lines.length; at++) {
    if (!starts.test(lines[at]?.body ?? "")) continue;
    const found = blockAt({lines, at, blocks});
    if (found === undefined) continue;
    problems.push(found);
    taken.fill(1, found.from, found.to + 1);
    at = found.to;
  }
  problems.push(...lineProblems({lines, rules, taken}));
  return problems.sort((a, b) => a.from - b.from);
}

/** A line without one of these cannot name a place in a file. */
const MAY_HAVE_PLACE = /[A-Za-z)\]>]\d?:[([ ]{0,2}\d|\w\(\d|line[ =]\d|\.\w{2,5}\s+\d/;

/** A place is told, but the line only explains another one. */
const EXPLAINS = /:\d+(?::\d+)?: (?:note|remark|style): |\d - information: /;

interface Matcher {
  readonly matcher: IProblemMatcher;
  readonly rules: ToolRules;
  /** what its form starts with */
  readonly first: string;
  /** the same for a form of several lines: it need only look at the lines that follow such a start */
  readonly start: RegExp | null;
  /** after so many lines without the next part the form has ended */
  readonly length: number;
  /** needs the number of a line */
  readonly placed: boolean;
}

function matchersOf(rules: ToolRules): Matcher[] {
  return (rules.lines ?? []).flatMap((line) => {
    const patterns = Array.isArray(line.pattern) ? line.pattern : [line.pattern];
    const several = patterns.length > 1;
    const placed = !several && patterns.some((pattern) => pattern.line !== undefined);
    return parseProblemMatchersJson([{...line, name: rules.tool}]).map((matcher) => ({
      matcher,
      rules,
      placed,
      first: patterns[0]?.regexp ?? "",
      length: patterns.length,
      start: several ? anyOf([patterns[0]?.regexp ?? ""]) : null,
    }));
  });
}

/** One quick look instead of one for each pattern. The groups lose their names, which may stand in one pattern only. */
function anyOf(sources: readonly string[]): RegExp {
  if (sources.length === 0) return /(?!)/;
  return new RegExp(sources.map((source) => `(?:${source.replace(/\(\?<[a-z]\w*>/gi, "(?:")})`).join("|"));
}

function lineProblems(o: {lines: readonly Line[]; rules: readonly ToolRules[]; taken: Uint8Array}): Problem[] {
  const matchers = o.rules.flatMap(matchersOf);
  const withoutPlace = matchers.filter((matcher) => !matcher.placed);
  const starts = anyOf(matchers.map(({first}) => first));
  const startsWithoutPlace = anyOf(withoutPlace.map(({first}) => first));
  const problems: Problem[] = [];
  const header = new Map<string, number>();
  const awakeUntil = new Int32Array(matchers.length).fill(-1);
  let anyAwakeUntil = -1;
  const wake = (index: number, until: number): void => {
    awakeUntil[index] = until;
    anyAwakeUntil = Math.max(anyAwakeUntil, until);
  };
  o.lines.forEach((line, at) => {
    if (o.taken[at] === 1) return;
    const mayHavePlace = MAY_HAVE_PLACE.test(line.body) && starts.test(line.body);
    const mayStart = startsWithoutPlace.test(line.body);
    if (!mayHavePlace && !mayStart && at > anyAwakeUntil) return;
    const text = `${line.body}\n`;
    let seen = false;
    matchers.forEach(({matcher, rules, start, length, placed}, index) => {
      if (start !== null) {
        if (mayStart && start.test(line.body)) wake(index, at + length);
        if (at > (awakeUntil[index] ?? -1)) return;
      } else if (seen || !(placed ? mayHavePlace : mayStart)) return;
      const found = matcher.exec(text);
      if (found === false || seen) return;
      seen = true;
      if (start !== null) wake(index, at + length);
      problems.push({
        diagnostic: fromLibrary({rules, found, body: line.body}),
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
function headerKey(o: {header: Map<string, number>; found: IProblem; at: number; lines: readonly Line[]}): number[] {
  const {file} = o.found;
  if (file === undefined || o.lines[o.at]?.body.includes(file) === true) return [o.at];
  const known = o.header.get(file);
  for (let at = o.at - 1; at >= Math.max(0, o.at - 12); at--) {
    if (o.lines[at]?.body.includes(file) === true) {
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
