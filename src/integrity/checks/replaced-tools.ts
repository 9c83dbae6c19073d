/** Check: files and dependencies that take the place of a tool, and files that should not be in a repository. */

import {posix} from "node:path";
import {parse as parseJson} from "jsonc-parser";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {Stage} from "../../record/plan.ts";
import type {FindingLevel} from "../../record/words.ts";
import {importedNames} from "../../test-code/text/imported-names.ts";
import {ASSERTION_MODULES, CACHES, hasPlugins, isToolPackage, TOOL_NAMES} from "../../tools/integrity-names.ts";
import {nameSet, namesTest} from "../../tools/names.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";

interface PathRule {
  readonly path: RegExp;
  /** names of which the first group must be one */
  readonly names?: ReadonlySet<string>;
  readonly status: readonly InspectedFile["status"][];
  readonly level: FindingLevel;
  readonly what: string;
  /** lines that may change without this effect */
  readonly harmless?: RegExp;
  /** whether the file can have this effect in the repository */
  readonly isPossible?: (path: string, change: InspectedChange) => boolean;
}

/** Programs of the shell that tests and scripts call by their names. */
const SHELL_PROGRAMS = nameSet(
  "sh bash dash zsh test diff cmp grep egrep awk gawk mawk sed cat sort uniq wc env timeout xargs find ls",
);

