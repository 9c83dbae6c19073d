/** Observes what the changed files are for: which files of the repository name them, those of checks or of the product. */
import {posix} from "node:path";
import {parse as parseJson} from "jsonc-parser";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import type {Repository} from "../../git/repository.ts";
import {isSupport} from "../../integrity/changed-tests/support-code.ts";
import type {FileRole} from "../../integrity/changed-tests/test-change.ts";
import {isManifest} from "../../integrity/dependencies/declared-dependencies.ts";
import {isCheckSettings, isNamedRunFile, isRunFile} from "../../integrity/gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isRecorded, isSource, isTestPath, isToolPath} from "../../integrity/source/kinds.ts";
import {STANDARD_MODULES} from "../../tools/python-modules.ts";

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
    const observed = {repository, commit};
    const isHiding = status === "added" && (await hidesModule(observed, path));
    const role = isHiding ? "gate" : await roleOf(observed, basePath, isSource(basePath) && isSupport(file));
    if (role !== null) roles.set(path, role);
  }
  return roles;
}

/** Python searches the folder of the tests' command before `src` and the standard library. */
async function hidesModule({repository, commit}: ObservedCommit, path: string): Promise<boolean> {
  if (!path.endsWith(".py")) return false;
  const [, name = ""] = /^(\w+)(?:\.py|\/__init__\.py)$/.exec(path) ?? [];
  if (STANDARD_MODULES.has(name)) return true;
  const found = await repository.git(["ls-tree", "--name-only", commit, "--", `src/${path}`, `lib/${path}`]);
  return found.ok && found.value !== "";
}

const isUnclear = ({path, basePath}: InspectedFile): boolean =>
  ![path, basePath].some((one) =>
    [isTestPath, isRecorded, isNamedRunFile, isCheckSettings, isManifest, isText].some((is) => is(one)),
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
  const declared = isCode ? await roleInManifests(observed, path, naming) : null;
  if (naming.some(isProduct) || declared === "product") return "product";
  if (isNamedGate || declared === "gate") return "gate";
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

/** The word by which code is imported or started: its own name, or that of the folder which it stands for. */
function moduleName(path: string): string {
  const isFolder = /^(?:index|__init__|mod)\./.test(posix.basename(path));
  return posix.basename(isFolder ? posix.dirname(path) : path).replace(/(?:\.d)?\.\w+$/, "");
}

/** The files that contain the name: of code, as a module or a program; of anything else, with its ending. */
async function filesNaming({repository, commit}: ObservedCommit, path: string): Promise<string[]> {
  const stem = escapePattern(moduleName(path));
  const pattern = isSource(path)
    ? `([./"'\`]|import +|from +|use +|mod +)${stem}(\\.\\w+)?($|[^A-Za-z0-9_-])`
    : `(^|[^A-Za-z0-9_.-])${escapePattern(posix.basename(path))}($|[^A-Za-z0-9_-])`;
  const found = await repository.git(["grep", "-l", "-z", "-I", "-E", "-e", pattern, commit]);
  const files = found.ok ? found.value.split("\0").map((row) => row.slice(row.indexOf(":") + 1)) : [];
  return files.filter((file) => file !== "" && file !== path);
}

/** True for code that the configuration of a check imports, and for types that one names. A bundler names its sources, too. */
async function isLoadedBySettings(observed: ObservedCommit, path: string, naming: readonly string[]): Promise<boolean> {
  const stem = escapePattern(moduleName(path));
  const imported = new RegExp(
    String.raw`\b(?:from|import|require)\b[\s(]*["'\`][^"'\`]*/${stem}(?:\.\w+)?(?:/index\.\w+)?["'\`]`,
  );
  for (const settings of naming.filter(isCheckSettings))
    if (path.endsWith(".d.ts") || imported.test(await textOf(observed, settings))) return true;
  return false;
}

/** Whether a manifest publishes or starts the file, or takes its folder as a package, perhaps for development only. */
async function roleInManifests(
  observed: ObservedCommit,
  path: string,
  naming: readonly string[],
): Promise<FileRole | null> {
  const entry = new RegExp(`/${escapePattern(posix.basename(path).replace(/\.\w+$/, ""))}\\.`);
  const roles = new Set<FileRole | "entry">();
  for (const manifest of new Set(["package.json", ...naming.filter((one) => posix.basename(one) === "package.json")])) {
    const parsed: unknown = parseJson(await textOf(observed, manifest));
    const isTaken = (key: string) =>
      [...textEntries(valueAt(parsed, key)).values()].some((value) => {
        const [, folder] = /^(?:file|link|portal):(.+)/.exec(value) ?? [];
        return folder !== undefined && path.startsWith(`${posix.join(posix.dirname(manifest), folder)}/`);
      });
    if (isTaken("dependencies")) return "product";
    if (isTaken("devDependencies")) roles.add("gate");
    const entries = ["main", "module", "types", "bin", "exports"].map((key) => valueAt(parsed, key));
    if (entry.test(`/${JSON.stringify(entries)}`.replaceAll('"', "/"))) roles.add("entry");
  }
  return roles.has("gate") ? "gate" : roles.has("entry") ? "product" : null;
}

async function textOf({repository, commit}: ObservedCommit, path: string): Promise<string> {
  const text = await repository.readText(commit, path, {maxBytes: MAX_MANIFEST_BYTES});
  return text.ok ? (text.value ?? "") : "";
}
