/** eslint and the linters that use its formats: stylish, compact, unix. */

import {posix} from "node:path";
import {withFormatter} from "./eslint-format-rules.ts";
import {losesPresets} from "./eslint-presets.ts";
import {ESLINT_WRITES, LINTED_SCRIPT, SCRIPT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import {nameSet} from "./names.ts";
import {fittingFiles, splitAt} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {IsWeaker, ToolIntegrity} from "./tool-integrity.ts";

export const HEADER = /^(?<file>(?:[A-Za-z]:)?[^\s:]+\.\w{1,10}|\/[^:]+)$/;
/** Options of ESLint that take the next word, written without `=`. */
const VALUED = nameSet(
  "--ext --max-warnings --config --format --cache-location --cache-strategy --ignore-pattern --rule",
  "--parser --plugin",
);

export const eslint: Tool = {
  name: "eslint",
  output: {
    warningsPass: true,
    markers: [
      "  error  ",
      "  warning  ",
      "  error ",
      "  warning ",
      " Error - ",
      " Warning - ",
      "[Error/",
      "[Warning/",
      "✖ ",
    ],
    lines: [
      {
        patterns: [
          HEADER,
          /^ {1,4}(?<line>\d+):(?<column>\d+)(?:-\d+:\d+)? +(?<severity>error|warning|info) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/:-]+))?$/,
        ],
        isList: true,
      },
      lineFormat("%f: line %l, col %c, %t<Error|Warning> - %m{ (%n)}"),
    ],
  },
  narrowToFiles: {
    commands: ["eslint"],
    narrow: ({words, files}) => {
      const [call, rest] = splitAt(words, "eslint");
      const options = rest.filter((word) => word.startsWith("-"));
      const places = rest.filter((word) => !word.startsWith("-"));
      const isPlain = options.every((word) => /^--[\w-]+(=\S+)?$/.test(word) && !VALUED.has(word));
      const isInPlace = (file: string) => places.some((place) => !/^\.\.(?:\/|$)/.test(posix.relative(place, file)));
      const scripts = fittingFiles(files.filter(isInPlace), SCRIPT);
      if (scripts === null || !isPlain || places.some((place) => /[*?{['"]/.test(place))) return null;
      return [...call, ...options, "--no-error-on-unmatched-pattern", ...scripts].join(" ");
    },
  },
  fixes: [{commands: ["eslint"], without: ["--fix*"], fix: "--fix", files: LINTED_SCRIPT}],
};

export const eslintCommand: ToolCommand = {
  programs: ["eslint"],
  traits: ["node package", "never a script"],
  kinds: {lint: ["eslint"]},
  lintedFiles: LINTED_SCRIPT,
  readOnly: [{commands: ["eslint"], without: ESLINT_WRITES}],
  buildFiles: [".eslintrc*", "eslint.config.*", ".eslintignore"],
  config: {
    kind: "lint",
    files: /^(eslint\.config\.[cm]?[jt]s|\.eslintrc(\.(c?js|json|ya?ml))?)$/,
    readers: ["eslint", "xo", "standard", "next lint", "ng lint"],
    declared: {in: "package.json", packages: ["eslint"]},
  },
};

/** Folders whose files may have looser rules. */
const OTHER_FOLDER = /(?:^|\/)(?:tests?|specs?|__tests__|scripts?|examples?|fixtures?|bench\w*|docs?|e2e|stories)\//;

/** Another block limits nothing; whether a rule lost its files is known by rule. */
const losesFiles: IsWeaker = (before, after) => before.length > 0 && !before.every((item) => after.includes(item));

export const eslintIntegrity: ToolIntegrity = {
  parts: {
    pluginFiles: /eslint\.config\.[cm]?[jt]s/,
    blockFiles: /eslint\.config\./,
    ownNames: /eslint/,
    checkPackages: /eslint/,
    caches: /eslintcache/,
  },
  suppressions: [
    {
      name: "eslint-disable",
      files: SCRIPT,
      pattern: /\/\*\s*(?:eslint|oxlint)-disable(?!-)\b(?![\s\w@/,-]*--)(?:\s*\*\/|(?=\s))/,
      isWide: true,
    },
    {
      name: "eslint rule: off",
      files: SCRIPT,
      pattern: /\/\*\s*eslint\s+(?:[^*]*,\s*)?[\w@/-]+\s*:\s*\[?\s*["']?(?:off|0)\b/,
      isWide: true,
    },
    {name: "eslint-disable", files: SCRIPT, pattern: /(?:eslint|oxlint)-disable-(?:next-)?line\b/},
  ],
  alignment: {
    files: /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[^/]*|package\.json)$/,
    align: withFormatter,
  },
  settings: [
    {files: /(?:^|\/)eslint\.config\.[^/]*$/, rules: [[/^files$/, losesFiles]]},
    {
      // oxlint has the rules of ESLint.
      files: /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[^/]*|\.oxlintrc\.json|package\.json)$/,
      rules: [
        [
          /(?:^|(?:eslintConfig|overrides) )(?:(?:eslintConfig|overrides|xo) )*rules [^ ]+$|^categories \w+$/,
          "rule-lower",
        ],
        [/(?:^| )rules \S*(?:max-\S+|complexity)(?: max\w*| limit)$/, "higher"],
        [/^configs$/, losesPresets],
        [/^spreads$/, "shrinks"],
        [/^(?:limited|off) \S+$/, "switched-on"],
        [/(?:^| )rules \S*(?:restrict|forbid|disallow|banned)\S*(?: \S+)*$/, "shrinks"],
        [/(?:^| )rules \S+ (?:\S*(?:[iI]gnore|[aA]llow|[eE]xcept|[sS]kip)\S*)$/, "widens"],
        [/(?:^| )rules \S+ \w+$/, "switched-off"],
        [
          /(?:^| )globals (?!(?:window|document|navigator|location|history|\w+Storage|fetch|console|process|Buffer|require|module|exports|__\w+|global\w*|describe|it|test|expect|jest|vi|assert|suite|before\w*|after\w*|set\w+|clear\w+|[A-Z]\w*|chrome|browser|google|jQuery|define|page|cy|self|context)$)[a-z_]\w*$/,
          "appears",
        ],
        [/(?:^| )processor$|^computed \w+$/, "appears"],
        [/(?:^|eslintConfig )(?:ignores|ignorePatterns|globalIgnores)$|^(?:overrides )?excludedFiles$/, "grows"],
        [/(?:^| )(?:reportUnusedDisableDirectives|reportUnusedInlineConfigs|noInlineConfig|projectService)$/, "off"],
        [/^(?:eslintConfig )?extends$/, losesPresets],
      ],
    },
  ],
  // A file next to the code comes before those in the folders above (eslint.org, "Configuration Files").
  precedence: [
    {
      name: /^\.eslintrc(?:\.\w+)?$/,
      hides: /^\.eslintrc(?:\.\w+)?$/,
      isInherited: true,
      asEarlier(hidden, path, text) {
        if (OTHER_FOLDER.test(path) || /["']?extends\b/.test(text)) return null;
        // Without `root`, the rules of both files apply, and only those that the new file sets differ.
        return /["']?root["']?\s*:\s*true/.test(text)
          ? hidden
          : {path, text: text.replace(/(?<=:\s*\[?\s*)(?:["']off["']|0)(?![\w.])/g, '"error"')};
      },
    },
    {
      name: /^eslint\.config\.[cm]?[jt]s$/,
      hides: /^eslint\.config\.[cm]?[jt]s$/,
      isInherited: true,
      asEarlier: (hidden, path, text) =>
        OTHER_FOLDER.test(path) || /\bimport\b|\brequire\(|\bextends\b/.test(text) ? null : hidden,
    },
  ],
  sharedSettings: {
    files: /^(?!(?:.*\/)?(?:src|lib|dist|packages\/eslint-[^/]*)\/).*\.[cm]?[jt]s$/,
    pattern: /\brules\s*:\s*\{[^}]*:\s*\[?\s*["'](?:error|warn|off)["']/,
    readAs: "eslint.config.js",
  },
  commandOptions: [
    {
      tools: /^eslint$/,
      harmless:
        /^(?:-[fo]|--(?:cache(?:-\w+)*|(?:no-)?color|format|output-file|fix|fix-type|fix-dry-run|stats|concurrency|max-warnings|report-unused-[\w-]+|debug|exit-on-fatal-error|flag|prune-suppressions|max-old-space-size))$/,
    },
  ],
};
