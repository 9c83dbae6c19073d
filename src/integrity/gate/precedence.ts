/** Files that a tool reads in place of another file that is still there. */
import type {InspectedFile} from "../source/inspected-change.ts";

interface PrecedenceRule {
  readonly name: RegExp;
  /** the files that are not read any more */
  readonly hides: RegExp;
  /** files in the folders above are not read either */
  readonly isInherited?: boolean;
}

const RULES: readonly PrecedenceRule[] = [
  {name: /^vitest\.config\.\w+$/, hides: /^vite\.config\.\w+$/},
  {name: /^\.mocharc\.[cm]?js$/, hides: /^\.mocharc\.(?:ya?ml|jsonc?)$/},
  {name: /^\.?ruff\.toml$/, hides: /^(?:pyproject|\.?ruff)\.toml$/, isInherited: true},
  {name: /^\.?pytest\.ini$/, hides: /^(?:pyproject\.toml|tox\.ini|setup\.cfg)$/},
  {name: /^GNUmakefile$/, hides: /^[Mm]akefile$/},
  {name: /^makefile$/, hides: /^Makefile$/},
];

export const takesPrecedence = (path: string): boolean => RULES.some(({name}) => name.test(nameOf(path)));

/** The nearest of `paths` that the new file at `path` hides. */
export function hiddenBy(path: string, paths: readonly string[]): string | null {
  const rule = RULES.find(({name}) => name.test(nameOf(path)));
  if (rule === undefined) return null;
  const isHidden = (one: string): boolean =>
    one !== path &&
    rule.hides.test(nameOf(one)) &&
    (rule.isInherited === true ? path.startsWith(folderOf(one)) : folderOf(path) === folderOf(one));
  return paths.filter(isHidden).toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** Compares a new file with the one that it hides. A file that extends the hidden one changes only what it says. */
export function besideHidden(file: InspectedFile, hidden: {path: string; text: string}): InspectedFile {
  if (/pytest\.ini$/.test(file.path)) return besidePytest(file, hidden);
  const before = hidden.path.endsWith("pyproject.toml") ? ruffTables(hidden.text) : hidden.text;
  if (before.trim() === "" || /^\s*extend\s*=|mergeConfig/m.test(file.after ?? "")) return file;
  return {...file, basePath: hidden.path.replace(/pyproject\.toml$/, "ruff.toml"), status: "renamed", before};
}

/** pytest reads `pytest.ini` only, even if it is empty (docs.pytest.org, "Configuration file formats"). */
function besidePytest(file: InspectedFile, hidden: {path: string; text: string}): InspectedFile {
  const table = /^\[(?:tool\.pytest(?:\.ini_options)?|pytest|tool:pytest)\]\n([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(
    hidden.text,
  )?.[1];
  if (table === undefined) return file;
  const before = `[pytest]\n${
    hidden.path.endsWith(".toml")
      ? table
          .replace(/^\s*[[\]],?\s*$/gm, "")
          .replace(/= *\[(.*)\]$/gm, "= $1")
          .replace(/"/g, "")
      : table
  }`;
  return {...file, basePath: file.path, status: "modified", before};
}

/** The tables of `[tool.ruff]` as they are in a `ruff.toml`. */
function ruffTables(text: string): string {
  const tables = text.split(/^(?=\[)/m).filter((table) => /^\[tool\.ruff[.\]]/.test(table));
  return tables
    .map((table) => table.replace(/^\[tool\.ruff\]/, "").replace(/^\[tool\.ruff\./, "["))
    .toSorted((one, other) => Number(one.startsWith("[")) - Number(other.startsWith("[")))
    .join("\n");
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
