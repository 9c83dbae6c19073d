/** Finds the lines of a diff that certainly contain only a comment. In doubt a line is code. */
import {isOfKind, YAML_FILE} from "../git/paths.ts";
import {PYTHON, SCRIPT_ENDINGS, SHELL} from "../tools/file-kinds.ts";
import type {DiffLines} from "./diff-parts.ts";

interface CommentForm {
  /** the endings of their names */
  readonly files: readonly string[];
  readonly line: RegExp;
  /** has blocks as in C, where each line begins with an asterisk */
  readonly hasBlocks: boolean;
}

const LIKE_C =
  ".java .kt .kts .scala .c .cc .cpp .cxx .h .hpp .cs .go .rs .swift .dart .groovy .gradle .css .scss .less .proto .zig";
const FORMS: readonly CommentForm[] = [
  {files: [...SCRIPT_ENDINGS, ...LIKE_C.split(" ")], line: /^\/\//, hasBlocks: true},
  {
    files: [...PYTHON, ...SHELL, ...YAML_FILE, ...".rb .zsh .toml .pl .r .R .ex .exs .jl .nim .tf".split(" ")],
    line: /^#(?![[!{])/,
    hasBlocks: false,
  },
  {files: [".sql", ".lua", ".hs", ".elm"], line: /^--(?!\[)/, hasBlocks: false},
  {files: [".clj", ".cljc", ".cljs", ".el", ".lisp", ".scm", ".rkt"], line: /^;/, hasBlocks: false},
];

const QUOTES = /"[^"]*"/;
const PAIR = /`[^`]*`|"[^"]*"|\{[^{}]*\}/;

/**
 * True if a comment has no code even if it is in a string or in JSX, where a quote or a brace ends the text: `//
 * ${run()}` is code in a template string, and `# '; run; '` in a script. One pair of quotes around a name is harmless.
 */
function isPlain(text: string, {hasBlocks}: CommentForm): boolean {
  const apostrophe = text.indexOf("'");
  if (apostrophe >= 0 && /[;|&(]/.test(text.slice(apostrophe))) return false;
  if (!/[`"\\{}$<]/.test(text)) return true;
  const withoutPair = text.replace(hasBlocks ? PAIR : QUOTES, (pair) => pair.slice(1, -1));
  return !/[`"\\{}$<([;=|&]/.test(withoutPair);
}

/**
 * Returns for each line whether it is a comment. A line such as `* run()` is one only after the line that opens its
 * block.
 */
export function findCommentLines(lines: DiffLines, path: string): boolean[] {
  const form = FORMS.find(({files}) => isOfKind(path, files));
  if (form === undefined) return lines.map(() => false);
  // An unchanged line belongs to the file before the change and to the file after it.
  const isInBlock = {"-": false, "+": false};
  return lines.map((line) => {
    const sides = (["-", "+"] as const).filter((side) => line.startsWith(side) || !/^[-+]/.test(line));
    const text = line.slice(1).trim();
    const opens = text.startsWith("/*");
    const isPart = form.hasBlocks && (opens || (text.startsWith("*") && sides.every((side) => isInBlock[side])));
    const end = text.indexOf("*/", opens ? 2 : 0);
    const isClosed = form.hasBlocks && end >= 0;
    const hasCodeAfter = isClosed && end < text.length - 2;
    const isComment =
      (isPart || form.line.test(text)) && !hasCodeAfter && !line.startsWith("@@ ") && isPlain(text, form);
    for (const side of sides) isInBlock[side] = isComment && isPart && !isClosed;
    return isComment;
  });
}
