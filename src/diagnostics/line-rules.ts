/** Translates the line rules of the tools for the problem-matcher library. */
import {
  type IProblemMatcher,
  type IProblemMatcherJson,
  type IProblemPattern,
  parseProblemMatchersJson,
} from "@rushstack/problem-matcher";
import type {LineRule, Tool} from "../tools/tool.ts";

const FIELDS = ["file", "line", "column", "severity", "code"] as const;

/** The sources of the patterns that the first line of each of the tool's problems matches. */
export function startsOf({output}: Pick<Tool, "output">): string[] {
  const {blocks = [], lines = []} = output ?? {};
  return [...blocks.map(({start}) => start.source), ...lines.map((line) => patternsOf(line)[0]?.source ?? "")];
}

/** One pattern for each line of the problem. */
export const patternsOf = (line: RegExp | LineRule): readonly RegExp[] =>
  line instanceof RegExp ? [line] : line.patterns;

export function matcherOf(tool: string, line: RegExp | LineRule): IProblemMatcher | undefined {
  const rule: LineRule = line instanceof RegExp ? {patterns: [line]} : line;
  const pattern = rule.patterns.map(numbered);
  const lastPattern = pattern.at(-1);
  if (rule.isList === true && lastPattern !== undefined) pattern[pattern.length - 1] = {...lastPattern, loop: true};
  const json: IProblemMatcherJson = {name: tool, severity: rule.severity ?? "error", pattern};
  return parseProblemMatchersJson([json])[0];
}

/** The library wants the numbers of the groups. */
function numbered({source}: RegExp): IProblemPattern {
  const groups = [...source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)|\(\?<([a-z]\w*)>/gi)].filter(([text]) =>
    text.startsWith("("),
  );
  const index = (name: string): number => groups.findIndex((group) => group[1] === name) + 1;
  const fields = FIELDS.flatMap((name) => (index(name) > 0 ? [[name, index(name)] as const] : []));
  return {regexp: source, ...Object.fromEntries(fields), message: index("message")};
}
