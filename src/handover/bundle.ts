/** The artifact that one job hands to the next: the record, the work as a git bundle, and the encrypted session. */
import {createHash} from "node:crypto";
import {constants} from "node:fs";
import {lstat, mkdir, open, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {MAX_SEALED_BYTES} from "../agent/store.ts";
import {CANDIDATE_REFS, examineCandidate} from "../changes/candidate.ts";
import {gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import {MAX_WORK_BYTES} from "../publish/scan.ts";
import type {Failure} from "../record/failure.ts";
import {parseJson} from "../record/parse-json.ts";
import type {Plan} from "../record/plan.ts";
import {type RunRecord, recordSchema} from "../record/record.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {joinShards} from "./shards.ts";
import type {DividedPlan} from "./split-checks.ts";

const RECORD = "record.json";
const BUNDLE = "work.bundle";
const SESSION = "session.json";
const HANDED_REF = "refs/assay/handed-over";
/** The work of other tries, which is examined only if the record names it. */
const OTHERS_REFS = "refs/assay/other-tries";
const RECEIVED_REFS = "refs/assay/received";

const MAX_RECORD_BYTES = 32 * 1024 * 1024;
/** All files that were searched, even if nothing can be compressed, and as much again for their names and git's headers. */
const MAX_BUNDLE_BYTES = 2 * MAX_WORK_BYTES;
const BUNDLE_MS = 300_000;

/** Work from a bundle: every id and path in it is read from git's objects. */
export interface HandoverPart {
  readonly candidate: Candidate;
  readonly changes: readonly Change[];
}

/**
 * Replaces `folder`; `record` must already be redacted, and `session` encrypted. Returns the SHA-256 of the written record,
 * computed in memory. Fails as `git-refused` if git cannot make the bundle; the record is written nevertheless.
 */
export async function packBundle(options: {
  folder: string;
  record: RunRecord;
  session: string;
  work: {
    readonly repository: Repository;
    readonly candidate: Candidate | null;
    /** the work of other tries on the same base */
    readonly others?: readonly Pick<Candidate, "commit" | "base">[];
  } | null;
}): Promise<Result<{digest: string}, Failure>> {
  const {folder, work} = options;
  await rm(folder, {recursive: true, force: true});
  await mkdir(folder, {recursive: true, mode: 0o700});
  const text = JSON.stringify(options.record);
  await writeFile(join(folder, RECORD), text);
  if (options.session !== "") await writeFile(join(folder, SESSION), options.session);
  const digest = sha256(text);
  const {candidate = null, others = []} = work ?? {};
  const base = (candidate ?? others[0])?.base;
  if (work === null || base === undefined) return ok({digest});
  const {git} = work.repository;
  const refs = [
    ...(candidate === null ? [] : [[HANDED_REF, candidate.commit]]),
    ...others.map((other, at) => [`${OTHERS_REFS}/${at + 1}`, other.commit]),
  ];
  const refUpdate = await git(["update-ref", "--stdin"], {
    input: refs.map(([ref, id]) => `update ${ref} ${id}\n`).join(""),
  });
  if (!refUpdate.ok) return gitRefused(refUpdate.failure);
  // Every receiver has the base, so the bundle has only newer commits.
  const args = ["bundle", "create", "--quiet", join(folder, BUNDLE), ...refs.map(([ref = ""]) => ref), `^${base}`];
  const bundling = await git(args, {timeoutMs: BUNDLE_MS});
  return bundling.ok ? ok({digest}) : gitRefused(bundling.failure);
}

/** Whether the job that fills this bundle folder has written its record. */
export const hasRecord = (folder: string): Promise<boolean> =>
  lstat(join(folder, RECORD)).then(
    () => true,
    () => false,
  );

/** The record in a bundle folder, or the reason why there is none. With a `digest`, the record must match it. */
export async function unpackRecord(folder: string, digest?: string): Promise<Result<RunRecord, string>> {
  const bytes = await readForeign(join(folder, RECORD), MAX_RECORD_BYTES);
  if (!bytes.ok) return bytes;
  const text = bytes.value.toString();
  if (digest !== undefined && sha256(text) !== digest)
    return refused("its record is not the one that the job announced");
  const parsed = recordSchema.safeParse(parseJson(text));
  return parsed.success ? ok(parsed.data) : refused("its record does not have the required form");
}

/**
 * The record of the verifying job, joined if it ran on several machines (`folderOf` is then called for each, from 1).
 * Null if a machine announced no record: the change is then not fully verified.
 */
export async function unpackVerdict(options: {
  digests: readonly string[];
  folderOf: (machine: number | null) => string;
  plan: Plan;
  divided?: DividedPlan;
}): Promise<Result<RunRecord, string> | null> {
  const {digests, folderOf, plan, divided} = options;
  const [only] = digests;
  if (only === undefined || digests.includes("")) return null;
  if (digests.length === 1) return unpackRecord(folderOf(null), only);
  const shardRecords: RunRecord[] = [];
  for (const [at, digest] of digests.entries()) {
    const shardRecord = await unpackRecord(folderOf(at + 1), digest);
    if (!shardRecord.ok) return shardRecord;
    shardRecords.push(shardRecord.value);
  }
  return joinShards({legs: shardRecords, plan, ...(divided && {divided})});
}

/** The agent's conversation, encrypted; empty if there is none, or the file is unreadable. */
export async function unpackSession(folder: string): Promise<string> {
  const bytes = await readForeign(join(folder, SESSION), MAX_SEALED_BYTES);
  return bytes.ok ? bytes.value.toString() : "";
}

/**
 * Fetches the bundle's commit, and examines it like a local candidate; then it is the first candidate. Null if the
 * bundle has no such commit. Fails as `git-refused` or `candidate-refused`. The repository must have `base`. Each bundle
 * of several needs its own `number`.
 */
export async function unpackWork(options: {
  folder: string;
  repository: Repository;
  base: string;
  number?: number;
}): Promise<Result<HandoverPart | null, Failure>> {
  const {repository, base, number = 1} = options;
  const {git} = repository;
  const file = join(options.folder, BUNDLE);
  const bundle = await openForeign(file, MAX_BUNDLE_BYTES);
  if (!bundle.ok)
    return bundle.failure === MISSING ? ok(null) : refused({kind: "git-refused", message: bundle.failure});
  await bundle.value.close();
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", file, `+refs/assay/*:${RECEIVED_REFS}/*`];
  const fetch = await git(args, {protocols: ["file"], timeoutMs: BUNDLE_MS});
  if (!fetch.ok) return gitRefused(fetch.failure);
  const handed = HANDED_REF.replace("refs/assay", RECEIVED_REFS);
  const commit = await git(["rev-parse", "--verify", "--quiet", `${handed}^{commit}`]);
  if (!commit.ok) return ok(null);
  const examination = await examineCandidate({repository, base, commit: commit.value.trim()});
  if (!examination.ok) return examination;
  // Recovery must not find a refused commit and park it.
  const kept = await git(["update-ref", `${CANDIDATE_REFS}/${number}`, commit.value.trim()]);
  return kept.ok ? examination : gitRefused(kept.failure);
}

const MISSING = "it is not there";

/** Opens a file from a machine with an agent: it may be missing, a link, or endless. */
async function openForeign(file: string, maxBytes: number) {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => error.code ?? "it cannot be opened",
  );
  if (typeof handle === "string") return refused(handle === "ENOENT" ? MISSING : `it cannot be opened (${handle})`);
  const stat = await handle.stat();
  if (stat.isFile() && stat.size <= maxBytes) return ok(handle);
  await handle.close();
  return refused(stat.isFile() ? `it is larger than ${maxBytes} bytes` : "it is not a regular file");
}

async function readForeign(file: string, maxBytes: number): Promise<Result<Buffer, string>> {
  const handle = await openForeign(file, maxBytes);
  if (!handle.ok) return handle;
  const bytes = await handle.value.readFile();
  await handle.value.close();
  return ok(bytes);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
