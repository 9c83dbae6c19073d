/** Saves the agent's conversation of an issue, encrypted, on a hidden ref, so that the next comment continues it. */

import {z} from "zod";
import {type HiddenRef, hiddenRef, saveOnRef} from "../git/hidden-ref.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {parseJson} from "../record/parse-json.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {seal, unseal} from "../secrets/seal.ts";
import type {SessionKey} from "./session-keys.ts";

/** Describes the conversation. Nobody can change it without the key, and everyone can read it. */
const aboutSchema = z.strictObject({
  schema: z.literal("assay.session/2"),
  repository: z.string().max(300),
  issue: z.number().int().positive(),
  agent: z.string().max(100),
  run: z.string().max(200),
  /** the name of the secret, such as `session-key` */
  key: z.string().max(100),
  savedAt: z.iso.datetime(),
});
const documentSchema = z.strictObject({about: aboutSchema, sealed: z.base64()});
type About = z.infer<typeof aboutSchema>;

export const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;
export const MAX_SESSION_BYTES = 20 * 1024 * 1024;
/** Base64 of a text that could not be compressed, and what describes it. */
export const MAX_SEALED_BYTES = Math.ceil(MAX_SESSION_BYTES * 1.34) + 8192;
const FILE = "session.json";
/** the conversation as earlier versions saved it */
const PLAIN_FILE = "session.jsonl";

export function sessionRef(issue: number): HiddenRef {
  return hiddenRef(`session/issue-${issue}`);
}

/** The conversation, which must already be redacted, as a document that only the key opens; null if it is too large. */
export function sealSession(options: {
  text: string;
  about: Omit<About, "schema" | "key">;
  key: SessionKey;
}): string | null {
  const {text, key} = options;
  if (Buffer.byteLength(text) > MAX_SESSION_BYTES) return null;
  const about: About = {schema: "assay.session/2", ...options.about, key: key.name};
  return `${JSON.stringify({about, sealed: seal(text, {secret: key.secret, about: canonical(about)})})}\n`;
}

/** Why a saved conversation is not continued. */
export type FreshReason = "gone" | "unknown-form" | "expired" | "other-thread" | "other-agent" | "no-key" | "locked";

/** The conversation in a document that others could have put in its place. */
export function unsealSession(options: {
  /** null if it is not where it should be */
  document: string | null;
  expected: Pick<About, "repository" | "issue" | "agent">;
  keys: readonly SessionKey[];
  now: Date;
}): Result<string, FreshReason> {
  const {document, expected, keys, now} = options;
  if (document === null) return refused("gone");
  const parsed = documentSchema.safeParse(parseJson(document));
  if (!parsed.success) return refused("unknown-form");
  const {about, sealed} = parsed.data;
  if (about.repository !== expected.repository || about.issue !== expected.issue) return refused("other-thread");
  if (about.agent !== expected.agent) return refused("other-agent");
  if (now.getTime() - Date.parse(about.savedAt) > SESSION_DAYS * DAY_MS) return refused("expired");
  const key = keys.find(({name}) => name === about.key);
  if (key === undefined) return refused("no-key");
  const text = unseal(sealed, {secret: key.secret, about: canonical(about), maxBytes: MAX_SESSION_BYTES});
  return text === null ? refused("locked") : ok(text);
}

/** True if a document from another job says that it is this run's conversation. Only the key can prove it. */
export function isSessionOf(document: string, run: Pick<About, "repository" | "issue" | "run">): boolean {
  const about = documentSchema.safeParse(parseJson(document)).data?.about;
  return about?.repository === run.repository && about.issue === run.issue && about.run === run.run;
}

/** The associated data of the encryption. */
const canonical = ({schema, repository, issue, agent, run, key, savedAt}: About): string =>
  JSON.stringify([schema, repository, issue, agent, run, key, savedAt]);

/**
 * Saves the document as the ref's only commit, and returns its id. If others push meanwhile, it tries again, at most
 * three times; then it fails as `push-lost`.
 */
export function saveSession(options: {
  repository: Repository;
  issue: number;
  document: string;
}): Promise<Result<string, Failure>> {
  const {repository, issue, document} = options;
  const message = `Keep the agent's session of issue ${issue}`;
  const files = async () => ({[FILE]: document});
  return saveOnRef({repository, to: sessionRef(issue), message, files, hasHistory: false});
}

/** The document at the commit that Assay's comment names, if it is the tip of the issue's ref; null otherwise. */
export async function loadSession(options: {
  repository: Repository;
  issue: number;
  commit: string;
}): Promise<Result<string | null, Failure>> {
  const {repository, commit} = options;
  const tip = await repository.remoteRef(sessionRef(options.issue).hidden);
  if (!tip.ok) return tip;
  if (tip.value !== commit) return ok(null);
  const fetchResult = await repository.fetch(commit);
  if (!fetchResult.ok) return fetchResult;
  const text = await repository.readText(commit, FILE, {maxBytes: MAX_SEALED_BYTES});
  // A plain one of an earlier version has no such file, and could be anybody's.
  return ok(text.ok ? (text.value ?? "") : "");
}

/** True if the commit has a conversation that is not encrypted. */
export async function isPlainSession(repository: Repository, commit: string): Promise<boolean> {
  const names = await repository.git(["ls-tree", "--name-only", "-z", commit]);
  return names.ok && names.value.split("\0").includes(PLAIN_FILE);
}
