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

export interface RequestedCoverage extends Pick<Stage, "command" | "env"> {
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
          const modules = {checkout, paths: (await options.paths?.()) ?? new Set<string>()};
          const goPath = rule.format === "goProfile" ? await goPaths(modules) : null;
          const seen = {checkout, folders: [checkout, options.checkout], cwd, paths: new Set(paths), goPath};
          const files = await reportsOf(rule, {folder: join(checkout, cwd), file});
          const runs = await Promise.all(
            files.map((path) => readReport({rule, path, sinceMs, pathOf: pathsIn(seen, path)})),
          );
          await rm(file, {recursive: true, force: true}).catch(() => undefined);
          const read = runs.filter((one) => one !== null);
          return read.length === 0 ? null : joinLineRuns(read);
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
  /** names of the checkout's folder that a report may contain */
  readonly folders: readonly string[];
  readonly cwd: string;
  readonly paths: ReadonlySet<string>;
  readonly goPath: PathOf | null;
}

/** How the report in this file names the paths. */
function pathsIn({checkout, folders, cwd, paths, goPath}: SeenPaths, report: string): PathOf {
  // A report of Java names packages, and lies in the folder of its module.
  const [module = ""] = relative(checkout, report).split(/(?:^|\/)target\//);
  return (name) => {
    if (goPath !== null) return onlyIn(paths, goPath(name));
    const folder = folders.find((one) => name.startsWith(`${one}/`));
    const path = folder === undefined ? posix.join(cwd, name) : name.slice(folder.length + 1);
    const ofModule = [...paths].find((one) => one.startsWith(posix.join(module, "src")) && one.endsWith(`/${name}`));
    return onlyIn(paths, path) ?? (/\.(?:java|kt)$/.test(name) ? (ofModule ?? null) : null);
  };
}

const onlyIn = (paths: ReadonlySet<string>, path: string | null): string | null =>
  path !== null && paths.has(path) ? path : null;

async function readReport(options: {
  rule: CoverageRule;
  path: string;
  sinceMs: number;
  pathOf: PathOf;
}): Promise<LineRuns | null> {
  const {rule, path, sinceMs, pathOf} = options;
  await using file = await openPlain(path);
  const stat = await file?.stat();
  if (!file || !stat?.isFile() || stat.ctimeMs < sinceMs || stat.size > MAX_BYTES) return null;
  return readLineRuns(rule.format, await file.readFile("utf8"), pathOf);
}
