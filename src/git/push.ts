/** Pushes one commit to one ref of the server: creates or fast-forwards it; never forces a branch. */
import {setTimeout as pause} from "node:timers/promises";
import {ownPrograms} from "../process/own-programs.ts";
import type {Failure} from "../record/failure.ts";
import type {Result} from "../record/words.ts";
import type {GitRefusal} from "./git.ts";
import {isBaseGone, refusalSentence} from "./push-refusal.ts";
import {isRefName, protocolOf} from "./remote.ts";
import type {Repository, WithholdPush} from "./repository.ts";

export type Pushed =
  | {readonly kind: "pushed"}
  /** another push was faster; `at` is the ref's current commit, null if the ref is deleted */
  | {readonly kind: "lost"; readonly at: string | null}
  /** the server refused: protected branch, hook, permission, size … */
  | {readonly kind: "refused"; readonly message: string}
  /** no ref of the server reaches the commit's base any more, and this repository does not have the base's history */
  | {readonly kind: "base-gone"; readonly message: string}
  /** after all tries it is unknown whether the push arrived */
  | {readonly kind: "unreachable"; readonly message: string};

export interface PushOptions {
  readonly repository: Repository;
  readonly commit: string;
  /** full name, `refs/heads/…` */
  readonly ref: string;
  /** the id that the ref must have now; null if it must not exist */
  readonly expect: string | null;
  /** the commit replaces what a hidden ref of Assay has, which never works for a branch */
  readonly replaces?: boolean;
  /** pauses before further tries if the server does not answer, in milliseconds */
  readonly pausesMs?: readonly number[];
}

const PUSH_MS = 300_000;

/**
 * Pushes with an exact lease, and then asks the server for the ref, whatever git's answer is: a push whose answer was
 * lost is still `pushed`, and a ref that moved is `lost`.
 */
export async function push(options: PushOptions): Promise<Pushed> {
  const problem = await findObstacle(options);
  if (problem !== null) return {kind: "refused", message: problem};
  const pauses = options.pausesMs ?? [1_000, 4_000];
  let result = await tryOnce(options);
  for (const ms of pauses) {
    if (result.kind !== "unreachable") return result;
    await pause(ms);
    result = await tryOnce(options);
  }
  return result;
}

/** Deletes a ref of the server if it still has the expected commit. False if it was not deleted. */
export async function deleteRef(options: {repository: Repository; ref: string; at: string}): Promise<boolean> {
  const {repository, ref, at} = options;
  if (repository.source.kind !== "remote") return false;
  if (repository.withholdPush !== null) {
    repository.withholdPush({ref, commit: null});
    return true;
  }
  const {url} = repository.source;
  const lease = `--force-with-lease=${ref}:${at}`;
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: 60_000};
  return (await repository.git(["push", "--porcelain", "--no-verify", lease, url, `:${ref}`], call)).ok;
}

/** The result as a `Failure`; null if it was pushed. */
export function pushFailure(ref: string, pushed: Pushed): Failure | null {
  switch (pushed.kind) {
    case "pushed":
      return null;
    case "lost": {
      const now = pushed.at === null ? "it is gone" : `it is at ${pushed.at.slice(0, 12)}`;
      return {kind: "push-lost", ref, message: `the ref was moved by somebody else: ${now}`};
    }
    case "refused":
      return {kind: "push-refused", ref, message: refusalSentence(pushed.message)};
    case "base-gone":
      return {kind: "push-lost", ref, message: refusalSentence(pushed.message)};
    case "unreachable":
      return {kind: "git-refused", message: `the server could not be reached: ${pushed.message}`};
  }
}

/**
 * A lease alone would let git replace a branch with a commit that does not contain it, so this also refuses everything
 * except a fast-forward.
 */
async function findObstacle({repository, commit, ref, expect, replaces = false}: PushOptions): Promise<string | null> {
  if (!ref.startsWith("refs/") || !isRefName(ref)) return `not a full ref name: ${ref}`;
  const program = ownPrograms().find("git");
  if (!program.ok) return program.failure;
  if (expect === null || (replaces && ref.startsWith("refs/assay/"))) return null;
  const forward = await repository.git(["merge-base", "--is-ancestor", expect, commit]);
  return forward.ok ? null : `the commit is not based on ${expect.slice(0, 12)}, so the push would be forced`;
}

async function tryOnce(options: PushOptions): Promise<Pushed> {
  const {repository, commit, ref, expect} = options;
  if (repository.withholdPush !== null) return withhold(options, repository.withholdPush);
  if (repository.source.kind === "local") return giveTo(repository.source.folder, options);
  const {url} = repository.source;
  const lease = `--force-with-lease=${ref}:${expect ?? ""}`;
  const output = await repository.git(
    ["push", "--porcelain", "--no-verify", "--no-follow-tags", lease, url, `${commit}:${ref}`],
    {
      protocols: [protocolOf(url)],
      authorised: true,
      timeoutMs: PUSH_MS,
    },
  );
  if (output.ok && /^[ *=]\t/m.test(output.value)) return {kind: "pushed"};
  const now: Result<string | null, Failure> = await repository.remoteRef(ref);
  if (now.ok && now.value === commit) return {kind: "pushed"};
  if (now.ok && now.value !== expect) return {kind: "lost", at: now.value};
  const message = output.ok ? "the server's answer could not be understood" : refusalText(output.failure);
  const isAnswer = !output.ok && isRefusal(output.failure);
  if (isAnswer && isBaseGone(message)) return {kind: "base-gone", message};
  return isAnswer ? {kind: "refused", message} : {kind: "unreachable", message};
}

/** Puts the commit on a ref of the developer's clone, which fetches it. The clone's work tree is not touched. */
async function giveTo(clone: string, {repository, commit, ref, expect}: PushOptions): Promise<Pushed> {
  const now = await repository.remoteRef(ref);
  if (!now.ok) return {kind: "unreachable", message: "the ref could not be read"};
  if (now.value !== expect) return {kind: "lost", at: now.value};
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", repository.folder, `${commit}:${ref}`];
  const fetch = await repository.git(args, {cwd: clone, protocols: ["file"], timeoutMs: PUSH_MS});
  return fetch.ok ? {kind: "pushed"} : {kind: "refused", message: refusalText(fetch.failure)};
}

/** Records the push of a dry run. It can only check whether the ref is where it was expected. */
async function withhold({repository, commit, ref, expect}: PushOptions, withholdPush: WithholdPush): Promise<Pushed> {
  const now = await repository.remoteRef(ref);
  if (!now.ok) return {kind: "unreachable", message: "the ref could not be read"};
  if (now.value !== expect) return {kind: "lost", at: now.value};
  withholdPush({ref, commit});
  return {kind: "pushed"};
}

/**
 * True if the server refused the push: git's output has an error for the ref, or the transport reports a missing
 * permission.
 */
function isRefusal({stdout, message}: GitRefusal): boolean {
  return /^!\t/m.test(stdout) || /\b(?:40[134]|413|422)\b|denied|not permitted|authentication failed/i.test(message);
}

/** The server's own words (`remote: …`) first, then the reason in git's machine output. */
function refusalText({stdout, message}: GitRefusal): string {
  const lines = message.split("\n");
  const remote = lines.flatMap((line) => /(?:^|^git push: )remote:\s*(.*\S)/.exec(line)?.[1] ?? []);
  const reason = /^!\t.*\t(.*)$/m.exec(stdout)?.[1];
  const serverLines = [...remote, ...(reason === undefined ? [] : [reason])];
  return (serverLines.length > 0 ? serverLines.join("\n") : message).trim();
}
