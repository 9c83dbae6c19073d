/** Check: tests and configuration without a reader of their own, compared line by line. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {filesOf} from "../../tools/all-integrity.ts";
import {isConfiguration} from "../../tools/configuration-files.ts";
import {findInUnread} from "../changed-tests/unread-tests.ts";
import {type LineScope, weakerLines} from "../gate/gate-lines.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isOtherTest, isTestData, isTestPath} from "../source/kinds.ts";

/** Configuration whose every line is about checks. */
const GATE_FILES = filesOf("lineFiles", /\.credo\.exs/);
/** Files with lines about checks, and others. */
const MIXED_FILES = new RegExp(
  `${
    filesOf("mixedFiles", /mix\.exs|build\.gradle(?:\.kts)?|Rakefile|(?:spec|test|rails)_helper\.\w+|noxfile\.py/)
      .source
  }|^\\.github\\/workflows\\/[^/]+$`,
);
const COMMAND_FILES = /(?:^|\/)(?:(?:package|composer)\.json|[Jj]ustfile|[Mm]akefile|Taskfile\.ya?ml|[\w.-]+\.sh)$/;
/** Files that list what a tool does not report. */
const EXCLUSION_FILES =
  /(?:^|\/)[^/]*(?:baseline|_todo|dialyzer_ignore)[^/]*\.(?:neon|ya?ml|xml|exs)$|(?:^|\/)(?:eslint-suppressions\.json|mypy-baseline\.txt|\.\w*(?:lint|pretti|format)\w*ignore|\.basedpyright\/baseline\.json)$/i;

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
  if (EXCLUSION_FILES.test(path)) return "exclusions";
  if (GATE_FILES.test(path)) return "gate";
  if (MIXED_FILES.test(path)) return "mixed";
  if (COMMAND_FILES.test(path)) return "commands";
  return isTestPath(path) || isOtherTest(path) ? "tests" : null;
}
