/** The one way to run git: no configuration, hook, filter or helper of this machine applies, and every call is bounded. */
import {GitPluginError, simpleGit} from "simple-git";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../words.ts";
import {type GitCall, type GitSurroundings, gitEnvironment} from "./git-environment.ts";

/** simple-git refuses these unless told that they are meant: here they switch something off, take it out of a file, or carry the token. */
const MEANT = {
  allowUnsafeAlias: true, // a server's address may contain the word
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeHooksPath: true,
  allowUnsafeInclude: true,
  allowUnsafePack: true,
  allowUnsafePager: true,
  allowUnsafeSshCommand: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeUrlRewrite: true,
};

const GRACE_MS = 5_000;
const MESSAGE_CHARS = 2_000;

/** What git said no with. `code` is null when it did not end by itself (signal, time limit, abort). */
export interface GitRefusal {
  readonly code: number | null;
  /** stderr without secrets and control characters, cut to 2,000 characters */
  readonly message: string;
  readonly stdout: string;
}

export type Git = (args: readonly string[], call?: GitCall) => Promise<Result<string, GitRefusal>>;

export interface GitOptions extends GitSurroundings {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the git of one repository. A call gives stdout (bytes read as UTF-8, unless `isBytes`), or a refusal for every exit code but 0, for
 * a signal, for the time limit (`timeoutMs`, default 120 s, output or not) and for the abort signal. It never rejects.
 */
export function hardenedGit(options: GitOptions): Git {
  const secrets = secretsOf(options.remote?.token ?? "");
  return async (args, call = {}) => {
    const timeoutMs = call.timeoutMs ?? 120_000;
    const env = gitEnvironment(options, call);
    let ended: {code: number; out: Buffer; err: Buffer; why: string} | undefined;
    const refusal = (code: number | null, message: string, stdout = ""): Result<string, GitRefusal> =>
      refused({code, message: clean(message, secrets), stdout: clean(stdout, secrets)});
    const late = bound(timeoutMs + GRACE_MS);
    try {
      const git = simpleGit({
        baseDir: call.cwd ?? call.workTree ?? options.folder,
        allowEnvironment: Object.keys(env),
        unsafe: MEANT,
        timeout: {block: timeoutMs, stdErr: false, stdOut: false},
        // 50 ms after its exit simple-git would stop reading: a large output could be cut without anybody knowing
        completion: {onClose: true, onExit: false},
        ...(options.signal && {abort: options.signal}),
        ...(call.input !== undefined && {input: () => call.input ?? ""}),
        // simple-git takes a silent exit code, and death by a signal, for success: the end is looked at here instead
        errors(error, {exitCode, stdOut, stdErr}) {
          const why = error instanceof GitPluginError ? error.message : "";
          ended = {code: exitCode, out: Buffer.concat(stdOut), err: Buffer.concat(stdErr), why};
          return undefined;
        },
      }).env(env);
      await Promise.race([git.raw([...args]), late.promise]);
    } catch (error) {
      return refusal(null, `git ${args[0]}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      late.clear();
    }
    if (ended === undefined) return refusal(null, `git ${args[0]} did not end within ${timeoutMs / 1000} s`);
    const {code, out, err, why} = ended;
    // the only trace of it is a stack in simple-git's stderr
    if (/spawn git ENOENT/.test(why + err.toString())) {
      return refusal(null, "git could not be started: it is not on the PATH, or the folder to work in is gone");
    }
    if (code === 0 && why === "") return ok(out.toString(call.isBytes ? "latin1" : "utf8"));
    const isOwnEnd = why === "" && code > 0;
    const said = err.toString().trim() || why || `ended with ${code}`;
    return refusal(
      isOwnEnd ? code : null,
      `git ${args[0]}: ${isOwnEnd ? said : `${why || said} (stopped)`}`,
      out.toString(),
    );
  };
}

/** The `Failure` for a refusal that the caller has no better word for. */
export function gitRefused(refusal: GitRefusal): {ok: false; failure: Failure} {
  return refused({kind: "git-refused", message: refusal.message});
}

function secretsOf(token: string): string[] {
  if (token === "") return [];
  return [Buffer.from(`x-access-token:${token}`).toString("base64"), encodeURIComponent(token), token];
}

function clean(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  return hidden
    .replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1***@")
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, " ")
    .slice(-MESSAGE_CHARS);
}

/** For the git that does not even answer the signal: the wait ends all the same. */
function bound(ms: number): {promise: Promise<void>; clear: () => void} {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return {promise, clear: () => clearTimeout(timer)};
}
