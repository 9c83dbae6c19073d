/** Check: tests and configuration without a reader of their own, compared line by line. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {filesOf} from "../../tools/all-integrity.ts";
import {findInUnread} from "../changed-tests/unread-tests.ts";
import {isConfiguredNextTo} from "../gate/configured-options.ts";
import {type LineScope, type WeakLine, weakerLines} from "../gate/gate-lines.ts";
import {alignLists} from "../gate/list-forms.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isOtherTest, isTestData, isTestPath} from "../source/kinds.ts";

/** Configuration whose every line is about checks. */
const GATE_FILES = filesOf(
  "lineFiles",
  /[\w.-]+\.runsettings|\.clang-tidy|\.credo\.exs|dart_test\.yaml|analysis_options\.yaml|bunfig\.toml|detekt[\w-]*\.ya?ml|\.?codecov\.ya?ml|\.?testcoverage\.ya?ml|\.pre-commit-config\.yaml|\.?clippy\.toml|deny\.toml|\.swiftlint\.ya?ml/,
);
/** Files with lines about checks, and others. */
const MIXED_FILES = new RegExp(
  `${
    filesOf(
      "mixedFiles",
      /[\w.-]+\.(?:csproj|fsproj|props|targets)|\.editorconfig|mix\.exs|build\.gradle(?:\.kts)?|Rakefile|(?:spec|test|rails)_helper\.\w+|noxfile\.py|tox\.ini|setup\.cfg/,
    ).source
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
  if (scope === "commands" && isConfiguredNextTo(file, change)) return [];
  const weak = /\.(?:ya?ml|toml)$/.test(path)
    ? weakerLists(before ?? "", after, scope)
    : weakerLines(before ?? "", after, scope);
  if (weak === null) return [];
  const fix = "Restore the setting, and correct the code that it complains about.";
  return [{check: "settings", level: "flag", path, line: weak.line, message: weak.what, fix}];
}

/** The same for files that can write a list in several ways. */
function weakerLists(before: string, after: string, scope: LineScope): WeakLine | null {
  const aligned = alignLists(before, after);
  const weak = weakerLines(aligned.before, aligned.after, scope);
  return weak && {...weak, line: weak.line === null ? null : (aligned.numbers[weak.line - 1] ?? null)};
}

function scopeOf(path: string): LineScope | null {
  if (EXCLUSION_FILES.test(path)) return "exclusions";
  if (GATE_FILES.test(path)) return "gate";
  if (MIXED_FILES.test(path)) return "mixed";
  if (COMMAND_FILES.test(path)) return "commands";
  return isTestPath(path) || isOtherTest(path) ? "tests" : null;
}
