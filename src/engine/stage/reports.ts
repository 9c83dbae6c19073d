/** Requests a machine-readable report from a stage's test runner, and reads it as an untrusted file. */
import {randomBytes} from "node:crypto";
import {constants} from "node:fs";
import {type FileHandle, open, readdir, realpath, rm, writeFile} from "node:fs/promises";
import {join, posix} from "node:path";
import {type Translation, translateGoEvents} from "../../diagnostics/reports/go-events.ts";
import {readJson} from "../../diagnostics/reports/json.ts";
import {type ReportRequest, reportRequestFor} from "../../diagnostics/reports/request-report.ts";
import {openTally} from "../../diagnostics/reports/tally.ts";
import type {Reported} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {PackageScripts} from "../../shell/started-script.ts";
import {isOptionIn} from "../../tools/names.ts";
import {goFiles, type TreePaths} from "./places.ts";

/** A limit for all reports of one stage. JSON is read as a whole, XML in parts. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_JSON_BYTES = 8 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
/** Limits of the search for reports that the project writes anyway. */
const MAX_FILES = 2_000;
const MAX_FOLDERS = 20_000;
const MAX_SETTINGS_BYTES = 256 * 1024;

/** A stage's command and variables that include the report request, and how to read the report. */
export interface RequestedReport {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** translates events that the runner prints to plain output; null if it prints its usual output */
  readonly translation: Translation | null;
  /** true if the runner or its wrapper may reject the added arguments or variables */
  readonly mayBeRefused: boolean;
  /** true if the runner writes a report at the end of each run */
  readonly isAnswered: boolean;
  /** true if the report covers all tests of the stage */
  readonly isWhole: boolean;
  /** true if the output names the report's file */
  isNamedIn(output: string): boolean;
  /** the output without lines that only name this file */
  withoutTrace(output: string): string;
  /**
   * Reads and deletes the report of a run that began at `sinceMs` (wall clock). Null unless it is new, complete, valid
   * and within the limits. Never rejects.
   */
  read(options: {sinceMs: number; succeeded: boolean}): Promise<Reported | null>;
}

export interface Reports {
  /** Null if no runner of this stage can write a report. */
  request(stage: Pick<Stage, "kind" | "command" | "cwd" | "env">): Promise<RequestedReport | null>;
}

export interface ReportOptions {
  readonly checkout: string;
  /** a folder outside the checkout that a stage can write, and the path where the stage sees it */
  readonly reportFolder: string;
  readonly seenAs: string;
  /** the base's, which commands may call */
  readonly scripts: (cwd: string) => Promise<PackageScripts>;
  /** the paths of the commit in the checkout; without it, no file of a Go package is known */
  readonly paths?: () => Promise<TreePaths>;
}

export function openReports(options: ReportOptions): Reports {
  return {
    async request({kind, command, cwd, env}) {
      if (kind !== "test" && kind !== "check") return null;
      const name = `assay-report-${randomBytes(8).toString("hex")}`;
      const question = reportRequestFor({
        command,
        scripts: await options.scripts(cwd),
        file: posix.join(options.seenAs, name),
      });
      if (question === null || (await isPreventedBySettings(question, {checkout: options.checkout, cwd}))) return null;
      const {tool, rule, variables, settings} = question;
      if (Object.keys(variables).some((key) => isTaken(rule, env[key] ?? ""))) return null;
      const [checkout, folder] = await Promise.all(
        [options.checkout, options.reportFolder].map((path) => realpath(path)),
      );
      if (checkout === undefined || folder === undefined) return null;
      const file = join(folder, name);
      const settingsFiles = settings === null ? [] : [join(folder, posix.basename(settings.path))];
      for (const path of settingsFiles) await writeFile(path, settings?.text ?? "", {flag: "wx"});
      const joinedVariables = Object.entries(variables).map(([key, words]) => [
        key,
        [env[key], words].filter(Boolean).join(" "),
      ]);
      const paths = rule.request.kind === "printed" ? ((await options.paths?.()) ?? new Set()) : null;
      const translation = paths && translateGoEvents(await goFiles({checkout, paths, cwd}));
      return {
        command: question.command,
        translation,
        env: {...env, ...Object.fromEntries(joinedVariables)},
        isAnswered: rule.format !== null && ["arguments", "environment"].includes(rule.request.kind),
        isWhole: question.coversAllTests,
        mayBeRefused: rule.request.kind !== "written",
        isNamedIn: (output) => output.includes(name),
        withoutTrace: (output) => output.replace(new RegExp(`^.*${name}.*\\n?`, "gm"), ""),
        async read(run) {
          const readResult =
            translation?.report() ??
            (await readAll(question, {...run, file, folder: join(checkout, cwd)}).catch(() => null));
          for (const path of [file, ...settingsFiles])
            await rm(path, {recursive: true, force: true}).catch(() => undefined);
          return readResult === null ? null : {tool, ...readResult};
        },
      };
    },
  };
}

