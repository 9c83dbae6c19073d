/** Observes what the changed files are for: which files of the repository name them, those of checks or of the product. */
import {posix} from "node:path";
import {parse as parseJson} from "jsonc-parser";
import {valueAt} from "../../detect/files/manifest-values.ts";
import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import type {Repository} from "../../git/repository.ts";
import {isSupport} from "../../integrity/changed-tests/support-code.ts";
import type {FileRole} from "../../integrity/changed-tests/test-change.ts";
import {isCheckSettings, isNamedRunFile, isRunFile} from "../../integrity/gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isRecorded, isSource, isTestPath, isToolPath} from "../../integrity/source/kinds.ts";

const MAX_FILES = 60;
/** From a script over its program to the list that this reads. */
const MAX_STEPS = 3;
const MAX_MANIFEST_BYTES = 1024 * 1024;

interface ObservedCommit {
  readonly repository: Repository;
  readonly commit: string;
}

/** The roles of files whose names do not show them. A file that nothing names has none, and is the product's. */
export async function observeRoles({
  repository,
  candidate,
  change,
}: {
  repository: Repository;
  candidate: ComparedCommits;
  change: InspectedChange;
}): Promise<Map<string, FileRole>> {
  const roles = new Map<string, FileRole>();
  for (const file of change.files.filter(isUnclear).slice(0, MAX_FILES)) {
    const {status, path, basePath} = file;
    const commit = status === "added" ? candidate.commit : candidate.base;
    const role = await roleOf({repository, commit}, basePath, isSource(basePath) && isSupport(file));
    if (role !== null) roles.set(path, role);
  }
  return roles;
}

const isUnclear = ({path, basePath}: InspectedFile): boolean =>
  ![path, basePath].some(
    (one) => isTestPath(one) || isRecorded(one) || isNamedRunFile(one) || isCheckSettings(one) || isText(one),
  );
const isText = (path: string): boolean => /\.(?:md|rst|adoc)$|(?:^|\/)\.github\/|[.-]lock(?:\.\w+)?$/.test(path);

async function roleOf(
  observed: ObservedCommit,
  path: string,
  isHelper: boolean,
  steps = MAX_STEPS,
): Promise<FileRole | null> {
  const isCode = isSource(path);
  const isNamedGate = isCode && (isHelper || isRunFile(path) || isTool(path));
  const naming = await filesNaming(observed, path);
  if (naming.some(isProduct) || (isCode && (await isEntryPoint(observed, path, naming)))) return "product";
  if (isNamedGate) return "gate";
  // A library may be named by nothing but its tests, and by the commands that check it.
  if (isCode) return (await isLoadedBySettings(observed, path, naming)) ? "checks" : "product";
  if (naming.some((one) => isRunFile(one) || isTool(one))) return "gate";
  const others = steps === 0 ? [] : naming.filter((one) => !isTestPath(one) && !isCheckSettings(one) && !isText(one));
  for (const one of others.slice(0, MAX_STEPS)) {
    const role = await roleOf(observed, one, false, steps - 1);
    if (role !== null) return role;
  }
  if (naming.some(isTestPath)) return "data";
  return naming.some(isCheckSettings) || isRootSettings(path) ? "checks" : null;
}

/** Tools find such a file by its name, which nothing else contains. */
const isRootSettings = (path: string): boolean => /^[^/]+\.(?:toml|ini|cfg|jsonc?|ya?ml|xml|conf)$/.test(path);

const isTool = (path: string): boolean => isToolPath(path) && !/(?:^|\/)(?:src|lib|app)\//.test(path);
const isProduct = (path: string): boolean =>
  isSource(path) && !isNamedRunFile(path) && !isCheckSettings(path) && !isTool(path);

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The files that contain the name: of code, as a module or a program; of anything else, with its ending. */
async function filesNaming({repository, commit}: ObservedCommit, path: string): Promise<string[]> {
  const name = /^(?:index|__init__|mod)\./.test(posix.basename(path)) ? posix.dirname(path) : path;
  const stem = escapePattern(posix.basename(name).replace(/(?:\.d)?\.\w+$/, ""));
  const pattern = isSource(path)
    ? `([./"'\`]|import +|from +|use +|mod +)${stem}(\\.\\w+)?($|[^A-Za-z0-9_-])`
    : `(^|[^A-Za-z0-9_.-])${escapePattern(posix.basename(path))}($|[^A-Za-z0-9_-])`;
  const found = await repository.git(["grep", "-l", "-z", "-I", "-E", "-e", pattern, commit]);
  const files = found.ok ? found.value.split("\0").map((row) => row.slice(row.indexOf(":") + 1)) : [];
  return files.filter((file) => file !== "" && file !== path);
}

/** True for code that the configuration of a check imports, and for types that one names. A bundler names its sources, too. */
async function isLoadedBySettings(observed: ObservedCommit, path: string, naming: readonly string[]): Promise<boolean> {
  const stem = escapePattern(posix.basename(path).replace(/\.\w+$/, ""));
  const imported = new RegExp(String.raw`\b(?:from|import|require)\b[\s(]*["'\`][^"'\`]*/${stem}(?:\.\w+)?["'\`]`);
  for (const settings of naming.filter(isCheckSettings)) {
    if (path.endsWith(".d.ts")) return true;
    const text = await observed.repository.readText(observed.commit, settings, {maxBytes: MAX_MANIFEST_BYTES});
    if (text.ok && imported.test(text.value ?? "")) return true;
  }
  return false;
}

/** True if a manifest publishes or starts the file. */
async function isEntryPoint(observed: ObservedCommit, path: string, naming: readonly string[]): Promise<boolean> {
  const stem = posix.basename(path).replace(/\.\w+$/, "");
  for (const manifest of naming.filter((one) => posix.basename(one) === "package.json")) {
    const text = await observed.repository.readText(observed.commit, manifest, {maxBytes: MAX_MANIFEST_BYTES});
    const parsed: unknown = parseJson(text.ok ? (text.value ?? "") : "");
    const entries = ["main", "module", "types", "bin", "exports"].map((key) => valueAt(parsed, key));
    if (new RegExp(`/${stem}\\.`).test(`/${JSON.stringify(entries)}`.replaceAll('"', "/"))) return true;
  }
  return false;
}
