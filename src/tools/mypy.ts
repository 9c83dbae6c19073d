/** mypy. */

import {PYTHON, WRITES_REPORT} from "./file-kinds.ts";
import {withDefaults, withImplied} from "./implied-settings.ts";
import {lineFormat} from "./line-format.ts";
import {hyphenated, optionWords} from "./option-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {IsWeaker, ToolIntegrity} from "./tool-integrity.ts";

export const mypy: Tool = {
  name: "mypy",
  output: {
    markers: [".py:", ".pyi:"],
    lines: [lineFormat("%f<py|pyi>:%l{:%c}{:%e:%k}: %t<error|warning|note|info>: %m{  [%n]}")],
  },
};

export const mypyCommand: ToolCommand = {
  programs: ["mypy", "dmypy"],
  traits: ["python package"],
  kinds: {typecheck: ["mypy", "dmypy"]},
  reads: {family: "python", commands: ["mypy"]},
  readOnly: [{commands: ["mypy"], without: WRITES_REPORT}],
  buildFiles: ["mypy.ini"],
  config: {
    kind: "typecheck",
    files: /^\.?mypy\.ini$/,
    readers: ["mypy"],
  },
};

/** What `strict` turns on (mypy.readthedocs.io, "mypy --strict"). */
const STRICT_SETTINGS = new Set([
  ...["warn_unused_configs", "disallow_any_generics", "disallow_subclassing_any", "disallow_untyped_calls"],
  ...["disallow_untyped_defs", "disallow_incomplete_defs", "check_untyped_defs", "disallow_untyped_decorators"],
  ...["warn_redundant_casts", "warn_unused_ignores", "warn_return_any", "no_implicit_reexport", "strict_equality"],
  ...["strict_bytes", "extra_checks"],
]);
/** Settings that are on without being set. */
const IS_DEFAULT = /(?:^| )(?:no_implicit_optional|strict_optional|warn_no_return) True$/i;

/** A plug-in can silence every error. Those of packages have the tool, or what they are, in their name. */
const loadsOwnPlugin: IsWeaker = (before, after) =>
  after.some((item) => !before.includes(item) && (/\.py\b/.test(item) || !/mypy|plugin|typing/.test(item)));

export const mypyIntegrity: ToolIntegrity = {
  parts: {
    pythonSettings: /\.?mypy\.ini/,
    overridingFiles: /\.?mypy\.ini/,
    ownNames: /mypy/,
    caches: /mypy_cache/,
    strictComment: /#\s*(mypy:\s*(?:strict|disallow)[\w-]*)/,
  },
  suppressions: [
    {
      name: "mypy: ignore-errors",
      files: PYTHON,
      pattern: /^\s*#\s*mypy:\s*(?:ignore-errors|allow-untyped|disable-error-code)|^\s*#\s*type:\s*ignore\b/,
      isWide: true,
    },
    {name: "type: ignore", files: PYTHON, pattern: /#\s*(?:type|mypy):\s*ignore\b/},
    {
      name: "no_type_check",
      files: PYTHON,
      pattern: /^\s*@(?:\w+\.)?no_type_check\b|^\s*if\s+not\s+(?:\w+\.)?TYPE_CHECKING\b/,
    },
  ],
  movedAlias: {from: /^(?:tool )?mypy(?:-\S+| overrides) /, to: "mypy overrides "},
  alignment: {
    files: "python",
    align: (pair) =>
      withDefaults(withImplied(pair, {name: "strict", implies: STRICT_SETTINGS}), (key, value) =>
        IS_DEFAULT.test(`${key} ${value}`),
      ),
  },
  settings: [
    {
      files: "python",
      rules: [
        [/mypy(?:-[^ ]+)? overrides ignore_missing_imports$/, "appears", "note"],
        [
          /(?:^|mypy(?:-[^ ]+)? (?:overrides )?|overrides )(?:ignore_errors|ignore_missing_imports|allow_\w+|implicit_optional|disable_error_code|implicit_reexport)$/,
          "appears",
        ],
        [
          /(?:^|mypy(?:-[^ ]+)? (?:overrides )?|overrides )(?:strict\w*|disallow_\w+|no_implicit_\w+|warn_\w+|check_untyped_defs|local_partial_types)$/,
          "off",
        ],
        [/mypy files$/, "narrows-folders"],

        [/mypy plugins$/, loadsOwnPlugin],
      ],
    },
  ],
  openSettings: [
    {
      files: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|\.?mypy\.ini)$/,
      keys: /^(?:tool )?mypy(?:-\S+)? /,
      harmless:
        / (?:python_(?:version|executable)|plugins|mypy_path|cache\w*|show_\w+|pretty|color_output|error_summary|namespace_packages|explicit_package_bases|platform|module|incremental|sqlite_cache|native_parser|init_\w+|fast_module_lookup|num_workers|html_report|install_types|non_interactive|django_settings_module)$/,
    },
  ],
  configuredOptions: [
    {
      tools: /^mypy$/,
      files: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|\.?mypy\.ini)$/,
      words(key, values) {
        const name = /^(?:tool )?mypy (\w+)$/.exec(key)?.[1] ?? "";
        if (name === "") return [];
        if (name === "files") return values;
        return optionWords(hyphenated(name).replace(/^packages$/, "package"), values);
      },
    },
  ],
  commandOptions: [
    {
      tools: /^mypy$/,
      harmless:
        /^(?:-v+|--(?:pretty|show-[\w-]+|(?:no-)?incremental|cache-dir|junit-xml|junit-format|warn-[\w-]+|disallow-[\w-]+|strict(?:-\w+)*|check-untyped-defs|no-implicit-[\w-]+|no-allow-[\w-]+|extra-checks|enable-error-code|local-partial-types|(?:no-)?color-output|no-error-summary|hide-[\w-]+|(?:explicit-package-bases|namespace-packages)|python-(?:version|executable)|install-types|non-interactive|verbose|[\w-]+-report|sqlite-cache|num-workers|no-site-packages))$/,
    },
  ],
};
