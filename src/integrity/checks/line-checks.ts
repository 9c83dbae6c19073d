/** Check: tests and configuration without a reader of their own, compared line by line. */

import {posix} from "node:path";
import type {IntegrityFinding} from "../../record/finding.ts";
import {isConfiguration} from "../../tools/configuration-files.ts";
import {isAboutChecks, isPartlyAboutChecks} from "../../tools/integrity-names.ts";
import {nameSet} from "../../tools/names.ts";
import {findInUnread} from "../changed-tests/unread-tests.ts";
import {type LineScope, weakerLines} from "../gate/gate-lines.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isOtherTest, isTestData, isTestPath} from "../source/kinds.ts";

const COMMAND_FILES = /(?:^|\/)(?:(?:package|composer)\.json|[Jj]ustfile|[Mm]akefile|Taskfile\.ya?ml|[\w.-]+\.sh)$/;
/** Files that list what a tool does not report. */
const EXCLUSION_LIST =
  /(?:baseline|_todo|dialyzer_ignore)[^/]*\.(?:neon|ya?ml|xml|exs)$|(?:^|\/)\.\w*(?:lint|pretti|format)\w*ignore$/i;
const EXCLUSION_NAMES = nameSet("eslint-suppressions.json mypy-baseline.txt");

export function lineFindings(change: InspectedChange): IntegrityFinding[] {
  return [...findInUnread(change), ...change.files.flatMap((file) => weakerSettings(file, change))];
}

function weakerSettings(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  const scope = scopeOf(basePath);
  if (scope === null || isGenerated(path) || (isTestData(path) && scope !== "tests") || after === null) return [];
  if (before === null && scope !== "exclusions") return [];
  if (scope === "commands" && change.files.some((one) => one !== file && isConfiguration(one.path))) return [];
  const weak = weakerLines(before ?? "", after, scope);
  if (weak === null) return [];
  const fix = "Restore the setting, and correct the code that it complains about.";
  return [{check: "settings", level: "flag", path, line: weak.line, message: weak.what, fix}];
}

function scopeOf(path: string): LineScope | null {
  const name = posix.basename(path);
  const isExclusions = EXCLUSION_NAMES.has(name) || path.endsWith(".basedpyright/baseline.json");
  if (isExclusions || EXCLUSION_LIST.test(path)) return "exclusions";
  if (isAboutChecks(name)) return "gate";
  if (isPartlyAboutChecks(name)) return "mixed";
  if (COMMAND_FILES.test(path)) return "commands";
  return isTestPath(path) || isOtherTest(path) ? "tests" : null;
}
