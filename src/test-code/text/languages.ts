/** The languages whose tests and suppressions are read: their file endings, comments and strings. Data only. */

export type LanguageName = "javascript" | "python" | "go" | "rust" | "java";

export interface Language {
  readonly name: LanguageName;
  readonly endings: readonly string[];
  readonly lineComment: string;
  readonly blockComment: readonly [string, string] | null;
  /** delimiters of strings, longest first; a string of one character ends with its line unless it is in `multiline` */
  readonly quotes: readonly string[];
  readonly multiline: readonly string[];
  /** strings without escapes */
  readonly raw: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: "javascript",
    endings: [
      ...["", "c", "m"].flatMap((kind) => ["js", "jsx", "ts", "tsx"].map((name) => `.${kind}${name}`)),
      ".vue",
      ".svelte",
    ],
    lineComment: "//",
    blockComment: ["/*", "*/"],
    quotes: ["`", '"', "'"],
    multiline: ["`"],
    raw: [],
  },
  {
    name: "python",
    endings: [".py", ".pyi"],
    lineComment: "#",
    blockComment: null,
    quotes: ['"""', "'''", '"', "'"],
    multiline: ['"""', "'''"],
    raw: [],
  },
  {
    name: "go",
    endings: [".go"],
    lineComment: "//",
    blockComment: ["/*", "*/"],
    quotes: ["`", '"', "'"],
    multiline: ["`"],
    raw: ["`"],
  },
  {
    name: "rust",
    endings: [".rs"],
    lineComment: "//",
    blockComment: ["/*", "*/"],
    quotes: ['"'],
    multiline: ['"'],
    raw: [],
  },
  {
    name: "java",
    endings: [".java", ".kt", ".kts", ".groovy", ".scala"],
    lineComment: "//",
    blockComment: ["/*", "*/"],
    quotes: ['"""', '"', "'"],
    multiline: ['"""'],
    raw: [],
  },
];

/** The language of a file by its ending; null if it is none of these. */
export function languageOf(path: string): Language | null {
  return LANGUAGES.find(({endings}) => endings.some((ending) => path.endsWith(ending))) ?? null;
}
