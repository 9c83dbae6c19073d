/** The shape in which a tool's way of reporting is written down: data that `problems.ts` runs over a log. */
import type {IProblemMatcherJson, IProblemPattern} from "@rushstack/problem-matcher";
import type {Diagnostic} from "../record/evidence.ts";

/** A failure that a tool prints over several lines, described by how it starts, how it ends and what stands inside. */
export interface Block {
  readonly start: RegExp;
  /** the first line that is no longer part of the block */
  readonly end: RegExp;
  /** before the first line like this one no blank line ends the block: messages have blank lines */
  readonly blankUntil?: RegExp;
  readonly maxLines: number;
  /** tried on every line of the block; a named group fills its field unless an earlier match did */
  readonly inside: readonly RegExp[];
  readonly severity?: Diagnostic["severity"];
  /** tried on the indented lines directly above the start, for tools that print the reason before the name */
  readonly above?: RegExp;
  /** where each of them fits a line of the block it tells no failure of its own, such as a suite whose tests are told one by one */
  readonly unless?: readonly RegExp[];
  /** for starts that lists of names have too: without a message inside it is no block */
  readonly needsMessage?: true;
}

/** How one tool, or a family that prints alike, reports. */
export interface ToolRules {
  readonly tool: string;
  /** the message of a problem that the tool prints without one */
  readonly unsaid?: string;
  /** strings of which at least one stands in every output of the tool; none: the rules are always tried */
  readonly signs: readonly string[];
  readonly lines?: readonly Omit<IProblemMatcherJson, "name">[];
  readonly blocks?: readonly Block[];
}

/** What the first line of each of the tool's reports looks like, as the sources of patterns. */
export function startsOf({blocks = [], lines = []}: ToolRules): string[] {
  return [...blocks.map(({start}) => start.source), ...lines.map(firstOf)];
}

/** The source of the pattern that a form of one or of several lines starts with. */
export function firstOf({pattern}: Omit<IProblemMatcherJson, "name">): string {
  return (Array.isArray(pattern) ? pattern[0]?.regexp : pattern.regexp) ?? "";
}

const FIELDS = ["file", "line", "column", "severity", "code"] as const;

/** A problem on one line. Takes a pattern whose groups are named file, line, column, severity, code and message. */
export function form(pattern: RegExp, severity: Diagnostic["severity"] = "error"): Omit<IProblemMatcherJson, "name"> {
  return {severity, pattern: patternOf(pattern)};
}

/** Problems under a header line that names the file: the last pattern repeats. */
export function headed(
  patterns: readonly RegExp[],
  severity: Diagnostic["severity"] = "error",
): Omit<IProblemMatcherJson, "name"> {
  const all = patterns.map(patternOf);
  return {severity, pattern: all.map((one, at) => (at === all.length - 1 ? {...one, loop: true} : one))};
}

/** A problem told over several lines that follow each other directly. */
export function sequence(patterns: readonly RegExp[]): Omit<IProblemMatcherJson, "name"> {
  return {severity: "error", pattern: patterns.map(patternOf)};
}

/** Counts the groups of a pattern, because the library wants their numbers. */
function patternOf(pattern: RegExp): IProblemPattern {
  const groups = [...pattern.source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)|\(\?<([a-z]\w*)>/gi)].filter(([text]) =>
    text.startsWith("("),
  );
  const index = (name: string): number => groups.findIndex((group) => group[1] === name) + 1;
  const known = FIELDS.flatMap((name) => (index(name) > 0 ? [[name, index(name)] as const] : []));
  return {regexp: pattern.source, ...Object.fromEntries(known), message: index("message")};
}
