/** Classifies files by their names: which files a tool accepts. */

export const ANY_FILE = [""];
export const SCRIPT_ENDINGS = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"];
export const SCRIPT = [...SCRIPT_ENDINGS, ".vue", ".svelte"];
export const LINTED_SCRIPT = [...SCRIPT, ".astro"];
export const TEST_SCRIPT = /(?:^|[./_-])tests?[./_-].*\.[cm]?[jt]sx?$|[._-]test\.[cm]?[jt]sx?$/;
export const PYTHON = [".py", ".pyi"];
export const RUBY = [".rb", ".rake", ".gemspec"];
export const SHELL = [".sh", ".bash"];
/** Files that linters of several languages read in addition to scripts. */
export const MARKED_UP = [...SCRIPT, ".json", ".jsonc", ".css", ".graphql", ".html", ".md", ".yml", ".yaml"];
export const PYTHON_SOURCE = [...PYTHON, ".ipynb"];

const ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs", "json", "jsonc", "yml", "yaml"];

/** The names under which a JavaScript tool searches its configuration. */
export function configFiles(...names: readonly string[]): string[] {
  return names.flatMap((name) => ENDINGS.map((ending) => `${name}.${ending}`));
}

/** Options that make ESLint, and linters with its options, write files. */
export const ESLINT_WRITES = ["--fix*", "--init*", "--output-file"];
/** Options that make Python's checkers install packages or write reports. */
export const WRITES_REPORT = ["--install-types", "--*report"];
