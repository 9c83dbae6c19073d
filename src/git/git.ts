/** Runs git. No configuration, hook, filter or helper of this machine applies, and every call is limited. */
import {constants} from "node:buffer";
import {execFile} from "node:child_process";
import {ownPrograms} from "../process/own-programs.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type GitCall, type GitSurroundings, gitEnvironment} from "./environment.ts";

/** The time between SIGTERM, after which git removes its locks, and SIGKILL. */
const GRACE_MS = 5_000;
/** The longest string, about 512 MB. A listing of a million paths is five times smaller. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;
const MAX_MESSAGE_CHARS = 2_000;
/** Longer than any token or user name in an address. */
const MAX_SECRET_CHARS = 8_192;

/** Why a git command failed. `code` is null if a signal or the time limit ended it. */
export interface GitRefusal {
  readonly code: number | null;
  /** stderr without secrets and control characters, cut to 2,000 characters */
  readonly message: string;
  readonly stdout: string;
}

export type Git = (args: readonly string[], call?: GitCall) => Promise<Result<string, GitRefusal>>;

/**
 * Makes the git of one repository. A call gives stdout (bytes read as UTF-8, unless `isBytes`), or a refusal for every
 * exit code but 0, for a signal, and for the time limit (`timeoutMs`, default 120 s, output or not). It never rejects.
 * Cancelling the run does not end a call without `signal`: a cancelled run still has to save its work.
 */
export function hardenedGit(options: GitSurroundings): Git {
  const secrets = secretsOf(options.remote?.token ?? "");
  const {programs = ownPrograms()} = options;
  return async (args, call = {}) => {
    const program = programs.find("git");
    if (!program.ok) return refused({code: null, message: `git ${args[0]}: ${program.failure}`, stdout: ""});
    const cwd = call.cwd ?? call.workTree ?? options.folder;
    const env = gitEnvironment({...options, path: programs.path}, call);
    const output = await execute({...call, program: program.value, args, cwd, env});
    const {out} = output;
    if (output.kind === "exited" && output.code === 0) return ok(out.toString(call.isBytes ? "latin1" : "utf8"));
    return refused({
      code: output.kind === "exited" ? output.code : null,
      message: clean(`git ${args[0]}: ${wordingOf(output)}`, secrets),
      stdout: clean(out.toString(), secrets),
    });
  };
}

function wordingOf(ended: GitOutput): string {
  const message = ended.err.toString().trim();
  if (ended.kind === "exited") return message || `ended with ${ended.code}`;
  return message === "" ? ended.why : `${ended.why}: ${message}`;
}

/** The `Failure` for a refusal, if the caller has no better message. */
export function gitRefused(refusal: GitRefusal): {ok: false; failure: Failure} {
  return refused({kind: "git-refused", message: refusal.message});
}

function secretsOf(token: string): string[] {
  if (token === "") return [];
  return [Buffer.from(`x-access-token:${token}`).toString("base64"), encodeURIComponent(token), token];
}

function clean(text: string, secrets: readonly string[]): string {
  // A stopped call may have printed hundreds of megabytes. A secret that this cuts is in the part that is dropped
  // below.
  const end = text.slice(-MAX_MESSAGE_CHARS - MAX_SECRET_CHARS);
  const redacted = secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), end);
  // NUL is between the names of files.
  return redacted
    .replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1***@")
    .replaceAll(/[\x01-\x08\x0b-\x1f\x7f]/g, " ")
    .slice(-MAX_MESSAGE_CHARS);
}

type GitOutput = {readonly out: Buffer; readonly err: Buffer} & (
  | {readonly kind: "exited"; readonly code: number}
  | {readonly kind: "stopped"; readonly why: string}
);

const FOLDER_IS_GONE = "could not be started: the folder to work in is gone";

/** Runs git until its pipes are closed, because a helper that outlives git may still write part of the output. */
function execute(options: {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  input?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  maxBytes?: number;
}): Promise<GitOutput> {
  const {cwd, env, input = "", timeoutMs = 120_000, signal, maxBytes = MAX_BYTES} = options;
  const noOutput = {out: Buffer.alloc(0), err: Buffer.alloc(0)};
  const cancelReason = "the run was cancelled";
  if (signal?.aborted === true) return Promise.resolve({kind: "stopped", why: cancelReason, ...noOutput});
  const ending = new Promise<GitOutput>((resolve) => {
    let stopped: string | undefined;
    const timers: NodeJS.Timeout[] = [];
    const end = (ended: GitOutput) => {
      timers.forEach(clearTimeout);
      signal?.removeEventListener("abort", cancel);
      resolve(ended);
    };
    const childOptions = {cwd, env, encoding: "buffer", maxBuffer: maxBytes} as const;
    const child = execFile(options.program, options.args, childOptions, (error, out, err) => {
      const {code = 0, signal: killer} = error ?? {};
      if (code === "ENOENT") return end({kind: "stopped", why: FOLDER_IS_GONE, ...noOutput});
      if (stopped === undefined && typeof code === "number") return end({kind: "exited", code, out, err});
      end({kind: "stopped", why: stopped ?? (killer ? `ended by ${killer}` : `${code}`), out, err});
    });
    const stop = (why: string) => {
      stopped ??= why;
      child.kill("SIGTERM");
      timers.push(
        setTimeout(() => {
          child.kill("SIGKILL");
          end({kind: "stopped", why, ...noOutput});
        }, GRACE_MS),
      );
    };
    const cancel = () => {
      child.kill("SIGTERM");
      end({kind: "stopped", why: cancelReason, ...noOutput});
    };
    signal?.addEventListener("abort", cancel, {once: true});
    timers.push(setTimeout(() => stop(`it did not end within ${timeoutMs / 1000} s`), timeoutMs));
    // git may exit before it has read the whole input; its exit code shows whether that is an error
    child.stdin?.on("error", () => child.stdin?.destroy());
    child.stdin?.end(input);
  });
  // Node rejects invalid arguments, such as one with a zero byte
  return ending.catch((error: unknown) => ({kind: "stopped", why: `could not be started: ${error}`, ...noOutput}));
}
