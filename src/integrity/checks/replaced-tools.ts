/** Check: files and dependencies that take the place of a tool, and files that should not be in a repository. */

import {parse as parseJson} from "jsonc-parser";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import {isNamed} from "../../git/paths.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {FindingLevel} from "../../record/words.ts";
import {CACHES, isToolPackage, TOOL_NAMES} from "../../tools/integrity-names.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";

interface PathRule {
  readonly path: RegExp;
  /** names of which the first group must be one */
  readonly names?: ReadonlySet<string>;
  readonly status: readonly InspectedFile["status"][];
  readonly level: FindingLevel;
  readonly what: string;
  /** whether the file can have this effect in the repository */
  readonly isPossible?: (path: string) => boolean;
}

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
    path: /(?:^|\/)(?:sitecustomize|usercustomize)\.py$|\.pth$/,
    status: ["added", "modified"],
    level: "block",
    what: "runs in every Python process, also in the test runner",
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

const DEPENDENCIES = ["dependencies", "devDependencies", "overrides", "resolutions"] as const;

export const replacedTools: IntegrityCheck = {
  name: "replaced-tools",
  find: (change) => change.files.flatMap((file) => [...findByPath(file), ...findRedirected(file)]),
};

function findByPath(file: InspectedFile): IntegrityFinding[] {
  const rule = PATHS.find(({path, names, status}) => {
    const match = status.includes(file.status) ? path.exec(file.path) : null;
    return match !== null && names?.has(match[1] ?? "") !== false;
  });
  if (rule === undefined || /(?:^|\/)(?:fixtures?|testdata)\//.test(file.path)) return [];
  if (rule.isPossible?.(file.path) === false) return [];
  return [finding({file, line: null, level: rule.level, message: `\`${file.path}\` ${rule.what}`})];
}

/** A tool from a folder, from an address or under another name may be a different program. */
function findRedirected(file: InspectedFile): IntegrityFinding[] {
  if (!isNamed(file.path, "package.json") || file.before === null || file.after === null) return [];
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
