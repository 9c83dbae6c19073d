/** phpstan, psalm, php-cs-fixer, phpcs and pint. */
import type {Tool, ToolFiles} from "./tool.ts";

export const phpstan: Tool = {
  name: "phpstan",
  output: {
    markers: [" ------ ---", "  Line   "],
    lines: [
      {
        patterns: [
          /^ {2}Line +(?<file>\S+)(?: \(in context.*\))? *$/,
          /^ [ -]+$/,
          /^ {2}(?:(?<line>\d+)| {4,}) +(?<message>\S.*?) *$/,
        ],
        isList: true,
      },
    ],
  },
};

export const phpstanFiles: ToolFiles = {
  kind: "lint",
  files: /^phpstan(\.dist)?\.neon(\.dist)?$/,
  programs: ["phpstan"],
  declared: {in: "composer.json", packages: ["phpstan/phpstan", "larastan/larastan", "nunomaduro/larastan"]},
};

export const psalm: Tool = {
  name: "psalm",
  output: {
    markers: ["ERROR: ", "error - "],
    lines: [
      /^(?<severity>ERROR|INFO): (?<code>[A-Z]\w+) - (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) - (?<message>.*)$/,
      /^(?<file>[^\s:]+\.php):(?<line>\d+):(?<column>\d+):(?<severity>error|warning|info) - (?<message>.*)$/,
    ],
  },
};

export const psalmFiles: ToolFiles = {
  kind: "lint",
  files: /^psalm\.xml(\.dist)?$/,
  programs: ["psalm"],
  declared: {in: "composer.json", packages: ["vimeo/psalm"]},
};

export const phpCsFixerFiles: ToolFiles = {
  kind: "lint",
  files: /^\.php-cs-fixer(\.dist)?\.php$/,
  programs: ["php-cs-fixer"],
  declared: {in: "composer.json", packages: ["friendsofphp/php-cs-fixer"]},
};

export const phpcsFiles: ToolFiles = {
  kind: "lint",
  files: /^\.?phpcs\.xml(\.dist)?$/,
  programs: ["phpcs"],
  declared: {in: "composer.json", packages: ["squizlabs/php_codesniffer"]},
};

export const pint: Tool = {
  name: "pint",
  fixes: [{check: /(?<tool>pint)\b.* --test\b/, fix: "", files: /\.php$/}],
};
