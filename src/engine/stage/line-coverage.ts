/** Requests a report of the lines that a stage's tests run, and reads it as an untrusted file. */
import {randomBytes} from "node:crypto";
import {realpath, rm} from "node:fs/promises";
import {join, posix, relative} from "node:path";
import {joinLineRuns, type LineRuns, type PathOf, readLineRuns} from "../../diagnostics/reports/line-coverage.ts";
import {coverageRequestFor} from "../../diagnostics/reports/request-report.ts";
import type {Stage} from "../../record/plan.ts";
import type {CoverageRule} from "../../tools/tool.ts";
import {goPaths} from "./places.ts";
import {findReports, openPlain, type ReportOptions} from "./reports.ts";

const MAX_BYTES = 32 * 1024 * 1024;

interface RequestedCoverage extends Pick<Stage, "command" | "env"> {
  /** Reads and deletes the report of a run that began at `sinceMs` (wall clock). Null without a new, whole report. */
  read(sinceMs: number): Promise<LineRuns | null>;
}

export interface LineCoverage {
  /** For the lines of `paths`; null if no runner of this command can record them. */
  request(stage: Pick<Stage, "command" | "cwd" | "env">, paths: readonly string[]): Promise<RequestedCoverage | null>;
}

export function openCoverage(options: ReportOptions): LineCoverage {
  return {
    async request({command, cwd, env}, paths) {
      const name = `assay-lines-${randomBytes(8).toString("hex")}`;
      const request = coverageRequestFor({
        command,
        scripts: await options.scripts(cwd),
        file: posix.join(options.seenAs, name),
        paths: paths.map((path) => posix.relative(cwd, path)),
      });
      if (request === null) return null;
      const {rule, variables} = request;
      const added = Object.entries(variables).map(([key, words]) => [key, [env[key], words].filter(Boolean).join(" ")]);
      const [checkout, folder] = await Promise.all([realpath(options.checkout), realpath(options.reportFolder)]);
      const file = join(folder, name);
      return {
        command: request.command,
        env: {...env, ...Object.fromEntries(added)},
        async read(sinceMs) {
          const tree = rule.format === "goProfile" ? ((await options.paths?.()) ?? new Set<string>()) : null;
          const seen = {checkout, cwd, paths, goPath: tree && (await goPaths({checkout, paths: tree}))};
          const files = await reportsOf(rule, {folder: join(checkout, cwd), file});
          const runs = await Promise.all(
            files.map((path) => readReport(rule, {path, sinceMs, pathOf: pathsIn(seen, path)})),
          );
          await rm(file, {recursive: true, force: true}).catch(() => undefined);
          return runs.some((one) => one !== null) ? joinLineRuns(runs.map((one) => one ?? [])) : null;
        },
      };
    },
  };
}

async function reportsOf({written}: CoverageRule, at: {folder: string; file: string}): Promise<string[]> {
  // Some runners take the name of a folder.
  return written === undefined
    ? [at.file, join(at.file, "lcov.info")]
    : ((await findReports(at.folder, written)) ?? []);
}

interface SeenPaths {
  readonly checkout: string;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly goPath: PathOf | null;
}

/** How the report in this file names the paths. */
function pathsIn({checkout, cwd, paths, goPath}: SeenPaths, report: string): PathOf {
  // A report of Java names packages, and is in the folder of its module.
  const sources = posix.join(relative(checkout, report).split(/(?:^|\/)target\//, 1)[0] ?? "", "src/");
  return (name) => {
    const path = name.startsWith(`${checkout}/`) ? name.slice(checkout.length + 1) : posix.join(cwd, name);
    const own = goPath === null ? path : goPath(name);
    const ofModule = (one: string) =>
      /\.(?:java|kt)$/.test(name) && one.startsWith(sources) && one.endsWith(`/${name}`);
    return paths.find((one) => one === own || ofModule(one)) ?? null;
  };
}

async function readReport(
  {format}: CoverageRule,
  {path, sinceMs, pathOf}: {path: string; sinceMs: number; pathOf: PathOf},
): Promise<LineRuns | null> {
  await using file = await openPlain(path);
  const stat = await file?.stat();
  if (!file || !stat?.isFile() || stat.ctimeMs < sinceMs || stat.size > MAX_BYTES) return null;
  return readLineRuns(format, await file.readFile("utf8"), pathOf);
}
