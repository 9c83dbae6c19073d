/** Splits a diff into parts of limited size, and ranks them by their importance for a reviewer. */
import {nameSet} from "../tools/names.ts";

/** Lines of a diff, with their marks. */
export type DiffLines = readonly string[];

/** A hunk, or a piece of a long one. */
export interface DiffPart {
  readonly path: string;
  /** the lines before the first hunk: mode, rename, binary */
  readonly head: string;
  /** the first line of the part in the new file; 0 without hunks */
  readonly line: number;
  readonly kind: "code" | "about-code" | "derived";
  /** the first may be a hunk's header */
  readonly lines: DiffLines;
}

const PART_CHARS = 2_500;

/** Files that are derived from others. */
const DERIVED = nameSet(
  "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock go.sum",
  "poetry.lock Pipfile.lock pdm.lock uv.lock composer.lock Gemfile.lock mix.lock Package.resolved flake.lock",
  "gradle.lockfile dist vendor node_modules __snapshots__ __generated__",
);
const DERIVED_NAME = /\.(?:snap|min\.js|min\.css|map|svg|pb\.go|g\.dart|generated\.\w+)$|_pb2\.pyi?$/;
/** Header lines of generated files. The Go form: https://go.dev/s/generatedcode */
const GENERATED =
  /@generated\b|Code generated .{1,200} DO NOT EDIT|auto-?generated (?:file|by|code)|file (?:is|was) auto-?generated/i;
const TOP_LINES = 20;
const TOP_LINE_CHARS = 400;

/**
 * Files that show, test or describe the code. In a large change they are longer than the code that a reviewer needs.
 */
const ABOUT_CODE = nameSet(
  "__tests__ test tests spec specs fixture fixtures doc docs website example examples bench benches benchmark",
  "benchmarks .github .changeset",
);
const ABOUT_CODE_NAME =
  /(?:[._-]|\b)(?:tests?|spec|tst)\.\w+$|^test_[^/]*$|[a-z]Tests?\.\w+$|\.(?:md|markdown|rst|adoc|txt)$/i;

const LINE_BREAK = /\r(?!\n)|[\u0085\u2028\u2029]/;

/**
 * Shows the line breaks that git does not treat as such: code after them looks like part of the comment before them.
 * Each new line has the mark of its line.
 */
export function showLineBreaks(diff: string): string {
  if (!LINE_BREAK.test(diff)) return diff;
  const withBreaks = (line: string) => line.split(LINE_BREAK).join(`\n${/^[+-]/.exec(line)?.[0] ?? " "}`);
  // A carriage return at the end of a line belongs to the line break that git sees.
  return diff
    .split("\n")
    .map((line) => (line.endsWith("\r") ? `${withBreaks(line.slice(0, -1))}\r` : withBreaks(line)))
    .join("\n");
}

/**
 * `git diff` output as parts. Lines of a file never begin with `diff --git`, as each has a mark before it. The patterns
 * have no flag `m`: for it, a line also begins after U+2028 in a line of a file.
 */
export function splitDiff(diff: string): DiffPart[] {
  return diff.split(/\n(?=diff --git )/).flatMap((file): DiffPart[] => {
    if (!file.startsWith("diff --git ")) return [];
    const [first = "", ...hunks] = file.split(/\n(?=@@ )/);
    const head = first.trimEnd();
    const path = pathOf(first);
    const facts = {path, head, kind: kindOf(path, hunks[0] ?? "")};
    if (hunks.length === 0) return [{...facts, line: 0, lines: []}];
    return hunks.flatMap((hunk) => splitHunk(hunk).map((part) => ({...facts, ...part})));
  });
}

function kindOf(path: string, firstHunk: string): DiffPart["kind"] {
  const top = /^@@ -[01](?:,\d+)? /.test(firstHunk) ? firstHunk.split("\n", TOP_LINES) : [];
  const isGenerated = top.some((line) => /^[+ ]/.test(line) && GENERATED.test(line.slice(0, TOP_LINE_CHARS)));
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  if (isGenerated || DERIVED_NAME.test(name) || parts.some((part) => DERIVED.has(part))) return "derived";
  const folders = parts.slice(0, -1).map((folder) => folder.toLowerCase());
  const isInTests = folders.some((folder) => ABOUT_CODE.has(folder) || folder.endsWith(".tests"));
  return isInTests || ABOUT_CODE_NAME.test(name) ? "about-code" : "code";
}

function pathOf(head: string): string {
  const lines = head.split("\n");
  const find = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]).find((path) => path !== undefined);
  const to = find(/^\+\+\+ "?b\/(.*?)"?\t?$/);
  return to ?? find(/^--- "?a\/(.*?)"?\t?$/) ?? find(/^rename to (.*)$/) ?? find(/^diff --git "?a\/(.*?)"? /) ?? "";
}

function splitHunk(hunk: string): {line: number; lines: string[]}[] {
  let line = Number(/^@@ -\S+ \+(\d+)/.exec(hunk)?.[1] ?? 1);
  const parts: {line: number; lines: string[]}[] = [];
  let current = {line, lines: [] as string[], length: 0};
  for (const text of hunk.trimEnd().split("\n")) {
    if (current.length + text.length > PART_CHARS && current.lines.length > 0 && !isInPair(current.lines, text)) {
      parts.push({line: current.line, lines: current.lines});
      const start = `@@ from line ${line} @@`;
      current = {line, lines: [start], length: start.length};
    }
    current.lines.push(text);
    current.length += Math.min(text.length, PART_CHARS) + 1;
    if (text.startsWith("+") || text.startsWith(" ")) line++;
  }
  return [...parts, {line: current.line, lines: current.lines}];
}

/** A removed line and its replacement stay together. */
const isInPair = (lines: readonly string[], next: string): boolean =>
  next.startsWith("+") && (lines.at(-1)?.startsWith("-") ?? false);

/** Joins the parts into a diff, with each file's header once, before its first part. */
export function renderDiff(parts: readonly DiffPart[]): string {
  return parts
    .map(({head, lines}, at) => (parts[at - 1]?.head === head ? lines : [head, ...lines]).join("\n").trimEnd())
    .join("\n");
}

/** The paths of parts, each with the first lines of its parts. */
export function nameParts(parts: readonly Pick<DiffPart, "path" | "line">[]): string[] {
  const linesByPath = new Map<string, number[]>();
  for (const {path, line} of parts) {
    const linesOfPath = linesByPath.get(path);
    if (linesOfPath === undefined) linesByPath.set(path, [line]);
    else linesOfPath.push(line);
  }
  return [...linesByPath].map(([path, starts]) => {
    const firstLines = starts.slice(0, 5).join(", ");
    const remainder = starts.length > 5 ? ` and ${starts.length - 5} more` : "";
    return starts[0] === 0 ? path : `${path} from line ${firstLines}${remainder}`;
  });
}
