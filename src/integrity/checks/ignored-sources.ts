/** Finds tracked code in lists of ignored files, which many tools read to find what they check. A part of `settings`. */
import {Minimatch} from "minimatch";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated} from "../source/kinds.ts";

/** Lists for git. Those of single tools are compared line by line. */
export const IGNORE_FILE = /(?:^|\/)\.(?:git)?ignore$/;

export const ignoredSources = (change: InspectedChange): IntegrityFinding[] =>
  change.files
    .filter(({path, after}) => IGNORE_FILE.test(path) && after !== null)
    .flatMap((file) => hidden(file, change));

function hidden({path, before, after}: InspectedFile, {codePaths = []}: InspectedChange): IntegrityFinding[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [earlier, current] = [before ?? "", after ?? ""].map((text) => entriesOf(text, folder));
  const isIgnored = (entries: readonly IgnoreEntry[] | undefined, file: string) =>
    entries?.findLast(({globs}) => globs.some((glob) => glob.match(file)))?.isExcluded === true;
  const lost = codePaths.filter((file) => !isGenerated(file) && isIgnored(current, file) && !isIgnored(earlier, file));
  const [first] = lost;
  if (first === undefined) return [];
  const entry = current?.find(({globs}) => globs.some((glob) => glob.match(first)));
  const line = (after ?? "").split("\n").findIndex((text) => text.trim() === entry?.text) + 1;
  const others = lost.length === 1 ? "" : ` and ${lost.length - 1} more`;
  const message = `\`${entry?.text}\` hides \`${first}\`${others} from tools that leave out ignored files, although git tracks it`;
  const fix = "Do not ignore files that are tracked.";
  return [{check: "settings", level: "flag", path, line: line || null, message, fix}];
}

interface IgnoreEntry {
  readonly text: string;
  readonly isExcluded: boolean;
  readonly globs: readonly Minimatch[];
}

const MAX_ENTRIES = 300;

/** A pattern with a slash before its end is relative to its folder, any other fits at each depth (git-scm.com/docs/gitignore). */
function entriesOf(text: string, folder: string): IgnoreEntry[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, MAX_ENTRIES)
    .map((line) => {
      const pattern = line.replace(/^!/, "").replace(/\/$/, "");
      const glob = `${folder}${pattern.includes("/") ? "" : "**/"}${pattern.replace(/^\//, "")}`;
      const options = {dot: true, nocomment: true, nonegate: true};
      return {
        text: line,
        isExcluded: !line.startsWith("!"),
        globs: [...(line.endsWith("/") ? [] : [new Minimatch(glob, options)]), new Minimatch(`${glob}/**`, options)],
      };
    });
}
