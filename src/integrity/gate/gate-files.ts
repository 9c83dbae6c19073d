/** Knows which files decide what a test run checks, and merges the base's settings into them. */

import {posix} from "node:path";
import {parse as parseJson} from "jsonc-parser";
import {parse as parseToml, stringify as writeToml} from "smol-toml";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import {isNamed} from "../../git/paths.ts";
import {isConfiguration} from "../../tools/configuration-files.ts";
import {CONFIGURED_RUNNERS, decidesRun, PACKAGE_KEYS} from "../../tools/integrity-names.ts";
import {isManifest, readDeclared} from "../dependencies/declared-dependencies.ts";

/** Programs that configure a test runner, and folders of what starts it. */
const CONFIGURATION_PROGRAM = /\.(?:config|setup|workspace|preset)\.[cm]?[jt]s(?:on)?$/;
const RUN_FOLDERS = /(?:^|\/)\.(?:cargo|mvn|config)\//;
/** Code that a runner loads before or after the tests. */
const HOOK_FILES =
  /(?:^|\/)[^/]*(?:setup|teardown|globals?|reporter|runner|environment|hooks?|sequencer|transform(?:er)?|resolver)[^/]*\.[cm]?[jt]s$/i;
const SCRIPTS = /(?:^|\/)(?:bin|ci|scripts?|tools?|hack|\.ci)\/[^/]*(?:\.(?:sh|bash)|test[^/.]*|check[^/.]*)$/;

/** True for a name that only such a file has; the others may also be names of the product's sources. */
export function isNamedRunFile(path: string): boolean {
  const name = posix.basename(path);
  const isProgram = CONFIGURATION_PROGRAM.test(name) && CONFIGURED_RUNNERS.some((runner) => name.includes(runner));
  return decidesRun(name) || isProgram || RUN_FOLDERS.test(path);
}

export function isRunFile(path: string): boolean {
  return isNamedRunFile(path) || HOOK_FILES.test(path) || SCRIPTS.test(path);
}

/** Configuration of a linter or a type check, by the names that the tools read, and by the two forms that others have. */
export const isCheckSettings = (path: string): boolean =>
  !isNamedRunFile(path) && !isNamed(path, "verify.json") && (isConfiguration(path) || SETTINGS_NAME.test(path));

const SETTINGS_NAME = /(?:^|\/)(?:\.(?!git)[^/]+|[^/]+\.config\.[cm]?[jt]s)$/;

type Keys = Readonly<Record<string, unknown>>;

/** Tables of `[tool]` that configure how a project is built. */
const BUILD_TOOLS = new Set(
  "poetry pdm hatch setuptools setuptools_scm uv flit maturin scikit-build cibuildwheel".split(" "),
);
const CARGO_KEYS = new Set(["lints", "test", "lib", "profile", "bench"]);

/** The candidate's text with the base's settings; null unless only some keys of the file decide about tests. */
export function withBaseSettings(path: string, base: string, candidate: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    if (name === "package.json") {
      const mergedKeys = merge(objectIn(parseJson(base)), objectIn(parseJson(candidate)), (key) =>
        PACKAGE_KEYS.has(key),
      );
      return JSON.stringify(mergedKeys, null, 2);
    }
    if (name === "Cargo.toml") {
      return writeToml(merge(parseToml(base), parseToml(candidate), (key) => CARGO_KEYS.has(key)));
    }
    if (name !== "pyproject.toml") return null;
    const [before, after] = [parseToml(base), parseToml(candidate)];
    const tool = merge(objectIn(before["tool"]), objectIn(after["tool"]), (key) => !BUILD_TOOLS.has(key));
    return writeToml({...after, ...(Object.keys(tool).length > 0 && {tool})});
  } catch {
    return null; // a file that cannot be parsed is taken as a whole
  }
}

const LOCAL = /^(?:file|link|portal):|^\.{0,2}\/|^replaced by /;

/** The dependencies of checks: those for development, and any that a folder of the repository replaces. */
function toolDependencies(path: string, text: string | null): Map<string, string> {
  const declared = [...(readDeclared(path, text) ?? [])].filter(([, source]) => LOCAL.test(source));
  const manifest: unknown = isNamed(path, "package.json") ? parseJson(text ?? "") : null;
  return new Map([...textEntries(valueAt(manifest, "devDependencies")), ...declared]);
}

/** True if the checks of the base get another dependency than before. One that is new is for other checks. */
export function changesToolDependencies(path: string, before: string | null, after: string | null): boolean {
  if (!isManifest(path) || before === null || before === after) return false;
  const [base, candidate] = [toolDependencies(path, before), toolDependencies(path, after)];
  const replacements = [...candidate].filter(([, source]) => source.startsWith("replaced by "));
  return [...base, ...replacements].some(([name]) => base.get(name) !== candidate.get(name));
}

/** True if the change of this file can change which tests run, or how they end. */
export function changesSettings(path: string, before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before !== after;
  const mergedText = withBaseSettings(path, before, after);
  return mergedText === null || mergedText !== withBaseSettings(path, after, after);
}

const objectIn = (value: unknown): Keys =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

function merge(base: Keys, candidate: Keys, isBases: (key: string) => boolean): Record<string, unknown> {
  const candidateEntries = Object.entries(candidate).filter(([key]) => !isBases(key));
  const baseEntries = Object.entries(base).filter(([key]) => isBases(key));
  return Object.fromEntries(
    [...candidateEntries, ...baseEntries].toSorted(([one], [other]) => one.localeCompare(other)),
  );
}
