/** Keeps the agent's conversation of an issue on a bot branch, so that the next comment goes on with it on any runner. */
import {z} from "zod";
import type {Repository} from "../changes/repository.ts";
import {parseForeign, saveOnBranch} from "../publish/bot-branch.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../words.ts";

/** What stands beside the conversation; read again with suspicion, for a branch can be pushed to by others. */
const metaSchema = z.strictObject({
  schema: z.literal("assay.session/1"),
  agent: z.string().max(100),
  issue: z.number().int().positive(),
  run: z.string().max(200),
});
export type SessionMeta = Omit<z.infer<typeof metaSchema>, "schema">;

export interface StoredSession {
  readonly commit: string;
  readonly text: string;
  readonly meta: SessionMeta;
}

export type Saved =
  | {readonly kind: "saved"; readonly ref: string; readonly commit: string}
  /** the conversation is too large to keep; the next comment starts a new one */
  | {readonly kind: "dropped"; readonly note: string};

export const MAX_SESSION_BYTES = 20 * 1024 * 1024;
const META_BYTES = 4096;

/** The branch of an issue's conversation. */
export function sessionRef(issue: number): string {
  return `refs/heads/assay/session/issue-${issue}`;
}

/**
 * Saves the conversation as one small commit on the branch's tip. `redact` is applied to the text before anything is
 * written. Moves of others are taken up, at most three times; then `push-lost`.
 */
export async function saveSession(o: {
  repository: Repository;
  text: string;
  meta: SessionMeta;
  redact: (text: string) => string;
}): Promise<Result<Saved, Failure>> {
  const {repository, meta} = o;
  const text = o.redact(o.text);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SESSION_BYTES) {
    const note = `the agent's session (${Math.round(bytes / 1e6)} MB) is too large to keep; the next request starts a new one`;
    return ok({kind: "dropped", note});
  }
  const ref = sessionRef(meta.issue);
  const files = {
    "meta.json": `${JSON.stringify({schema: "assay.session/1", ...meta})}\n`,
    "session.jsonl": text,
  };
  const message = `Keep the agent's session of issue ${meta.issue}`;
  const saved = await saveOnBranch({repository, ref, message, files: async () => files});
  return saved.ok ? ok({kind: "saved", ref, commit: saved.value}) : saved;
}

/**
 * Loads a conversation from a ref or a commit id of the server. Null when there is none, or none that can be read: the
 * agent then starts anew. Fails only where the server says no.
 */
export async function loadSession(o: {
  repository: Repository;
  /** `sessionRef(issue)`, or the commit id that the bot's own comment names */
  from: string;
}): Promise<Result<StoredSession | null, Failure>> {
  const {repository, from} = o;
  if (from.startsWith("refs/")) {
    const tip = await repository.remoteRef(from);
    if (!tip.ok) return tip;
    if (tip.value === null) return ok(null);
  }
  const found = await repository.fetch(from);
  if (!found.ok) return found;
  const {commit} = found.value;
  const meta = await repository.readText(commit, "meta.json", {maxBytes: META_BYTES});
  const text = await repository.readText(commit, "session.jsonl", {maxBytes: MAX_SESSION_BYTES});
  if (!meta.ok || !text.ok || meta.value === null || text.value === null) return ok(null);
  const parsed = metaSchema.safeParse(parseForeign(meta.value));
  if (!parsed.success) return ok(null);
  const {agent, issue, run} = parsed.data;
  return ok({commit, text: text.value, meta: {agent, issue, run}});
}
