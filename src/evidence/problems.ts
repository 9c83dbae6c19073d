/** Finds what known tools complained about: one-line and header forms through the problem-matcher library, whole blocks here. */
import {type IProblem, parseProblemMatchersJson} from "@rushstack/problem-matcher";
import type {Diagnostic} from "../record.ts";
import type {Line} from "./lines.ts";
import {TOOLS} from "./tools/all.ts";
import type {Block, ToolRules} from "./tools/rules.ts";

/** A diagnostic and the lines it was read from, `from` to `to` inclusive; `key` are the lines that carry its parts. */
export interface Problem {
  readonly diagnostic: Diagnostic;
  readonly from: number;
  readonly to: number;
  readonly key: readonly number[];
  readonly isBlock: boolean;
}

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

const ABOVE_LINES = 20;
const SIGNS = [...new Set(TOOLS.flatMap((rules) => rules.signs))].sort((a, b) => b.length - a.length);

/** One pass over the text for all signs, which may overlap; a sign that stands inside a longer one counts with it. */
function signsIn(text: string): Set<string> {
  const any = SIGNS.map((sign) => sign.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const found = new Set<string>();
  for (const [, sign = ""] of text.matchAll(new RegExp(`(?=(${any}))`, "g"))) found.add(sign);
  return new Set(SIGNS.filter((sign) => [...found].some((longer) => longer.includes(sign))));
}

function blockAt(o: {
  lines: readonly Line[];
  at: number;
  blocks: readonly {tool: string; block: Block}[];
}): Problem | undefined {
  const body = o.lines[o.at]?.body ?? "";
  if (body === "") return undefined;
  for (const {tool, block} of o.blocks) {
    const start = block.start.exec(body);
    if (start === null) continue;
    const found = readBlock({lines: o.lines, at: o.at, tool, block, fields: {...start.groups}});
    const {message, testId} = found.diagnostic;
    if (block.needsMessage !== true || (message !== "" && message !== testId)) return found;
  }
  return undefined;
}

function readBlock(o: {
  lines: readonly Line[];
  at: number;
  tool: string;
  block: Block;
  fields: Record<string, string | undefined>;
}): Problem {
  const key = [o.at];
  const last = Math.min(o.lines.length - 1, o.at + o.block.maxLines);
  let to = o.at;
  for (let at = o.at + 1; at <= last; at++) {
    const body = o.lines[at]?.body ?? "";
    if (o.block.end.test(body)) break;
    to = at;
    for (const pattern of o.block.inside) {
      const fresh = Object.entries(pattern.exec(body)?.groups ?? {}).filter(
        ([name, value]) => value !== undefined && o.fields[name] === undefined,
      );
      if (fresh.length === 0) continue;
      Object.assign(o.fields, Object.fromEntries(fresh));
      key.push(at);
    }
  }
  while (to > o.at && o.lines[to]?.body.trim() === "") to--;
  const from = o.block.above === undefined ? o.at : readAbove({...o, above: o.block.above, key});
  const severity = severityOf(o.fields["severity"]) ?? o.block.severity ?? "error";
  return {
    diagnostic: diagnosticOf(o.tool, o.fields, severity),
    from,
    to,
    key: [...new Set(key)],
    isBlock: true,
  };
}

/** Reads the indented lines above a block's start, nearest first, so that the earliest match fills the fields. */
function readAbove(o: {
  lines: readonly Line[];
  at: number;
  above: RegExp;
  key: number[];
  fields: Record<string, string | undefined>;
}): number {
  let from = o.at;
  for (let at = o.at - 1; at >= Math.max(0, o.at - ABOVE_LINES); at--) {
    const body = o.lines[at]?.body ?? "";
    if (!/^\s+(?!---)\S/.test(body)) break;
    const groups = o.above.exec(body)?.groups;
    if (groups === undefined) continue;
    Object.assign(o.fields, groups);
    o.key.push(at);
    from = at;
  }
  return from;
}

function diagnosticOf(
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

/** A line without one of these cannot name a place in a file. */
const MAY_HAVE_PLACE = /[A-Za-z)\]>]\d?:[([ ]{0,2}\d|\w\(\d|line[ =]\d|\.\w{2,5}\s+\d/;

function lineProblems(o: {lines: readonly Line[]; rules: readonly ToolRules[]; taken: Uint8Array}): Problem[] {
  const names = new Map<string, {tool: string; unsaid: string; several: boolean; placed: boolean}>();
  const json = o.rules.flatMap((rules) =>
    (rules.lines ?? []).map((matcher, index) => {
      const name = `${rules.tool}#${index}#${names.size}`;
      const patterns = Array.isArray(matcher.pattern) ? matcher.pattern : [matcher.pattern];
      names.set(name, {
        tool: rules.tool,
        unsaid: rules.unsaid ?? "",
        several: patterns.length > 1,
        placed: patterns.length === 1 && patterns.some((pattern) => pattern.line !== undefined),
      });
      return {...matcher, name};
    }),
  );
  const matchers = parseProblemMatchersJson(json).map((matcher) => ({
    matcher,
    ...(names.get(matcher.name) ?? {tool: matcher.name, unsaid: "", several: false, placed: false}),
  }));
  const problems: Problem[] = [];
  const header = new Map<string, number>();
  o.lines.forEach((line, at) => {
    if (o.taken[at] === 1) return;
    const mayHavePlace = MAY_HAVE_PLACE.test(line.body);
    let seen = false;
    for (const {matcher, tool, unsaid, several, placed} of matchers) {
      // Forms of several lines keep their place in the file between calls, so they see every line.
      if ((seen && !several) || (placed && !mayHavePlace)) continue;
      const found = matcher.exec(`${line.body}\n`);
      if (found === false) continue;
      if (seen) continue;
      seen = true;
      problems.push({
        diagnostic: fromLibrary({tool, unsaid, found}),
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

function fromLibrary(o: {tool: string; unsaid: string; found: IProblem}): Diagnostic {
  const {tool, found} = o;
  return {
    tool,
    ...(found.file === undefined ? {} : {file: found.file.trim()}),
    ...(found.line === undefined ? {} : {line: found.line}),
    ...(found.column === undefined ? {} : {column: found.column}),
    ...(found.code === undefined ? {} : {code: found.code}),
    message: found.message.trim() || o.unsaid,
    severity: found.severity ?? "error",
  };
}