const PATHS: readonly PathRule[] = [
  {
    path: /^(?:(?:src|tests?|lib|bin|\.bin|scripts)\/)?(\w+)(?:\.py|\/__(?:init|main)__\.py)$/,
    names: TOOL_NAMES,
    status: ["added"],
    level: "flag",
    what: "has the name of a tool, so it can run in its place",
  },
  {
    path: /^(?:bin|\.bin|tools|scripts|ci)\/([^/]+)$/,
    names: TOOL_NAMES,
    status: ["added", "modified"],
    level: "flag",
    what: "has the name of a tool, so it can run in its place",
  },
  {
    path: /^(?:[\w.-]+\/){1,2}([^/]+)$/,
    names: SHELL_PROGRAMS,
    status: ["added"],
    level: "flag",
    what: "has the name of a tool, so it can run in its place",
    isPossible: isInSearchPath,
  },
  {
    path: /(?:^|\/)(?:sitecustomize|usercustomize)\.py$|\.pth$/,
    status: ["added", "modified"],
    level: "block",
    what: "runs in every Python process, also in the test runner",
  },
  {
    path: /(?:^|\/)junit-platform\.properties$/,
    status: ["added", "modified"],
    level: "flag",
    what: "decides which tests run, and under which conditions",
    // docs.junit.org: "Parallel Execution", "Timeouts", "Display Name Generation"
    harmless:
      /^\s*(?:[#!].*|junit\.jupiter\.(?:execution\.parallel\.\S+|execution\.timeout\.\S*default|displayname\.\S+)\s*[=:]\s*(?!.*(?:ns|μs|us)\s*$).*)?$/,
  },
  {
    path: /(?:^|\/)node_modules\/|(?:^|\/)\.?venv\/|\/site-packages\//,
    status: ["added", "modified", "deleted", "renamed"],
    level: "flag",
    what: "belongs to installed dependencies",
  },
  {
    path: /\.(?:tsbuildinfo|pyc)$|(?:^|\/)\.\w+(?:\/|$)/,
    isPossible: (path) => /\.(?:tsbuildinfo|pyc)$/.test(path) || path.split("/").some((part) => CACHES.has(part)),
    status: ["added", "modified"],
    level: "flag",
    what: "is a cache that a tool believes",
  },
];

/** Variables and settings that load code into every process of a tool. */
const isPreloadVariable = namesTest(
  "NODE_OPTIONS PYTHONSTARTUP PYTEST_ADDOPTS PYTEST_PLUGINS RUSTC_WRAPPER CARGO_TARGET_*_RUNNER GOFLAGS MAVEN_OPTS",
  "JAVA_TOOL_OPTIONS LD_PRELOAD BASH_ENV PYTHONOPTIMIZE MAVEN_ARGS ESLINT_USE_FLAT_CONFIG",
);
const PRELOAD_SETTING =
  /\bRUSTFLAGS\b\s*[=:].*(?:cap-lints|-A\b|--allow)|^\s*(?:-D(?:skip\w+|maven\.test\.[\w.]+)|-fn|-fae|--fail-never)\b|^\s*(?:script-shell|node-options|shell)\s*=/;

const isPreload = ({text}: ChangedLine): boolean =>
  PRELOAD_SETTING.test(text) || [...text.matchAll(/\b(\w+)\s*[=:]/g)].some(([, name = ""]) => isPreloadVariable(name));

const PRELOAD_FILES =
  /(?:^|\/)(?:\.npmrc|\.env[^/]*|\.envrc|[Mm]akefile|[^/]+\.ya?ml|\.cargo\/config(?:\.toml)?|\.mvn\/[^/]+|tox\.ini|[^/]+\.(?:mk|sh)|package\.json|gradle\.properties|\.yarnrc(?:\.yml)?)$/;
const JS = /\.[cm]?[jt]sx?$/;
const DEPENDENCIES = ["dependencies", "devDependencies", "overrides", "resolutions"] as const;

export const replacedTools: IntegrityCheck = {
  name: "replaced-tools",
  find: (change) =>
    change.files.flatMap((file) => [
      ...findByPath(file, change),
      ...findPreloads(file),
      ...findRedirected(file),
      ...findLocalImports(file),
    ]),
};

/** Folders of programs, which are often in the search path; `script/test` is the usual name of a command to test. */
const PROGRAMS = /(?:^|\/)(?:\.?bin|tools?|ci|scripts?|shims?|stubs?|fakes?|wrappers?)\/(?!(?:test|env)$)[^/]+$/;

/** True if the shell can find the file by its name: a line with `PATH` or a stage has its folder. */
function isInSearchPath(path: string, {files, plan}: InspectedChange): boolean {
  const folder = posix.basename(posix.dirname(path));
  const texts = [...files.flatMap(({after}) => after ?? []), ...(plan?.stages ?? []).map(inputsOf)];
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => /(?:\b|GITHUB_)PATH\b/.test(line));
  return PROGRAMS.test(path) || lines.some((line) => line.includes(folder));
}

const inputsOf = ({command, env, path}: Stage): string => `${command}\nPATH=${[env["PATH"] ?? "", ...path].join(":")}`;

function findByPath(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const rule = PATHS.find(({path, names, status}) => {
    const match = status.includes(file.status) ? path.exec(file.path) : null;
    return match !== null && names?.has(match[1] ?? "") !== false;
  });
  const changed = compareLines(file.before, file.after);
  const {harmless} = rule ?? {};
  if (harmless !== undefined && [...changed.added, ...changed.removed].every(({text}) => harmless.test(text)))
    return [];
  if (rule === undefined || /(?:^|\/)(?:fixtures?|testdata)\//.test(file.path)) return [];
  if (rule.isPossible?.(file.path, change) === false) return [];
  return [finding({file, line: null, level: rule.level, message: `\`${file.path}\` ${rule.what}`})];
}

function findPreloads(file: InspectedFile): IntegrityFinding[] {
  if (!PRELOAD_FILES.test(file.path)) return [];
  const {added, removed} = compareLines(file.before, file.after);
  const places = added.filter(
    (line) =>
      isPreload(line) &&
      !/max[-_]old[-_]space|-D\s?warnings|-Dwarnings|-mod=|openssl-legacy|deprecation|experimental-/.test(line.text),
  );
  const [place] = places;
  if (place === undefined || places.length <= removed.filter(isPreload).length) return [];
  return [
    finding({
      file,
      line: place.number,
      level: "flag",
      message: `\`${place.text.trim().slice(0, 80)}\` changes how every tool starts`,
    }),
  ];
}

/** A tool from a folder, from an address or under another name may be a different program. */
function findRedirected(file: InspectedFile): IntegrityFinding[] {
  if (!/(?:^|\/)package\.json$/.test(file.path) || file.before === null || file.after === null) return [];
  const [before, after] = [parseJson(file.before), parseJson(file.after)];
  return DEPENDENCIES.flatMap((kind) => {
    const knownEntries = textEntries(valueAt(before, kind));
    return [...textEntries(valueAt(after, kind))].flatMap(([name, version]) => {
      const isForeign = /^(?:file:|link:|git|https?:|npm:|portal:|\.|\/)/.test(version);
      if (
        !(TOOL_NAMES.has(name) || isToolPackage(name)) ||
        !isForeign ||
        knownEntries.get(name) === version ||
        knownEntries.get(name)?.startsWith("npm:")
      )
        return [];
      const index = file.after?.split("\n").findIndex((text) => text.includes(version)) ?? -1;
      return [
        finding({
          file,
          line: index + 1 || null,
          level: "flag",
          message: `\`${name}\` comes from \`${version}\`, not from the registry`,
        }),
      ];
    });
  });
}

/** Finds plugins, and functions that tests assert with, that come from a file instead of their package. */
function findLocalImports(file: InspectedFile): IntegrityFinding[] {
  const isSettings = JS.test(file.path) && hasPlugins(posix.basename(file.path));
  if (file.before === null || file.after === null || !(isSettings || (JS.test(file.path) && isTestPath(file.path))))
    return [];
  const earlierImports = importedNames(file.before, file.basePath);
  const isPackage = (name: string, module: string) =>
    isSettings ? !/^[.#/]/.test(module) : ASSERTION_MODULES.has(module) && ["assert", "expect"].includes(name);
  const [name, module] =
    [...importedNames(file.after, file.path)].find(
      ([one, to]) => /^[.#]/.test(to) && earlierImports.has(one) && isPackage(one, earlierImports.get(one) ?? ""),
    ) ?? [];
  if (name === undefined || module === undefined) return [];
  const line = file.after.split("\n").findIndex((text) => text.includes(module)) + 1;
  const message = `\`${name}\` comes from \`${module}\`, not from \`${earlierImports.get(name)}\``;
  return [finding({file, line: line || null, level: "flag", message})];
}

function finding({
  file,
  line,
  level,
  message,
}: {
  file: InspectedFile;
  line: number | null;
  level: FindingLevel;
  message: string;
}): IntegrityFinding {
  const fix = "Remove this, and use the tool as the default branch does.";
  return {check: "replaced-tools", level, path: file.path, line, message, fix};
}
