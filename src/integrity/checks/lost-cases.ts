/** Finds cases of tests that are gone from a folder or a list of data. A part of the check `snapshots`. */
import {posix} from "node:path";
import {parse as parseJson} from "jsonc-parser";
import {DEFAULT_CODE_EXTENSIONS} from "../../changes/path-lists.ts";
import {groupBy} from "../../diagnostics/group-duplicates.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isSource} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

/** Folders whose files tests read one after the other. */
const FOLDERS =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|(?:test[-_]?)?cases|fixtures?|__fixtures__|expected|goldens?|corpus|seeds|samples)\//i;

/** Data: the code in these folders is compared as tests or as support code. */
export const isCaseFile = (path: string): boolean =>
  FOLDERS.test(path) && (DATA_LANGUAGES.test(path) || !DEFAULT_CODE_EXTENSIONS.includes(posix.extname(path)));
const DATA_LANGUAGES = /\.(?:html|css|sql|graphql|proto)$/;

const FIX = "Restore it, or remove the behavior that it tests in the same change.";

export function lostCases(change: InspectedChange): IntegrityFinding[] {
  if (hasLessCode(change.files)) return [];
  return [...lostFiles(change), ...lostRows(change.files)].slice(0, 3);
}

/** A test that reads a folder does not mention its files, so it does not notice that one is gone. */
function lostFiles({files, dataPaths = []}: InspectedChange): IntegrityFinding[] {
  const lost = files.filter(
    ({path, basePath, status}) =>
      isCaseFile(basePath) && (status === "deleted" || (status === "renamed" && isOutOfSight(path, basePath))),
  );
  if (lost.length === 0) return [];
  const texts = changedText(files);
  return [...groupBy(lost, ({basePath}) => posix.dirname(basePath))].flatMap(([folder, gone]) => {
    const fresh = files.filter(({path, status}) => status === "added" && posix.dirname(path) === folder);
    const isOld = (path: string) => !files.some((one) => one.path === path && one.status === "added");
    const inFolder = dataPaths.filter((path) => posix.dirname(path) === folder && isOld(path));
    const others =
      inFolder.length > 0 ? inFolder : inCaseFolders(gone, {folder, texts, paths: dataPaths.filter(isOld)});
    const silent = gone.filter(
      ({path, basePath, status}) =>
        others.some((one) => isAlike(one, basePath)) &&
        !isMentioned(basePath, texts) &&
        !(
          status === "renamed" &&
          [posix.basename(posix.dirname(path)), posix.extname(path)].some(
            (word) => word !== "" && !basePath.includes(word) && texts.includes(word),
          )
        ),
    );
    const [first] = silent;
    if (first === undefined || fresh.length >= gone.length) return [];
    const names = silent.length === 1 ? "A case is" : `${silent.length} cases are`;
    const message = `${names} gone from \`${folder}\`, where others remain: \`${posix.basename(first.basePath)}\``;
    const path = first.status === "deleted" ? first.basePath : first.path;
    return [{check: "snapshots", level: "flag", path, line: null, message, fix: FIX} satisfies IntegrityFinding];
  });
}

/** The same files of the other cases, if each case has a folder and this one is gone without a word. */
function inCaseFolders(
  gone: readonly InspectedFile[],
  {folder, texts, paths}: {readonly folder: string; readonly texts: string; readonly paths: readonly string[]},
): string[] {
  const parent = posix.dirname(folder);
  const isRenamed = gone.some(({path, status}) => status === "renamed" && grandparent(path) === parent);
  if (!FOLDERS.test(`${parent}/`) || isRenamed || isMentioned(folder, texts)) return [];
  const names = new Set(gone.map(({basePath}) => posix.basename(basePath)));
  return paths.filter((path) => grandparent(path) === parent && names.has(posix.basename(path)));
}

const grandparent = (path: string): string => posix.dirname(posix.dirname(path));

/** In another folder, or with another ending. */
const isOutOfSight = (path: string, basePath: string): boolean =>
  posix.dirname(path) !== posix.dirname(basePath) || posix.extname(path) !== posix.extname(basePath);

/** Another case, or another part of the same case. */
function isAlike(one: string, other: string): boolean {
  const stem = (path: string) => posix.basename(path).split(".", 1)[0];
  return posix.extname(one) === posix.extname(other) || stem(one) === stem(other);
}

function isMentioned(path: string, texts: string): boolean {
  const name = posix.basename(path);
  const [stem = name] = name.split(".", 1);
  return texts.includes(name) || ['"', "'", "`", "/"].some((quote) => texts.includes(`${quote}${stem}`));
}

/** Lists of values in data, over all changed files, because rows can move from one to another. */
function lostRows(files: readonly InspectedFile[]): IntegrityFinding[] {
  const lists = files.filter(({path, basePath}) => isCaseFile(path) && isCaseFile(basePath));
  const counts = lists.map((file) => ({
    file,
    before: rowsOf(file.basePath, file.before),
    after: rowsOf(file.path, file.after),
  }));
  const total = (key: "before" | "after") => counts.reduce((sum, one) => sum + (one[key] ?? 0), 0);
  if (total("after") >= total("before")) return [];
  return counts.flatMap(({file: {path}, before, after}) => {
    if (before === null || after === null || after >= before) return [];
    const message = `${before - after} ${before - after === 1 ? "row is" : "rows are"} gone from the data of tests`;
    return [{check: "snapshots", level: "flag", path, line: null, message, fix: FIX} satisfies IntegrityFinding];
  });
}

/** Null for data without rows. */
function rowsOf(path: string, text: string | null): number | null {
  if (text === null) return null;
  if (/\.(?:csv|tsv|jsonl|ndjson)$/.test(path)) return text.split("\n").filter((line) => line.trim() !== "").length;
  if (/\.ya?ml$/.test(path)) return text.match(/^- /gm)?.length ?? null;
  if (!/\.json[5c]?$/.test(path)) return null;
  const value: unknown = parseJson(text);
  return Array.isArray(value) ? value.length : null;
}

/** The cases of removed code may go with it. */
function hasLessCode(files: readonly InspectedFile[]): boolean {
  const sources = files.filter(({path, basePath}) => isSource(path) || isSource(basePath));
  const length = (key: "before" | "after") => sources.reduce((sum, file) => sum + (file[key]?.length ?? 0), 0);
  const lost = length("before") - length("after");
  return sources.some(({status}) => status === "deleted") || lost > Math.max(200, 0.05 * length("before"));
}

/** The lines that the change adds and removes outside of data and documents. */
function changedText(files: readonly InspectedFile[]): string {
  return files
    .filter(({path}) => !isCaseFile(path) && !/\.(?:md|rst|adoc)$/.test(path))
    .flatMap(({before, after}) => Object.values(compareLines(before, after)).flat())
    .map(({text}) => text)
    .join("\n");
}
