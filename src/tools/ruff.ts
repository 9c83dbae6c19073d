/** ruff: its linter and its formatter. */
import {PYTHON, PYTHON_SOURCE} from "./file-kinds.ts";
import {alignRules, ignoresMore, losesRules} from "./ruff-rules.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const ruff: Tool = {
  name: "ruff",
  output: {
    markers: ["--> "],
    blocks: [
      {
        start: /^(?<code>[A-Z]{1,5}\d{2,4}|invalid-syntax|unformatted)(?: \[[*-]\])?:? (?<message>\S.*)$/,
        end: /^$|^[A-Z]{1,5}\d{2,4} |^Found \d/,
        maxLines: 30,
        inside: [/^ *--> (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/],
      },
    ],
  },
  fixes: [
    {commands: ["ruff format"], with: ["--check", "--diff"], fix: "format", files: PYTHON},
    {commands: ["ruff check"], without: ["--fix*"], fix: "check --fix", files: PYTHON},
  ],
};

/** TOML files, with the keys of the table, in which `exclude` and `extend-exclude` list paths that ruff does not read. */
export const RUFF_TABLES: readonly (readonly [file: string, ...keys: string[]])[] = [
  ["pyproject.toml", "tool", "ruff"],
  ["ruff.toml"],
];

export const ruffCommand: ToolCommand = {
  programs: ["ruff"],
  traits: ["python package"],
  kinds: {lint: ["ruff check", "ruff format"]},
  lintedFiles: PYTHON_SOURCE,
  readOnly: [
    {commands: ["ruff check"], without: ["--fix*", "--unsafe-fixes", "--output-file"]},
    {commands: ["ruff format"], with: ["--check", "--diff"]},
  ],
  unsafe: [{match: "ruff format !--check !--diff", add: ["--check"]}],
  actions: {
    "astral-sh/ruff-action": "ruff {args=check} {src}",
    "chartboost/ruff-action": "ruff {args=check} {src}",
  },
  config: {
    kind: "lint",
    files: /^\.?ruff\.toml$/,
    readers: ["ruff"],
  },
};

/** The tables of `[tool.ruff]` in a `pyproject.toml`, as they are in a `ruff.toml`. */
function ownTables(text: string): string {
  const tables = text.split(/^(?=\[)/m).filter((table) => /^\[tool\.ruff[.\]]/.test(table));
  return tables
    .map((table) => table.replace(/^\[tool\.ruff\]/, "").replace(/^\[tool\.ruff\./, "["))
    .toSorted((one, other) => Number(one.startsWith("[")) - Number(other.startsWith("[")))
    .join("\n");
}

export const ruffIntegrity: ToolIntegrity = {
  parts: {
    pythonSettings: /\.?ruff\.toml/,
    overridingFiles: /\.?ruff\.toml/,
    ownNames: /ruff/,
    caches: /ruff_cache/,
    passingOption: /exit-zero/,
  },
  suppressions: [
    {name: "noqa for the file", files: PYTHON, pattern: /^\s*#\s*ruff:\s*noqa/, isWide: true},
    {name: "noqa", files: PYTHON, pattern: /#\s*noqa\b/},
  ],
  alignment: {files: /(?:^|\/)(?:pyproject|\.?ruff)\.toml$/, align: alignRules},
  settings: [
    {
      files: "python",
      rules: [
        [/per-file-ignores \S*\btests?\b\S*$/, "grows", "note"],
        [/^(?:tool ruff )?lint ignore$/, ignoresMore],
        [/^(?:tool ruff )?builtins$/, "grows"],
        [/^(?:tool ruff )?(?:lint )?dummy-variable-rgx$/, "appears"],
        [/^(?:tool ruff )?lint select$/, losesRules],
        [/^(?:tool ruff )?lint (?:mccabe|pylint) max-\S+$/, "higher"],
        [/(?:^|ruff |lint )(?:extend-)?(?:ignore|exclude|per-file-ignores(?: .+)?|disable|extend_ignore)$/, "grows"],
        [/^(?:tool ruff )?include$/, "narrows"],
        [/^(?:tool ruff )?(?:lint )?preview$/, "off"],
      ],
    },
  ],
  openSettings: [
    {
      files: /(?:^|\/)(?:pyproject|\.?ruff)\.toml$/,
      keys: /^(?:tool ruff )?lint (?:flake8-\S+|pylint|pep8-naming|pycodestyle|pyflakes|pydoclint|ruff|explicit-preview-rules)(?: |$)/,
      harmless: / flake8-(?:quotes|import-conventions|type-checking|copyright) /,
    },
  ],
  precedence: [
    {
      name: /^\.?ruff\.toml$/,
      hides: /^(?:pyproject|\.?ruff)\.toml$/,
      isInherited: true,
      asEarlier({path, text}) {
        if (!path.endsWith("pyproject.toml")) return {path, text};
        return {path: path.replace(/pyproject\.toml$/, "ruff.toml"), text: ownTables(text)};
      },
    },
  ],
  configuredOptions: [
    {
      tools: /^ruff check$|^ruff$/,
      files: /(?:^|\/)(?:pyproject|\.?ruff)\.toml$/,
      words(key, values) {
        const name = /^(?:tool ruff )?(?:lint )?((?:extend-)?(?:select|ignore))$/.exec(key)?.[1];
        return name === undefined ? [] : [`--${name}`, values.join(",")];
      },
    },
  ],
  commandOptions: [
    {
      tools: /^ruff (?:check|format)$|^ruff$/,
      harmless:
        /^(?:-[nqv]+|--(?:output-format|no-cache|quiet|statistics|extend-select|preview|fix|no-fix|unsafe-fixes|show-fixes|color|cache-dir|exit-non-zero-on-fix|diff|check|verbose|force-exclude|no-respect-gitignore|show-source|line-length|format))$/,
    },
  ],
};
