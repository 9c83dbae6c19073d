/** Searches the base for code that reads a changed document, before a change counts as documentation. */
import {posix} from "node:path";
import {Minimatch} from "minimatch";
import {type Git, gitRefused} from "../git/git.ts";
import {isNamed, plainPath} from "../git/paths.ts";
import type {Failure} from "../record/failure.ts";
import type {Stage} from "../record/plan.ts";
import {type Change, changedPaths} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {
  type DocumentReaders,
  decideFromPaths,
  isDocument,
  matchExtensions,
  type SkipRules,
  type VerificationDecision,
} from "./trigger.ts";
import {matchesWhen} from "./when.ts";

/** A change with more documents is verified without a search. */
const MAX_DOCUMENTS = 500;
const SEARCH_MS = 30_000;

/** Code that includes files by a folder or a pattern, not by their names. */
const EMBEDS = ["go:embed", "include_dir!", "#[folder", "package_data", "package-data"];

/** Files that name documents without reading them: lists of what to ignore, and GitHub's own. */
const NAMES_ONLY = /(^|\/)(\.[\w.-]*ignore|\.gitattributes|\.editorconfig|CODEOWNERS|\.mailmap)$|^\.github\//;
/** Manifest lines that name a package's documents. A missing file can break a build; its content cannot. */
const METADATA = /^\s*"?(readme|license(-files?|_files?)?|long_description|license\.file)"?\s*[=:]/;
const COMMENT = /^\s*(\/\/(?!go:)|#(?![[!]\[?|\[)|\*\s|\/\*|--\s|;|<!--|%)/;

/**
 * Decides whether a change needs verification. `commit` is the base. If the base cannot be searched, the answer is to
 * verify.
 */
export async function decideVerification(options: {
  git: Git;
  commit: string;
  changes: readonly Change[];
  rules: SkipRules;
  stages: readonly StageReader[];
}): Promise<VerificationDecision> {
  const {git, commit, changes, rules} = options;
  const trigger = decideFromPaths(changes, rules, readByStages(changes, options.stages));
  if (trigger.kind === "verify" || trigger.why !== "only-skipped-paths") return trigger;
  const hasTooManyDocuments = changes.length > MAX_DOCUMENTS;
  const readers = hasTooManyDocuments
    ? null
    : await findDocumentReaders({git, commit, changes, isCode: matchExtensions(rules.codeExtensions)});
  if (readers?.ok) return decideFromPaths(changes, rules, readers.value);
  const reason = hasTooManyDocuments ? "they are too many" : "git could not search it";
  return {kind: "verify", because: `the base was not searched for code that reads the changed documents: ${reason}`};
}

/**
 * The changed documents that a line of the base refers to: by name, by an ending such as `*.md`, or by an embedded
 * folder. Code may also name a folder in quotes, and read its files.
 */
export async function findDocumentReaders(options: {
  git: Git;
  commit: string;
  changes: readonly Change[];
  isCode: (path: string) => boolean;
}): Promise<Result<DocumentReaders, Failure>> {
  const paths = changedPaths(options.changes).filter(isDocument);
  const removedNames = new Set(
    options.changes.flatMap(({path, from, status}) => (status === "deleted" ? [path] : from ? [from] : [])),
  );
  const names = [...new Set(paths.map((path) => posix.basename(path)))];
  const endings = [...new Set(paths.map((path) => posix.extname(path)).filter((ending) => ending !== ""))];
  const folders = [...new Set(paths.flatMap(foldersOf))].flatMap((name) => BEFORE_FOLDER.map((mark) => mark + name));
  const searchTerms = [...names, ...endings.map((ending) => `*${ending}`), ...EMBEDS, ...folders];
  const args = ["grep", "-I", "-z", "-F", "--full-name", "--no-color", ...searchTerms.flatMap((word) => ["-e", word])];
  const output = await options.git([...args, options.commit, "--"], {timeoutMs: SEARCH_MS});
  // git exits with 1 if there is no match.
  if (!output.ok) return output.failure.code === 1 ? ok(new Map()) : gitRefused(output.failure);
  const lines = linesOf(output.value, options.commit);
  const readers = new Map<string, string>();
  for (const path of paths) {
    const namesFolder = namesAnyFolder(foldersOf(path));
    const line = lines.find(
      (one) =>
        one.file !== path &&
        (isReadBy(path, one, removedNames.has(path)) ||
          (options.isCode(one.file) && namesFolder(one.text)) ||
          commandsIn(one).some((command) => isArgument(path, {command, cwd: posix.dirname(one.file)}))),
    );
    if (line !== undefined) readers.set(path, line.file);
  }
  return ok(readers);
}

type StageReader = Pick<Stage, "name" | "command" | "cwd" | "when">;

/** Changed documents that a stage checks, by its `when`, its folder, or a word of its command. */
function readByStages(changes: readonly Change[], stages: readonly StageReader[]): DocumentReaders {
  const readers = new Map<string, string>();
  for (const path of changedPaths(changes).filter(isDocument)) {
    const reader = stages.find(
      ({when, command, cwd}) =>
        matchesWhen(path, when) ||
        (/^docs?(\/|$)/.test(cwd) && path.startsWith(`${cwd}/`)) ||
        isArgument(path, {command, cwd}),
    );
    if (reader !== undefined) readers.set(path, `the stage ${reader.name}`);
  }
  return readers;
}

/** True if a word after the first is the path, a folder above it, or a pattern that matches it. */
function isArgument(path: string, {command, cwd}: {command: string; cwd: string}): boolean {
  const words = command.split(/[\s"'`\\;&|()<>=,]+/).slice(1);
  return words.some((word) => {
    const place = plainPath(posix.normalize(posix.join(cwd, word)));
    if (word === "" || place === ".") return false;
    return path === place || path.startsWith(`${place}/`) || (word.includes("*") && new Minimatch(place).match(path));
  });
}

/**
 * The commands in a line of a file with commands: scripts of package.json, or a line of a makefile or a similar file.
 */
function commandsIn({file, text}: Line): string[] {
  if (!isNamed(file, "package.json")) return COMMAND_FILES.test(file) ? [text.trim()] : [];
  return [...text.matchAll(/"(?!description")[^"]+":\s*"((?:\\.|[^"\\])*)"/g)].map(([, value = ""]) => value);
}
const COMMAND_FILES = /(^|\/)((GNU)?[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|tox\.ini|lefthook\.ya?ml)$|\.(mk|sh|bash)$/;

interface Line {
  readonly file: string;
  readonly text: string;
}

/** Lines of files that may be code: a document, a comment or a list of ignored files reads nothing. */
function linesOf(printed: string, commit: string): Line[] {
  return printed.split("\n").flatMap((row) => {
    const end = row.indexOf("\0");
    const file = row.slice(commit.length + 1, end);
    const text = row.slice(end + 1);
    const isCode = end > 0 && !isDocument(file) && !NAMES_ONLY.test(file) && !COMMENT.test(text);
    return isCode ? [{file, text}] : [];
  });
}

function isReadBy(path: string, {file, text}: Line, isGone: boolean): boolean {
  if (METADATA.test(text) && !isGone) return false;
  if (text.includes("go:embed")) return isEmbedded(path, {file, text});
  if (EMBEDS.some((mark) => text.includes(mark)) && isEmbedded(path, {file, text})) return true;
  const ending = posix.extname(path);
  if (ending !== "" && new RegExp(`\\*\\${ending}(?!\\w)`).test(text)) return true;
  return includesName(text, posix.basename(path));
}

/**
 * `go:embed` and most others are relative to their own folder. If the folder is unknown, any folder of the path
 * matches.
 */
function isEmbedded(path: string, {file, text}: Line): boolean {
  const from = posix.dirname(file);
  const relativePath = from === "." ? path : path.startsWith(`${from}/`) ? path.slice(from.length + 1) : null;
  const words = text.split(/[\s"'`(),[\]={}:]+/).filter((word) => word !== "");
  if (text.includes("go:embed"))
    return (
      relativePath !== null &&
      words.some((word) => ancestors(relativePath).some((part) => new Minimatch(word, {dot: true}).match(part)))
    );
  const pathParts = new Set(words.flatMap((word) => word.split("/")));
  return path.split("/").some((part) => pathParts.has(part)) || words.some((word) => /^\*+(\/\*+)?$/.test(word));
}

/** The text that precedes a folder in code. */
const BEFORE_FOLDER = ['"', "'", "`", "./", " "];

/**
 * The folder of a document. Below `doc` and `docs`, also those above it: these names are rare in code that reads none
 * of them.
 */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  if (folder === ".") return [];
  return /^docs?(\/|$)/.test(folder) ? ancestors(folder) : [folder];
}

/** True for a quoted folder without a file name, or with one that is known only at run time. */
function namesAnyFolder(folders: readonly string[]): (text: string) => boolean {
  const forms = folders.map((folder) => {
    const name = folder.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return new RegExp(`["'\`](?:\\.{1,2}/)*${name}(?:/?["'\`]|/[^"'\`]*(?:[-_/]["'\`]|[*{%]))`);
  });
  return (text) => forms.some((form) => form.test(text));
}

/** The path and the folders above it. */
function ancestors(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** The name as a whole word: `config.md` is not in `my-config.md`. */
function includesName(text: string, name: string): boolean {
  for (let index = text.indexOf(name); index >= 0; index = text.indexOf(name, index + 1)) {
    const [before, after] = [text[index - 1] ?? " ", text[index + name.length] ?? " "];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
