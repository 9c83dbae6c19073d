/** Pest. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const pest: Tool = {
  name: "pest",
  summaries: [{pattern: /^ {2}Tests: {4}(?<list>\d[^\n]*) \(\d+ assertions?\)\s*$/gm}],
};

export const pestCommand: ToolCommand = {
  kinds: {test: ["pest", "artisan test"]},
  starts: {pest: ["phpunit"], "artisan test": ["phpunit", "pest"]},
  reads: {family: "php", commands: ["pest"]},
  namesProjects: {family: "php", files: ["tests/Pest.php"]},
};