/** True if the project's own value of the variable already requests a report. */
const isTaken = ({request, never}: ReportRequest["rule"], value: string): boolean =>
  request.kind === "environment" && request.isAlone === true
    ? value !== ""
    : value.split(" ").some((word) => isOptionIn(never, word));

/** True if the project's settings, from the stage's folder up to the root, prevent a request. */
async function isPreventedBySettings(
  {rule}: ReportRequest,
  options: {checkout: string; cwd: string},
): Promise<boolean> {
  const {unless} = rule;
  if (unless === undefined) return false;
  for (let at = options.cwd; ; at = posix.dirname(at)) {
    const names = await readdir(join(options.checkout, at)).catch(() => []);
    for (const name of names.filter((one) => unless.files.test(one))) {
      const text = await textOf(join(options.checkout, at, name));
      if (text === null || unless.says.test(text)) return true;
    }
    if (at === "." || at === "/") return false;
  }
}

async function textOf(path: string): Promise<string | null> {
  await using file = await openPlain(path);
  return file !== null && (await file.stat()).size <= MAX_SETTINGS_BYTES ? file.readFile("utf8") : null;
}

/** Refuses a link, which could lead anywhere, and does not block on a pipe. */
export function openPlain(path: string): Promise<FileHandle | null> {
  const {O_RDONLY, O_NOFOLLOW, O_NONBLOCK} = constants;
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
}

interface FinishedRun {
  readonly file: string;
  readonly folder: string;
  readonly sinceMs: number;
  readonly succeeded: boolean;
}

async function readAll({rule}: ReportRequest, run: FinishedRun): Promise<Omit<Reported, "tool"> | null> {
  const {request, format} = rule;
  const files = request.kind === "written" ? await findReports(run.folder, request.files) : [run.file];
  // In a successful run, a test that failed first and passed later was only retried.
  const tally = openTally({isLenient: run.succeeded});
  let bytesLeft = MAX_BYTES;
  let isAny = false;
  if (files === null || format === null) return null;
  for (const path of files) {
    await using file = await openPlain(path);
    if (file === null) continue;
    const {size, ctimeMs} = await file.stat();
    // A program can set the modification time of a file, but not this time.
    if (ctimeMs < run.sinceMs) continue;
    bytesLeft -= size;
    if (bytesLeft < 0 || (typeof format === "string" && size > MAX_JSON_BYTES)) return null;
    const isRead =
      typeof format === "string"
        ? readJson({text: await file.readFile("utf8"), form: format, tally})
        : await (await import("../../diagnostics/reports/junit.ts")).readJunit({
            parts: partsOf(file, size),
            form: format,
            tally,
          });
    if (!isRead) return null;
    isAny = true;
  }
  return isAny ? tally.result() : null;
}

async function* partsOf(file: FileHandle, size: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const buffer = Buffer.allocUnsafe(PART_BYTES);
  for (let at = 0; at < size; ) {
    const {bytesRead} = await file.read({buffer, position: at, length: Math.min(PART_BYTES, size - at)});
    if (bytesRead === 0) break;
    at += bytesRead;
    yield decoder.decode(buffer.subarray(0, bytesRead), {stream: true});
  }
}

/** Build folders, where tests of a build tool may have left reports of other runs. */
const BUILD_FOLDERS = new Set(["target", "build"]);

/** Matching paths below `root`, unordered; null if there are too many files. Links are not followed. */
export async function findReports(root: string, files: RegExp): Promise<string[] | null> {
  const paths: string[] = [];
  const pendingFolders = ["."];
  let folders = 0;
  for (let at = pendingFolders.pop(); at !== undefined; at = pendingFolders.pop()) {
    if (++folders > MAX_FOLDERS || paths.length > MAX_FILES) return null;
    const entries = await readdir(join(root, at), {withFileTypes: true}).catch(() => []);
    for (const entry of entries) {
      const path = posix.join(at, entry.name);
      if (entry.isFile() && files.test(path)) paths.push(join(root, path));
      else if (entry.isDirectory() && mayContain(path, entry.name)) pendingFolders.push(path);
    }
  }
  return paths;
}

function mayContain(path: string, name: string): boolean {
  if (name.startsWith(".") || name === "node_modules") return false;
  const parts = path.split("/").slice(0, -1);
  const buildAt = parts.findIndex((part) => BUILD_FOLDERS.has(part));
  return buildAt < 0 || /-reports$|^test-results$|^site$/.test(parts[buildAt + 1] ?? name);
}
