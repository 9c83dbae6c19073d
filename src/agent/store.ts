/** Keeps the agent's conversation of an issue on a ref of Assay's own, so that the next comment goes on with it on any runner. */
import {z} from "zod";
import {type HiddenRef, hiddenRef, parseForeign, refCommits, saveOnRef} from "../git/hidden-ref.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** What stands beside the conversation; read again with suspicion, for others can push to that ref. */
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

/** Where an issue's conversation is kept. */
export function sessionRef(issue: number): HiddenRef {
  return hiddenRef(`session/issue-${issue}`);
}

/**
 * Saves the conversation as one small commit on the ref's tip. `redact` is applied to the text before anything is
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
  const to = sessionRef(meta.issue);
  const files = {
    "meta.json": `${JSON.stringify({schema: "assay.session/1", ...meta})}\n`,
    "session.jsonl": text,
  };
  const message = `Keep the agent's session of issue ${meta.issue}`;
  const saved = await saveOnRef({repository, to, message, files: async () => files});
  return saved.ok ? ok({kind: "saved", ref: to.hidden, commit: saved.value}) : saved;
}

/**
 * Loads the conversation that Assay's own comment names by its commit, where that is the tip of the issue's ref, or of the
 * branch of former versions. Null otherwise, and for a conversation that cannot be read: the agent then starts a new one.
 * Fails only where the server says no.
 */
export async function loadSession(o: {
  repository: Repository;
  issue: number;
  commit: string;
}): Promise<Result<StoredSession | null, Failure>> {
  const {repository, commit} = o;
  const tips = await refCommits(repository, sessionRef(o.issue));
  if (!tips.ok) return tips;
  if (![tips.value.hidden, tips.value.branch].includes(commit)) return ok(null);
  const found = await repository.fetch(commit);
  if (!found.ok) return found;
  const meta = await repository.readText(commit, "meta.json", {maxBytes: META_BYTES});
  const text = await repository.readText(commit, "session.jsonl", {maxBytes: MAX_SESSION_BYTES});
  if (!meta.ok || !text.ok || meta.value === null || text.value === null) return ok(null);
  const parsed = metaSchema.safeParse(parseForeign(meta.value));
  if (!parsed.success) return ok(null);
  const {agent, issue, run} = parsed.data;
  if (issue !== o.issue) return ok(null);
  return ok({commit, text: text.value, meta: {agent, issue, run}});
}
