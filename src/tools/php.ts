/** PHP itself: `php -l`, fatal errors and warnings. */
import type {Tool} from "./tool.ts";

export const php: Tool = {
  name: "php",
  output: {
    markers: ["PHP ", "Fatal error: ", "Parse error: "],
    lines: [
      /^(?:PHP )?(?<message>(?:Fatal|Parse|Recoverable fatal) error: .*) in (?<file>\S+)(?: on line |:)(?<line>\d+)$/,
      {
        patterns: [
          /^(?:PHP )?(?<severity>Warning|Notice|Deprecated): +(?<message>.*) in (?<file>\S+) on line (?<line>\d+)$/,
        ],
        severity: "warning",
      },
    ],
  },
};

/** Installs the packages of a composer.json without asking, and without running code of the project. */
export const COMPOSER_INSTALL = "composer install --no-interaction --no-progress --prefer-dist --no-scripts";
