/** Finds tracked code in lists of ignored files, which many tools read to find what they check. A part of `settings`. */
import {Minimatch} from "minimatch";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

/** Lists for git. Those of single tools are compared line by line. */
export const IGNORE_FILE = /(?:^|\/)\.(?:git)?ignore$/;

const FIX = "Do not ignore files that are tracked.";

export const ignoredSources = (change: InspectedChange): IntegrityFinding[] =>
  change.files
    .filter(({path, after}) => IGNORE_FILE.test(path) && after !== null)
    .flatMap((file) => hidden(file, change));

function hidden({path, before, after}: InspectedFile, {codePaths = []}: InspectedChange): IntegrityFinding[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const {added, removed} = compareLines(before, after);
  const changedLines = [...added, ...removed].map(({text}) => text.trim()).filter((line) => !line.startsWith("#"));
  if (changedLines.length > MAX_ENTRIES) {
    const message = "Too many patterns changed to compare which files they hide";
    return [{check: "settings", level: "flag", path, line: null, message, fix: FIX}];
  }
  const [earlier, current] = [before ?? "", after ?? ""].map((text) => entriesOf(text, {folder, changedLines}));
  const isIgnored = (entries: readonly IgnoreEntry[] | undefined, file: string) =>
    entries?.findLast(({globs}) => globs.some((glob) => glob.match(file)))?.isExcluded === true;
  const changed = [...(earlier ?? []), ...(current ?? [])].filter(({text}) => changedLines.includes(text));
  // Without a changed line, the order is another.
  const mayChange = (file: string) =>
    changed.length === 0 || changed.some(({globs}) => globs.some((glob) => glob.match(file)));
  const lost = codePaths.filter(
    (file) => !isGenerated(file) && mayChange(file) && isIgnored(current, file) && !isIgnored(earlier, file),
  );
  const [first] = lost;
  if (first === undefined) return [];
  const entry = current?.find(({globs}) => globs.some((glob) => glob.match(first)));
  const line = (after ?? "").split("\n").findIndex((text) => text.trim() === entry?.text) + 1;
  const others = lost.length === 1 ? "" : ` and ${lost.length - 1} more`;
  const message = `\`${entry?.text}\` hides \`${first}\`${others} from tools that leave out ignored files, although git tracks it`;
  return [{check: "settings", level: "flag", path, line: line || null, message, fix: FIX}];
}

interface IgnoreEntry {
  readonly text: string;
  readonly isExcluded: boolean;
  readonly globs: readonly Minimatch[];
}

/** Longer lists and patterns are not compared in full, which bounds the time. */
const MAX_ENTRIES = 1000;
const MAX_PATTERN_CHARS = 200;
/** Git knows no braces and no groups. */
const OPTIONS = {dot: true, nocomment: true, nonegate: true, nobrace: true, noext: true};

/** A pattern with a slash before its end is relative to its folder, any other fits at each depth (git-scm.com/docs/gitignore). */
function entriesOf(text: string, {folder, changedLines}: {folder: string; changedLines: string[]}): IgnoreEntry[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && line.length <= MAX_PATTERN_CHARS);
  // The changed lines come first, so that no number of other lines hides them.
  const present = new Set(lines);
  const compared = new Set([...changedLines.filter((line) => present.has(line)), ...lines].slice(0, MAX_ENTRIES));
  return (
    lines
      .toReversed()
      // Of equal lines, the last counts.
      .filter((line) => compared.delete(line))
      .toReversed()
      .map((line) => {
        const pattern = line.replace(/^!/, "").replace(/\/$/, "");
        const glob = `${folder}${pattern.includes("/") ? "" : "**/"}${pattern.replace(/^\//, "")}`;
        return {
          text: line,
          isExcluded: !line.startsWith("!"),
          globs: [...(line.endsWith("/") ? [] : [new Minimatch(glob, OPTIONS)]), new Minimatch(`${glob}/**`, OPTIONS)],
        };
      })
  );
}
