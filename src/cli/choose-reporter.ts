/** The reporters of `assay verify`. Only the chosen one is loaded. */
import type {Reporter, ReporterOptions} from "./reporters/reporter.ts";

export const REPORTERS = ["tree", "line", "json", "github", "junit", "sarif"] as const;
export type ReporterName = (typeof REPORTERS)[number];

const OPEN_REPORTER: Readonly<Record<ReporterName, (options: ReporterOptions) => Promise<Reporter>>> = {
  tree: async (options) => (await import("./reporters/tree.ts")).treeReporter(options),
  line: async (options) => (await import("./reporters/line.ts")).lineReporter(options),
  json: async (options) => (await import("./reporters/json.ts")).jsonReporter(options),
  github: async (options) => (await import("./reporters/github.ts")).githubReporter(options),
  junit: async (options) => (await import("./reporters/junit.ts")).junitReporter(options),
  sarif: async (options) => (await import("./reporters/sarif.ts")).sarifReporter(options),
};

/** Without a name: `tree` on a terminal, `line` otherwise. A tree cannot be drawn in a file or a pipe. */
export function openReporter(name: ReporterName | null, options: ReporterOptions): Promise<Reporter> {
  const isTerminal = options.out.isTTY === true;
  const chosenName = name ?? (isTerminal ? "tree" : "line");
  return OPEN_REPORTER[chosenName === "tree" && !isTerminal ? "line" : chosenName](options);
}
