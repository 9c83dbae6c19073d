/** Runners that start the same script in several packages. */
import type {Tool} from "./tool.ts";

export const turbo: Tool = {
  name: "turbo",
  summaries: [{pattern: /^\s*(?:WARNING\s+)?(?<zero>No tasks were executed as part of this run)/gm}],
};

export const lerna: Tool = {
  name: "lerna",
  summaries: [{pattern: /^lerna info (?<zero>No packages found with the lifecycle script)/gm}],
};

export const nx: Tool = {
  name: "nx",
  summaries: [{pattern: /^\s*(?:NX\s+)?(?<zero>No tasks were run)/gm}],
};

export const nox: Tool = {
  name: "nox",
  summaries: [{pattern: /^nox > Session \S+ (?<zero>skipped): /gm}],
};
