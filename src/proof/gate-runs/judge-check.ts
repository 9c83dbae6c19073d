/** Decides whether a linter or a type check that fails as on the base is a finding. */
import {posix} from "node:path";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isTestPath} from "../../integrity/source/kinds.ts";
import type {Diagnostic, StageResult} from "../../record/evidence.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {listSome} from "../../record/words.ts";

const MAX_SHOWN = 3;

/**
 * `result`: the failed run with the base's configuration; `base`: the run on the base, null if there is none. A flag, so
 * that a person decides: the request may ask for the exception.
 */
export function judgeCheck({
  result,
  base,
  change,
  touched,
}: {
  result: StageResult;
  base: StageResult | null;
  change: InspectedChange;
  touched: TestChange;
}): IntegrityFinding[] {
  if (base !== null && base.outcome !== "passed") return [];
  const files = [...touched.checks, ...touched.dependencies];
  const names = listSome(
    files.map(({path}) => `\`${path}\``),
    MAX_SHOWN,
  );
  const allErrors = result.diagnostics.filter(({severity}) => severity === "error");
  const errorsOfTools = allErrors.filter(({tool}) => tool !== "make");
  const errors = errorsOfTools.length > 0 ? errorsOfTools : allErrors;
  const shown = errors.length > 0 ? listSome(errors.map(worded), MAX_SHOWN) : firstLines(result);
  const why = base === null ? "whether it passes there is not known" : whyOfChange({result, errors, change, files});
  const about = {check: "base-replay", path: files[0]?.path ?? ".", line: null} as const;
  if (why !== null)
    return [
      {
        ...{...about, level: "note"},
        message: `\`${result.name}\` fails on this change with the default branch's ${names}; ${why}: ${shown}`,
        fix: "Check that the changed configuration is intended.",
      },
    ];
  return [
    {
      ...{...about, level: "flag"},
      message: `\`${result.name}\` passes only with the changed ${names}; with the default branch's it fails: ${shown}`,
      fix: "Correct the code, so that the check passes with the earlier configuration, or confirm the exception.",
    },
  ];
}

/** Why the failure says nothing about the sources; null if it does. */
function whyOfChange({
  result,
  errors,
  change,
  files,
}: {
  result: StageResult;
  errors: readonly Diagnostic[];
  change: InspectedChange;
  files: readonly InspectedFile[];
}): string | null {
  const newTests = new Set(
    change.files.flatMap(({path, before}) => (before === null && isTestPath(path) ? [path] : [])),
  );
  const isMissing = ({message, code = ""}: Diagnostic) => NOT_THERE.test(`${code} ${message}`);
  const isOfNewTest = ({path, file}: Diagnostic) => newTests.has(path ?? file ?? "");
  if (errors.some(isMissing) && errors.every((one) => isMissing(one) || isOfNewTest(one)))
    return "it uses what the change adds";
  const built = change.files.find(
    ({path, before}) => before === null && !isTestPath(path) && files.some((file) => namesNewly(file, stemOf(path))),
  );
  if (errors.every(({tool}) => tool === "make") && built !== undefined)
    return `they do not name the new \`${built.path}\``;
  const gone = change.files.find(
    ({status, basePath}) => (status === "deleted" || status === "renamed") && firstLines(result).includes(basePath),
  );
  return errors.length === 0 && gone !== undefined
    ? `they name \`${gone.basePath}\`, which is not there any more`
    : null;
}

const stemOf = (path: string): string => posix.basename(path).replace(/\.\w+$/, "");

/** A build lists its sources: a new one needs a new entry, such as `b.o` for `b.c`. */
const namesNewly = ({before, after}: InspectedFile, stem: string): boolean =>
  !before?.includes(stem) && after?.includes(stem) === true;

/** What an output of no known form begins with, without the lines of a package manager. */
function firstLines({excerpt, reason}: StageResult): string {
  const lines = excerpt.split("\n").filter((line) => /\w/.test(line) && !/^\s*>/.test(line));
  return lines.slice(0, MAX_SHOWN).join(" ").replace(/\s+/g, " ").trim().slice(0, 300) || reason;
}

/** A module that is not installed or not there, as type checks report it (TypeScript, mypy, pyright). */
const NOT_THERE =
  /\bTS(?:2307|7016|2688)\b|\bimport-not-found\b|reportMissingImports|Cannot find (?:module|type definition)/;

function worded({path, file, line, message}: Diagnostic): string {
  const place = [path ?? file, line].filter((one) => one !== undefined).join(":");
  return `${place === "" ? "" : `${place} `}${message.split("\n", 1)[0]?.slice(0, 160)}`;
}
