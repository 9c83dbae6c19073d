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
  const seen = signsIn(lines.map((line) => line.body).join("\n"));
  const active = TOOLS.filter((rules) => rules.signs.length === 0 || rules.signs.some((sign) => seen.has(sign)));
  const rules = [...active.filter((r) => r.tool === tool), ...active.filter((r) => r.tool !== tool)];
  const blocks = rules.flatMap((r) => (r.blocks ?? []).map((block) => ({tool: r.tool, block})));
  const problems: Problem[] = [];
  const taken = new Uint8Array(lines.length);
  for (let at = 0; at < lines.length; at++) {
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

/** A form of several lines that has not gone on for so long has ended; until its next start it need not look. */
const MOST_PATTERNS = 6;

interface Matcher {
  readonly matcher: IProblemMatcher;
  readonly rules: ToolRules;
  /** keeps its place in a form of several lines between calls, so that it has to see every line */
  readonly several: boolean;
  /** what its form starts with */
  readonly first: string;
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
      several,
      placed,
      first: patterns[0]?.regexp ?? "",
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
  let awake = 0;
  o.lines.forEach((line, at) => {
    if (o.taken[at] === 1) return;
    const mayHavePlace = MAY_HAVE_PLACE.test(line.body) && starts.test(line.body);
    if (startsWithoutPlace.test(line.body)) awake = MOST_PATTERNS;
    else awake--;
    if (!mayHavePlace && awake < 0) return;
    const text = `${line.body}\n`;
    let seen = false;
    for (const {matcher, rules, several} of mayHavePlace ? matchers : withoutPlace) {
      if (seen && !several) continue;
      const found = matcher.exec(text);
      if (found === false || seen) continue;
      seen = true;
      if (several) awake = MOST_PATTERNS;
      problems.push({
        diagnostic: fromLibrary({rules, found, body: line.body}),
        from: at,
        to: at,
        key: headerKey({header, found, at, lines: o.lines}),
        isBlock: false,
      });
    }
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
