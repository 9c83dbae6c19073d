/** phpstan, psalm, php-cs-fixer, phpcs and pint. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

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

export const psalm: Tool = {
  name: "psalm",
  output: {
    markers: ["ERROR: ", "error - "],
    lines: [lineFormat("%F<php>:%l:%c:%t<error|warning|info> - %m")],
  },
};

export const phpLinterCommands: readonly ToolCommand[] = [
  {
    kinds: {typecheck: ["phpstan"]},
    buildFiles: ["phpstan.neon*"],
  },
  {
    kinds: {typecheck: ["psalm"]},
  },
  {
    kinds: {lint: ["php-cs-fixer"]},
    unsafe: [{match: "php-cs-fixer fix !--dry-run", add: ["--dry-run"]}],
  },
  {
    kinds: {lint: ["phpcs"]},
    unsafe: [{match: "phpcbf"}],
  },
  {
    kinds: {lint: ["pint"]},
    unsafe: [{match: "pint !--test", add: ["--test"]}],
  },
];

export const phpLintersIntegrity: ToolIntegrity = {
  suppressions: [
    {
      name: "@phpstan-ignore",
      files: [".php"],
      pattern:
        /@(?:phpstan-ignore|psalm-suppress|codeCoverageIgnore|phan-suppress)|\bphpcs:(?:ignore|disable)|\/\/\s*@codingStandardsIgnore/,
    },
  ],
};
