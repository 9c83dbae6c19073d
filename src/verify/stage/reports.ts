/** Asks a stage's test runner for a report for machines, and reads what it wrote: a foreign file, with no way to be trusted. */
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
import type {Scripts} from "../../shell/started-script.ts";

/** All reports of one stage; JSON is held whole, XML is read in parts. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_JSON_BYTES = 8 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
/** What is looked through for files that are written in any case. */
const MOST_FILES = 2_000;
const MOST_FOLDERS = 20_000;
const MOST_SETTINGS_BYTES = 256 * 1024;

/** A stage's command and variables with the question in them, and how to get at the answer. */
export interface RequestedReport {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** what makes plain output of events that the runner prints; null where it prints what it always does */
  readonly translation: Translation | null;
  /** true where the runner is given words or variables that it, or what is put around it, may not take */
  readonly mayBeRefused: boolean;
  /** true where the runner writes a report at the end of each run */
  readonly isAnswered: boolean;
  /** true where the report is of all tests of the stage */
  readonly isWhole: boolean;
  /** true where the output speaks of the report's own file */
  isNamedIn(output: string): boolean;
  /** the output without lines that only tell of this file */
  withoutTrace(output: string): string;
  /**
   * What the runner wrote in a run that began at `sinceMs` (wall clock) and ended with or without success. Null: nothing
   * that is new, whole, of its form and within bounds. Takes the file away. Never rejects.
   */
  read(o: {sinceMs: number; succeeded: boolean}): Promise<Reported | null>;
}

export interface Reports {
  /** Null where nobody in this stage can be asked. */
  ask(stage: Pick<Stage, "kind" | "command" | "cwd" | "env">): Promise<RequestedReport | null>;
}

/**
 * `folder` is the checkout; `here` a folder outside of it that a stage can write in, and `seen` its name for the stage.
 * `scripts` are the base's, by which commands may go.
 */
export function openReports(o: {
  folder: string;
  here: string;
  seen: string;
  scripts: (cwd: string) => Promise<Scripts>;
}): Reports {
  return {
    async ask({kind, command, cwd, env}) {
      if (kind !== "test" && kind !== "check") return null;
      const name = `assay-report-${randomBytes(8).toString("hex")}`;
      const question = reportRequestFor({command, scripts: await o.scripts(cwd), file: posix.join(o.seen, name)});
      if (question === null || (await isSettledOtherwise(question, {folder: o.folder, cwd}))) return null;
      const {tool, rule, variables, settings} = question;
      if (Object.keys(variables).some((key) => isTaken(rule, env[key] ?? ""))) return null;
      const [folder, here] = await Promise.all([o.folder, o.here].map((path) => realpath(path)));
      if (folder === undefined || here === undefined) return null;
      const file = join(here, name);
      const written = settings === null ? [] : [join(here, posix.basename(settings.path))];
      for (const path of written) await writeFile(path, settings?.text ?? "", {flag: "wx"});
      const joined = Object.entries(variables).map(([key, words]) => [
        key,
        [env[key], words].filter(Boolean).join(" "),
      ]);
      const translation = rule.request.kind === "printed" ? translateGoEvents() : null;
      return {
        command: question.command,
        translation,
        env: {...env, ...Object.fromEntries(joined)},
        isAnswered: rule.format !== null && ["arguments", "environment"].includes(rule.request.kind),
        isWhole: question.isOnly,
        mayBeRefused: rule.request.kind !== "written",
        isNamedIn: (output) => output.includes(name),
        withoutTrace: (output) => output.replace(new RegExp(`^.*${name}.*\\n?`, "gm"), ""),
        async read(run) {
          const read =
            translation?.report() ??
            (await readAll(question, {...run, file, folder: join(folder, cwd)}).catch(() => null));
          for (const path of [file, ...written]) await rm(path, {recursive: true, force: true}).catch(() => undefined);
          return read === null ? null : {tool, ...read};
        },
      };
    },
  };
}

/** True where the owner's own value of the variable asks for a report already. */
const isTaken = ({request, never}: ReportRequest["rule"], value: string): boolean =>
  request.kind === "environment" && request.isAlone === true
    ? value !== ""
    : value.split(" ").some((word) => never?.test(word) === true);

/** Settings of the project's own, from the stage's folder up to the checkout's. */
async function isSettledOtherwise({rule}: ReportRequest, o: {folder: string; cwd: string}): Promise<boolean> {
  const {unless} = rule;
  if (unless === undefined) return false;
  for (let at = o.cwd; ; at = posix.dirname(at)) {
    const names = await readdir(join(o.folder, at)).catch(() => []);
    for (const name of names.filter((one) => unless.files.test(one))) {
      const text = await textOf(join(o.folder, at, name));
      if (text === null || unless.says.test(text)) return true;
    }
    if (at === "." || at === "/") return false;
  }
}

async function textOf(path: string): Promise<string | null> {
  await using file = await openPlain(path);
  return file !== null && (await file.stat()).size <= MOST_SETTINGS_BYTES ? file.readFile("utf8") : null;
}

/** Opens no link, which could lead anywhere, and no pipe in a way that would make the bot wait. */
function openPlain(path: string): Promise<FileHandle | null> {
  const {O_RDONLY, O_NOFOLLOW, O_NONBLOCK} = constants;
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
}

interface Run {
  readonly file: string;
  readonly folder: string;
  readonly sinceMs: number;
  readonly succeeded: boolean;
}

async function readAll({rule}: ReportRequest, run: Run): Promise<Omit<Reported, "tool"> | null> {
  const {request, format} = rule;
  const files = request.kind === "written" ? await findWritten(run.folder, request.files) : [run.file];
  // Where the run is a success, what failed first and passed then was only a try.
  const tally = openTally({isLenient: run.succeeded});
  let left = MOST_BYTES;
  let isAny = false;
  if (files === null || format === null) return null;
  for (const path of files) {
    await using file = await openPlain(path);
    if (file === null) continue;
    const {size, ctimeMs} = await file.stat();
    // Unlike the time of its last write, this one cannot be set by a program.
    if (ctimeMs < run.sinceMs) continue;
    left -= size;
    if (left < 0 || (typeof format === "string" && size > MOST_JSON_BYTES)) return null;
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

/** Folders in which a build's own tests may have run builds, whose reports are not this run's. */
const BUILT = new Set(["target", "build"]);

/** Paths below `root` that fit, in no order; null where there are too many to say. Links are not followed. */
async function findWritten(root: string, files: RegExp): Promise<string[] | null> {
  const found: string[] = [];
  const pending = ["."];
  let folders = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (++folders > MOST_FOLDERS || found.length > MOST_FILES) return null;
    const entries = await readdir(join(root, at), {withFileTypes: true}).catch(() => []);
    for (const entry of entries) {
      const path = posix.join(at, entry.name);
      if (entry.isFile() && files.test(path)) found.push(join(root, path));
      else if (entry.isDirectory() && mayHold(path, entry.name)) pending.push(path);
    }
  }
  return found;
}

function mayHold(path: string, name: string): boolean {
  if (name.startsWith(".") || name === "node_modules") return false;
  const parts = path.split("/").slice(0, -1);
  const built = parts.findIndex((part) => BUILT.has(part));
  return built < 0 || /-reports$|^test-results$/.test(parts[built + 1] ?? name);
}
