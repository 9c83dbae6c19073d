/** Check: comments and annotations that silence a tool, counted as added minus removed over the whole change. */

import {groupBy} from "../../diagnostics/group-by.ts";
import {isOfKind} from "../../git/paths.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {FindingLevel} from "../../record/words.ts";
import {languageOf} from "../../test-code/text/languages.ts";
import {INTEGRITY} from "../../tools/all-integrity.ts";
import {PYTHON, SCRIPT} from "../../tools/file-kinds.ts";
import {STRICT_COMMENTS} from "../../tools/integrity-names.ts";
import type {Suppression} from "../../tools/tool-integrity.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isTestData, isTestPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import {lostTypes} from "./lost-types.ts";
import {widerSuppression} from "./wider-suppressions.ts";

const DECLARATION = [".d.ts", ".d.mts", ".d.cts"];
const DOTNET = [".cs", ".vb", ".fs"];

/** Suppressions of languages, and of tools without a tool file. */
const OTHERS: readonly Suppression[] = [
  {name: "noqa", files: PYTHON, pattern: /#\s*nosec\b/},
  {
    name: "#![allow]",
    files: [".rs"],
    pattern: /#!\[\s*(?:allow|expect)\s*\(|#!\[cfg_attr\([^\]]*\b(?:allow)\(/,
    isWide: true,
  },
  {
    name: "cast without a type check",
    files: SCRIPT,
    pattern:
      /\bas\s+(?:any|never)\b|\bas\s+unknown\s+as\b|<any>\s*[\w({]|\/\*\*\s*@type\s*\{\s*(?:any|\*)\s*\}\s*\*\/\s*\(|\b(?:const|let|var)\s+\w+\s*:\s*any\s*=(?!=)/,
  },
  {
    name: "index signature of any",
    files: SCRIPT,
    pattern: /^\s*(?:readonly\s+)?\[\s*\w+\s*:\s*(?:string|number|symbol|any)\s*\]\s*:\s*any\b/,
  },
  {name: "__getattr__ of any type", files: PYTHON, pattern: /^\s+def\s+__getattr__\(.*->\s*(?:typing\.)?Any\b/},
  {name: "typing.Any cast", files: PYTHON, pattern: /\bcast\(\s*(?:typing\.)?["']?Any\b/},
  {name: "pragma: no cover", files: PYTHON, pattern: /#\s*pragma:\s*no\s*(?:cover|branch)/},
  {name: "coverage", files: SCRIPT, pattern: /\/\*\s*(?:istanbul|c8|v8)\s+ignore\s+file\b/},
  {name: "coverage ignore", files: SCRIPT, pattern: /\/[*/]\s*(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b/},
  {name: "nolint", files: [".go"], pattern: /\/\/\s*nolint\b|\/\/\s*lint:ignore\b|\/\/\s*#nosec\b/},
  {name: "#[allow]", files: [".rs"], pattern: /#\[\s*(?:allow|expect)\b/},
  {
    name: "@SuppressWarnings",
    files: [".java", ".kt", ".kts", ".scala", ".groovy"],
    pattern: /@SuppressWarnings\b|@Suppress\(|@SuppressFBWarnings|\/\/\s*(?:NOSONAR|NOPMD|CHECKSTYLE[: ]OFF)/i,
  },
  {
    name: "#pragma warning disable",
    files: DOTNET,
    pattern: /^\s*#(?:pragma\s+warning\s+disable|nullable\s+disable|Disable\s+Warning)\b/i,
  },
  {
    name: "[SuppressMessage]",
    files: DOTNET,
    pattern:
      /\[\s*(?:assembly:\s*)?(?:\w+\.)*(?:SuppressMessage|ExcludeFromCodeCoverage)\b|\/\/\s*(?:ReSharper disable|NOSONAR)|^\s*#nowarn\b/,
  },
  {
    name: "NOLINT",
    files: [".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".m", ".mm"],
    pattern:
      /\/[/*]\s*(?:NOLINT|cppcheck-suppress|coverity\[|LCOV_EXCL|NOSONAR|IWYU pragma: keep)|#pragma\s+(?:(?:GCC|clang)\s+diagnostic\s+ignored|warning\s*\(\s*disable)/,
  },
  {name: "ignore_for_file", files: [".dart"], pattern: /\/\/\s*ignore_for_file\s*:/, isWide: true},
  {name: "ignore", files: [".dart"], pattern: /\/\/\s*(?:ignore\s*:|coverage:ignore-)/},
  {name: "swiftlint:disable", files: [".swift"], pattern: /\/\/\s*swiftlint:disable\b/},
  {name: "credo:disable", files: [".ex", ".exs"], pattern: /#\s*credo:disable|@dialyzer\s*(?:\{|:no)/},
];

/** Suppressions of a whole file come first. A comment that replaces another one with the same name adds nothing. */
export const SUPPRESSIONS = joinByName([...INTEGRITY.flatMap((tool) => tool.suppressions ?? []), ...OTHERS]).toSorted(
  (one, other) => Number(other.isWide ?? false) - Number(one.isWide ?? false),
);

function joinByName(list: readonly Suppression[]): Suppression[] {
  return [...groupBy(list, ({name, isWide}) => `${name} ${isWide}`).values()].flatMap((group) =>
    group.slice(0, 1).map((first) => {
      const pattern = new RegExp(group.map((one) => one.pattern.source).join("|"), first.pattern.flags);
      return {...first, pattern};
    }),
  );
}

/** A cast in a test often passes wrong input on purpose; coverage comments and reasons are for the reader. */
const QUIET = new Set(["pragma: no cover", "coverage ignore", "cast without a type check", "typing.Any cast"]);

export const suppressions: IntegrityCheck = {
  name: "suppressions",
  find(change) {
    // Files of other languages are read if a suppression can be in them.
    const isRead = (path: string) =>
      isCodePath(path) || (languageOf(path) === null && SUPPRESSIONS.some(({files}) => isOfKind(path, files)));
    const files = change.files.filter(({path}) => isRead(path) && !isGenerated(path) && !isTestData(path));
    const lines = files.map((file) => ({file, ...compareLines(file.before, file.after)}));
    const isDeclaration = ({path}: InspectedFile) =>
      isOfKind(path, DECLARATION) && !isGenerated(path.replace(/\.d(?=\.)/, ""));
    const declarations = change.files.filter(isDeclaration);
    const removed = lines.flatMap((one) => one.removed.map(({text}) => text));
    const suppressed = SUPPRESSIONS.flatMap((suppression) => {
      const fitting = lines.filter(({file}) => isOfKind(file.path, suppression.files));
      const budget = removed.filter((text) => suppression.pattern.test(text)).length;
      const added = fitting.flatMap(({file, added: list}) =>
        list.filter((line) => isFirstMatch(suppression, line, file)).map((line) => ({file, line})),
      );
      const fresh = added.filter(({line}) => !isNewlyChecked(line.text, change));
      const net = fresh.length - budget;
      return net > 0 ? [findingFor(suppression, fresh.slice(-net))] : widerSuppression(suppression, lines);
    });
    return [
      ...suppressed,
      ...[...files, ...declarations].flatMap(lostTypes).slice(0, 1),
      ...lines.flatMap((one) => lostStrictness(one, change.files)).slice(0, 1),
      ...change.files.flatMap((file) => untyped(file, change.files)),
    ];
  },
};

/** The change selects the rule, so that no tool reported it before: `select = ["E", "N"]` and `noqa: N802`. */
function isNewlyChecked(text: string, {files}: InspectedChange): boolean {
  const rule = /\bnoqa:\s*([A-Z]+\d+)(?!\s*,)/.exec(text)?.[1];
  return (
    rule !== undefined &&
    files.some(({path, before, after}) => {
      if (!/\.toml$|\.cfg$/.test(path)) return false;
      const groups = (one: string | null) =>
        new Set(/\bselect\s*=\s*\[([^\]]*)\]/.exec(one ?? "")?.[1]?.match(/[A-Z]+\d*/g));
      const [old, now] = [groups(before), groups(after)];
      return (
        [...now].some((group) => rule.startsWith(group) && !old.has(group)) &&
        ![...old].some((group) => rule.startsWith(group))
      );
    })
  );
}

function lostStrictness(
  {file, added, removed}: {file: InspectedFile; added: readonly ChangedLine[]; removed: readonly ChangedLine[]},
  files: readonly InspectedFile[],
): IntegrityFinding[] {
  if (file.after === null || !/\.(?:rs|[cm]?[jt]sx?|py)$/.test(file.path)) return [];
  const namesIn = (text: string) =>
    STRICT_COMMENTS.flatMap((comment) => comment.exec(text)?.[1] ?? [])[0]?.split(/\s*,\s*/) ?? [];
  const kept = new Set(added.flatMap(({text}) => namesIn(text)));
  const lost = removed.flatMap(({text}) => namesIn(text)).find((name) => !kept.has(name));
  const isElsewhere = files.some(
    ({path, before, after}) =>
      path !== file.path &&
      lost !== undefined &&
      compareLines(before, after).added.some(({text}) => text.includes(lost)),
  );
  if (lost === undefined || isElsewhere) return [];
  const fix = "Restore the line, and correct the code that the tool complains about.";
  return [
    {
      check: "suppressions",
      level: "flag",
      path: file.path,
      line: null,
      message: `\`${lost}\` is not required any more`,
      fix,
    },
  ];
}

/** Finds code that is no longer type-checked, and declarations that give a module of the product no types. */
function untyped(file: InspectedFile, files: readonly InspectedFile[]): IntegrityFinding[] {
  const {path, before, after} = file;
  const typed = /\.[cm]?jsx?$/.test(path) ? path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2") : null;
  const isPlainScript =
    typed !== null &&
    !isTestPath(path) &&
    files.some(({basePath, status}) => basePath === typed && (status === "deleted" || status === "renamed"));
  const isOpen = (text: string | null) =>
    OPEN_DECLARATIONS.some(({files, pattern}) => isOfKind(path, files) && pattern.test(text ?? ""));
  const isEmptied = emptiesModule(path, before ?? "", after ?? "");
  const isNewlyOpen = isEmptied || (isOpen(after) && !isOpen(before));
  if (isGenerated(path.replace(/\.d\.ts$/, "")) || !(isPlainScript || isNewlyOpen)) return [];
  const message = isPlainScript
    ? "The types of this file are gone, so the type check skips it"
    : "Names have no types here, so the type check accepts every use of them";
  const fix = "Restore the types.";
  return [{check: "suppressions", level: "flag", path, line: null, message, fix}];
}

/** A module whose names were declared one by one is declared without any of them. */
function emptiesModule(path: string, before: string, after: string): boolean {
  const modules = (text: string, end: string) =>
    [...text.matchAll(new RegExp(String.raw`^\s*declare\s+module\s+["']([^"'\n]+)["']${end}`, "gm"))].map(
      ([, name]) => name,
    );
  const typed = modules(before, String.raw`\s*\{`);
  return isOfKind(path, DECLARATION) && modules(after, String.raw`\s*;?\s*$`).some((name) => typed.includes(name));
}

/** It is common to declare a package without types in this way. A path or an alias names the product's own code. */
const OPEN_DECLARATIONS = [
  {files: DECLARATION, pattern: /^\s*declare\s+module\s+["'](?:[#~.]|@\/)[^"'\n]*["']\s*\{[^}]*\bany\b/m},
  {files: DECLARATION, pattern: /^\s*declare\s+module\s+["'](?:[#~][^"'.]*|@\/[^"'.]*|[^"']*\*)["']\s*;?\s*$/m},
  {files: DECLARATION, pattern: /^\s*(?:export\s+)?declare\s+(?:const|let|var)\s+\w+\s*:\s*any\b/m},
  {files: [".pyi"], pattern: /^(?:def\s+__getattr__\(.*\bAny\b|\w+\s*:\s*(?:typing\.)?Any\s*$)/m},
];

/** A line counts only for the first rule that matches it, so that a line that matches two rules is one finding. */
function isFirstMatch(suppression: Suppression, {text}: ChangedLine, {path}: InspectedFile): boolean {
  return SUPPRESSIONS.find((one) => isOfKind(path, one.files) && one.pattern.test(text)) === suppression;
}

function findingFor(
  suppression: Suppression,
  places: readonly {readonly file: InspectedFile; readonly line: ChangedLine}[],
): IntegrityFinding {
  const levels = places.map(({file, line}) => levelOf(suppression, file, line));
  const level = (["block", "flag", "note"] as const).find((one) => levels.includes(one)) ?? "note";
  const place = places[levels.indexOf(level)];
  const more = places.length > 1 ? ` (${places.length} in this change)` : "";
  return {
    check: "suppressions",
    level,
    path: place?.file.path ?? "",
    line: place?.line.number ?? null,
    message: `A new \`${suppression.name}\` hides what a tool reports${more}`,
    fix: "Correct the code that the tool complains about, and remove the suppression.",
  };
}

/** In a new file nothing was reported before. A stated reason does not make a tool report again. */
function levelOf({name, isWide = false}: Suppression, file: InspectedFile, {text}: ChangedLine): FindingLevel {
  if (QUIET.has(name))
    return isTestPath(file.path) || file.before === null ? "note" : name.includes("cover") ? "note" : "flag";
  if (file.before === null || isTestPath(file.path)) return isWide && file.before !== null ? "flag" : "note";
  if (isWide) return isWideOpen(text) ? "block" : "flag";
  return "flag";
}

/** No rule is named: everything is silenced. */
function isWideOpen(text: string): boolean {
  return /@ts-nocheck|disable\s*\*\/|ignore-errors|noqa\s*$|disable=all|skip-file|allow\((?:warnings|unused|clippy::all)\)|type:\s*ignore\s*$/.test(
    text,
  );
}
