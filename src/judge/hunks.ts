/** Chooses the parts of a diff that the judge needs, if the whole does not fit into its context. */
import {scoreByTfIdf} from "../specs/scorers/tf-idf.ts";

interface DiffPart {
  readonly path: string;
  /** the lines before the first hunk: mode, rename, binary */
  readonly head: string;
  /** the first line of the hunk in the new file; 0 without hunks */
  readonly line: number;
  readonly text: string;
}

/** A hunk, or a piece of a long one. */
const PART_CHARS = 2_500;
const LINE_CHARS = 300;
/** Files that follow from others. Their hunks come last. */
const DERIVED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock|dist|vendor|node_modules|__snapshots__)(?:\/|$)|\.(?:snap|min\.js|min\.css|map|svg)$/;

/** Files that show, test or describe the code. In a large change they are longer than the code that a reviewer needs. */
const ABOUT_CODE =
  /(?:^|\/)(?:__tests__|tests?|[\w.]+\.Tests|specs?|fixtures?|docs?|website|examples?|bench(?:es|marks?)?|\.github|\.changeset)\/|(?:[._-]|\b)(?:tests?|spec|tst)\.\w+$|(?:^|\/)test_[^/]*$|[a-z]Tests?\.\w+$|\.(?:md|markdown|rst|adoc|txt)$/i;

/** Code gets no more than this before each test and document has one hunk. */
const CODE_SHARE = 0.75;

/** The shown part of a diff, in its order, and the names of what was left out. */
export interface DiffExcerpt {
  readonly text: string;
  readonly cut: string[];
}

/**
 * At most `max` characters of the diff: the code, then a hunk of each test and document, then their rest. The hunks nearest to the
 * points come first.
 */
export function chooseHunks(options: {diff: string; points: readonly string[]; max: number}): DiffExcerpt {
  const parts = splitDiff(options.diff);
  const wholeDiff = render(parts);
  if (wholeDiff.length <= options.max) return {text: wholeDiff, cut: []};
  const texts = parts.map(({path, text}, at) => ({name: path, at, read: () => Buffer.from(text)}));
  const scores = new Map(scoreByTfIdf(options.points.join("\n"), texts).map(({spec, score}) => [spec.at, score]));
  const rank = parts.map(({path}) => (DERIVED.test(path) ? 2 : ABOUT_CODE.test(path) ? 1 : 0));
  const order = (one: number, other: number) =>
    (rank[one] ?? 0) - (rank[other] ?? 0) || (scores.get(other) ?? 0) - (scores.get(one) ?? 0);
  const ranked = [...parts.keys()].sort(order);
  const seenPaths = new Set<string>();
  const firsts = ranked.filter((at) => {
    const {path = ""} = parts[at] ?? {};
    return rank[at] !== 2 && !seenPaths.has(path) && seenPaths.add(path);
  });
  const ofCode = (some: readonly number[]) => some.filter((at) => rank[at] === 0);
  const chosenIndices = new Set<number>();
  let length = 0;
  const add = (some: readonly number[], max: number): void => {
    for (const at of some) {
      const part = parts[at];
      if (part === undefined || chosenIndices.has(at)) continue;
      const size = part.text.length + part.head.length + 2;
      if (length + size > max) continue;
      length += size;
      chosenIndices.add(at);
    }
  };
  add([...ofCode(firsts), ...ofCode(ranked)], rank.includes(1) ? options.max * CODE_SHARE : options.max);
  add([...firsts, ...ranked], options.max);
  return {
    text: render(parts.filter((_, at) => chosenIndices.has(at))),
    cut: nameParts(parts.filter((_, at) => !chosenIndices.has(at))),
  };
}

/** `git diff` output as parts of bounded size. Lines of a file never begin with `diff --git`, as each has a mark before it. */
function splitDiff(diff: string): DiffPart[] {
  return diff.split(/^(?=diff --git )/m).flatMap((file): DiffPart[] => {
    if (!file.startsWith("diff --git ")) return [];
    const [first = "", ...hunks] = file.split(/^(?=@@ )/m);
    const head = clipLines(first);
    const path = pathOf(first);
    if (hunks.length === 0) return [{path, head, line: 0, text: ""}];
    return hunks.flatMap((hunk) => splitHunk(hunk).map((part) => ({path, head, ...part})));
  });
}

function pathOf(head: string): string {
  const [, to] = /^\+\+\+ "?b\/(.*?)"?\t?$/m.exec(head) ?? [];
  const [, from] = /^--- "?a\/(.*?)"?\t?$/m.exec(head) ?? [];
  return to ?? from ?? /^rename to (.*)$/m.exec(head)?.[1] ?? /^diff --git "?a\/(.*?)"? /.exec(head)?.[1] ?? "";
}

function splitHunk(hunk: string): {line: number; text: string}[] {
  let line = Number(/^@@ -\S+ \+(\d+)/.exec(hunk)?.[1] ?? 1);
  const parts: {line: number; text: string}[] = [];
  let current = {line, lines: [] as string[], length: 0};
  for (const raw of hunk.trimEnd().split("\n")) {
    const text = clipLine(raw);
    if (current.length + text.length > PART_CHARS && current.lines.length > 0) {
      parts.push({line: current.line, text: current.lines.join("\n")});
      const start = `@@ from line ${line} @@`;
      current = {line, lines: [start], length: start.length};
    }
    current.lines.push(text);
    current.length += text.length + 1;
    if (raw.startsWith("+") || raw.startsWith(" ")) line++;
  }
  return [...parts, {line: current.line, text: current.lines.join("\n")}];
}

const clipLine = (line: string): string =>
  line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS)} [… ${line.length - LINE_CHARS} characters left out]`;

const clipLines = (text: string): string => text.trimEnd().split("\n").map(clipLine).join("\n");

/** Joins the parts into a diff, with each file's header once, before its first part. */
function render(parts: readonly DiffPart[]): string {
  return parts
    .map((part, at) => (parts[at - 1]?.head === part.head ? part.text : `${part.head}\n${part.text}`).trimEnd())
    .join("\n");
}

function nameParts(parts: readonly DiffPart[]): string[] {
  const lines = new Map<string, number[]>();
  for (const {path, line} of parts) lines.set(path, [...(lines.get(path) ?? []), line]);
  return [...lines].map(([path, starts]) => {
    const firstLines = starts.slice(0, 5).join(", ");
    const remainder = starts.length > 5 ? ` and ${starts.length - 5} more` : "";
    return starts[0] === 0 ? path : `${path} from line ${firstLines}${remainder}`;
  });
}
