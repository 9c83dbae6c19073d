/** Rejects entries that no candidate may have: nested repositories, links out of the tree, forbidden names. */
import type {RawEntry} from "./raw-diff.ts";

/** GitHub refuses a push that contains a larger file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Code points that HFS+ ignores in names, so that `.g\u200cit` is `.git` there (git's own `core.protectHFS` list). */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Returns the problem of a path, or null. A name that some file system treats as `.git` counts as `.git`. */
export function pathProblem(path: string): string | null {
  if (path.includes("\ufffd")) return "its name is not valid UTF-8";
  for (const part of path.split("/")) {
    if (part === "" || part === "." || part === "..") return "its path leads somewhere else";
    if (isGitName(part)) return "git keeps this name for itself";
  }
  return null;
}

function isGitName(part: string): boolean {
  // NTFS drops dots and spaces at the end, and opens streams with a colon
  const normalizedName = part
    .replaceAll(IGNORED_BY_HFS, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return normalizedName === ".git" || normalizedName === "git~1" || part.toLowerCase().split("\\").includes(".git");
}

/**
 * Returns the problem of a link's target, or null. `..` may only be at the start, at most as often as the link has
 * parent folders, so that no chain of links can leave the tree.
 */
export function linkProblem(path: string, target: string): string | null {
  if (target.startsWith("/")) return `it links to the absolute path ${target}`;
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const names = parts.findIndex((part) => part !== "..");
  const climbs = names === -1 ? parts.length : names;
  const depth = path.split("/").length - 1;
  if (climbs > depth || parts.slice(climbs).includes("..")) return `it links out of the repository (${target})`;
  return parts.some(isGitName) ? `it links into git's own folder (${target})` : null;
}

/** A problem that the modes show: a submodule was added, removed or moved. */
export function modeProblem(entry: RawEntry): string | null {
  return entry.oldMode === "160000" || entry.newMode === "160000" ? "it adds or changes a submodule" : null;
}

/**
 * Changed paths that equal another path on a file system that ignores case (macOS, Windows); `all` are the candidate's
 * paths. Folders count: `Src/a` and `src/b` collide. Each item has the spellings of one name.
 */
export function caseCollisions(changed: ReadonlySet<string>, all: readonly string[]): string[][] {
  const spellings = new Map<string, Set<string>>();
  const touchedNames = new Set<string>();
  for (const path of all) {
    for (const prefix of prefixesOf(path)) {
      const foldedPath = prefix.normalize("NFC").toLowerCase();
      const spellingsOfPath = spellings.get(foldedPath) ?? new Set();
      spellings.set(foldedPath, spellingsOfPath.add(prefix));
      if (changed.has(path)) touchedNames.add(prefix);
    }
  }
  const collisions = [...spellings.values()].filter((spelled) => spelled.size > 1);
  return collisions
    .filter((spelled) => [...spelled].some((prefix) => touchedNames.has(prefix)))
    .map((spelled) => [...spelled].sort());
}

/** The path and all folders above it: `a`, `a/b`, `a/b/c`. */
export function prefixesOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
