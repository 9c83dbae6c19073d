/** The library of the npm package: four commands of the command line as functions that return their JSON documents. */
import {spawn} from "node:child_process";
import {fileURLToPath} from "node:url";

/** `assay.plan/1`, with its most useful fields. The JSON Schema in `schemas/` has all of them. */
export interface PlanDocument {
  readonly schema: "assay.plan/1";
  readonly stages: readonly {
    readonly name: string;
    readonly kind: string;
    readonly command: string;
    readonly cwd: string;
    /** seconds */
    readonly timeout: number;
    readonly optional: boolean;
  }[];
}

/** `assay.record/1`, with its most useful fields. The JSON Schema in `schemas/` has all of them. */
export interface RecordDocument {
  readonly schema: "assay.record/1";
  readonly verdict: {readonly kind: string};
  readonly attempts: readonly {
    readonly candidate: {readonly commit: string; readonly tree: string} | null;
    readonly verification: {
      readonly stages: readonly {
        readonly name: string;
        readonly outcome: string;
        readonly reason: string;
        readonly excerpt: string;
      }[];
    } | null;
  }[];
}

export interface DistilledLog {
  readonly excerpt: string;
  readonly items: readonly {readonly message: string}[];
}

export interface InspectDocument {
  readonly schema: "assay.inspect/1";
  readonly base: string;
  readonly head: string;
  readonly findings: readonly {
    readonly level: string;
    readonly check: string;
    readonly path: string;
    readonly line: number | null;
    readonly message: string;
  }[];
}

interface Place {
  /** in the repository; default: the current folder */
  readonly folder?: string;
  /** aborting ends the command and every process that it started */
  readonly signal?: AbortSignal;
}

/** Shows which checks would run. Runs nothing of the repository. */
export async function plan(place: Place = {}): Promise<PlanDocument> {
  return (await documentOf(["plan", "--json"], place)) as PlanDocument;
}

/**
 * Verifies the working tree, or the commit `head`. A verdict that is not good is a document as well; only a mistake
 * rejects.
 */
export async function verify(
  options: Place & {readonly base?: string; readonly head?: string; readonly stages?: readonly string[]} = {},
): Promise<RecordDocument> {
  const {base, head, stages = []} = options;
  const names = stages.flatMap((stage) => ["--stage", stage]);
  return (await documentOf(
    ["verify", "--json", ...flag("--base", base), ...flag("--head", head), ...names],
    options,
  )) as RecordDocument;
}

/** Finds the failures in the output of a tool. */
export async function distill(
  log: string,
  options: {readonly tool?: string; readonly maxChars?: number; readonly signal?: AbortSignal} = {},
): Promise<DistilledLog> {
  const {tool, maxChars, signal} = options;
  const args = ["distill", "--json", ...flag("--tool", tool), ...flag("--max-chars", maxChars?.toString())];
  return (await documentOf(args, {...(signal && {signal})}, log)) as DistilledLog;
}

/** Lists how a change weakens its own checks, between two commits. Runs nothing. */
export async function inspect(
  options: Place & {readonly base: string; readonly head?: string},
): Promise<InspectDocument> {
  const args = ["inspect", "--json", "--base", options.base, ...flag("--head", options.head)];
  return (await documentOf(args, options)) as InspectDocument;
}

const flag = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value]);

/**
 * Runs in a separate process, so that the working folder, signals and leftover processes are as on the command line.
 */
function documentOf(args: readonly string[], {folder, signal}: Place, input = ""): Promise<unknown> {
  const cli = fileURLToPath(new URL("./cli.js", import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], {
      stdio: ["pipe", "pipe", "pipe"],
      ...(folder !== undefined && {cwd: folder}),
      ...(signal && {signal}),
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.stdin.on("error", () => undefined); // a command that ended early
    child.on("error", reject);
    child.on("close", () => {
      try {
        resolve(JSON.parse(Buffer.concat(output).toString("utf8")));
      } catch {
        reject(new Error(Buffer.concat(errors).toString("utf8").trim() || `assay ${args[0]} printed no document`));
      }
    });
    child.stdin.end(input);
  });
}
