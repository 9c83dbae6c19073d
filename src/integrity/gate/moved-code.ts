/** Knows whether the code of a deleted set-up file is in other files that run now. */
import type {InspectedChange} from "../source/inspected-change.ts";
import {isTestPath, SETUP} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {SETTING_RULES} from "./setting-rules.ts";

/** Keys that list files which run before the tests. */
const LISTS_SETUP = /(?:^| )(?:setupFiles|setupFilesAfterEnv|globalSetup|require|import|file)$/;
/** Imports, comments and ends of blocks: they do nothing by themselves. */
const NO_CODE = /^\s*(?:import\b|(?:const|let|var)\b[^=]*=\s*require\(|\/\/|\/?\*|[)\]};,]*$)|^\s*(?:["'])use strict/;
/** Code that makes tests fail has to run for all of them. */
const CHECKS = /expect|assert|throw|fail|error|reject|strict/i;
const VARIABLE = /^process\.env(?:\.(\w+)|\[["'](\w+)["']\])\s*=\s*["']?([^"';]*)["']?;?$/;

/** True if the list only lost files, and each of them has moved. */
export function hasMovedSetup(
  key: string,
  {before, after}: {readonly before: readonly string[] | undefined; readonly after: readonly string[] | undefined},
  change: InspectedChange,
): boolean {
  if (!LISTS_SETUP.test(key) || (after ?? []).some((item) => !(before ?? []).includes(item))) return false;
  const lost = (before ?? []).filter((item) => !(after ?? []).includes(item));
  return lost.length > 0 && lost.every((item) => isElsewhere(item.replace(/^(?:<rootDir>|\.)\//, ""), change));
}

function isElsewhere(path: string, {files}: InspectedChange): boolean {
  const file = files.find(({basePath, status}) => basePath.endsWith(path) && status === "deleted");
  if (file?.before == null) return false;
  const code = file.before.split("\n").filter((line) => !NO_CODE.test(line));
  if (code.some((line) => CHECKS.test(line))) return false;
  const addedTo = (isRead: (one: string) => boolean) =>
    files
      .filter((one) => isRead(one.path))
      .flatMap(({before, after}) => compareLines(before, after).added.map(({text}) => text.trim()));
  const run = new Set(addedTo((one) => isTestPath(one) || SETUP.test(one)));
  const settings = addedTo((one) => SETTING_RULES.some((rule) => rule.files.test(one))).join("\n");
  return code.every((line) => {
    const [, plain, quoted, value = ""] = VARIABLE.exec(line.trim()) ?? [];
    const name = plain ?? quoted;
    if (name !== undefined && new RegExp(String.raw`\b${name}["']?\s*[:=]\s*["']?${escaped(value)}\b`).test(settings))
      return true;
    return run.has(line.trim());
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
