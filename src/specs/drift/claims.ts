/** Reads a spec's references to code: files that it owns, files that it mentions, and names to define. */
import {plainPath} from "../../git/paths.ts";
import type {SpecFile} from "../find-specs.ts";

/** A spec with its text after the change, or before it if the change does not touch it. */
export interface SpecWithText extends SpecFile {
  readonly text: string;
}

const MAX_CHARS = 256 * 1024;
/** Begins at the start of a word only: a search inside long words would take quadratic time. */
const PATH = /(?<![\w@.-])[\w@.-]+(?:\/[\w@.()[\]-]+)+/g;
const SYMBOL = /`([A-Za-z_$][\w$]{2,80})(?:\([^`\n]{0,200}\))?`/g;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

/**
 * The files that a spec owns: the list `files` of its front matter. Without one, a spec that is kept in step with the
 * code owns the files that it mentions. A file that every run gets describes the whole project, and owns none.
 */
export function ownedPaths({text, format, isAlways}: SpecWithText): Set<string> {
  const pathsInHeader = declaredPaths(text);
  if (pathsInHeader.size > 0) return pathsInHeader;
  return format.isLiving && !isAlways ? mentionedPaths(text) : new Set();
}

/** Every path in a text. */
export function mentionedPaths(text: string): Set<string> {
  const paths = text.slice(0, MAX_CHARS).match(PATH) ?? [];
  return new Set(paths.map((path) => trimEndOf(plainPath(path), ".)]")));
}

/** The names in backticks, such as `parse_line` or `parse_line(text)`. */
export function namedSymbols(text: string): Set<string> {
  return new Set([...text.slice(0, MAX_CHARS).matchAll(SYMBOL)].map(([, name = ""]) => name));
}

export function identifiers(text: string): Set<string> {
  return new Set(text.match(IDENTIFIER));
}

function declaredPaths(text: string): Set<string> {
  const frontMatter = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text.slice(0, 20_000))?.[1] ?? "";
  const list = /^files:[ \t]*((?:\r?\n[ \t]*-.*)+)/m.exec(frontMatter)?.[1] ?? "";
  const items = list.split("\n").map((item) => trimEndOf(item.replace(/^[ \t]*-[ \t]*["']?/, ""), "\"' \t\r"));
  return new Set(items.filter((path) => path !== ""));
}

/**
 * Trims without a pattern: one such as `/[.)]+$/` takes quadratic time on a long run of these characters inside a text.
 */
function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
