/** Saves the agent's conversation of an issue on a hidden ref, so that the next comment continues it on any runner. */
import {z} from "zod";
import {type HiddenRef, hiddenRef, parseForeign, refCommits, saveOnRef} from "../git/hidden-ref.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** Describes the conversation. It is checked after reading, because others can push to the ref. */
const metaSchema = z.strictObject({
  schema: z.literal("assay.session/1"),
  agent: z.string().max(100),
  issue: z.number().int().positive(),
  run: z.string().max(200),
});
type SessionMeta = Omit<z.infer<typeof metaSchema>, "schema">;

interface StoredSession {
  readonly commit: string;
  readonly text: string;
  readonly meta: SessionMeta;
}

type SavedSession =
  | {readonly kind: "saved"; readonly ref: string; readonly commit: string}
  /** too large to save; the next comment starts a new conversation */
  | {readonly kind: "dropped"; readonly note: string};

export const MAX_SESSION_BYTES = 20 * 1024 * 1024;
const META_BYTES = 4096;

export function sessionRef(issue: number): HiddenRef {
  return hiddenRef(`session/issue-${issue}`);
}

/**
 * Saves the redacted conversation as one commit on the ref. If others push meanwhile, it tries again, at most three times;
 * then it fails as `push-lost`.
 */
export async function saveSession(options: {
  repository: Repository;
  text: string;
  meta: SessionMeta;
  redact: (text: string) => string;
}): Promise<Result<SavedSession, Failure>> {
  const {repository, meta} = options;
  const text = options.redact(options.text);
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
  const saving = await saveOnRef({repository, to, message, files: async () => files});
  return saving.ok ? ok({kind: "saved", ref: to.hidden, commit: saving.value}) : saving;
}

/**
 * Loads the conversation at the commit that Assay's comment names, if it is the tip of the issue's ref or of the branch
 * from earlier versions. Null otherwise, or if it cannot be read: the agent then starts a new one. Fails only if the
 * server refuses.
 */
export async function loadSession(options: {
  repository: Repository;
  issue: number;
  commit: string;
}): Promise<Result<StoredSession | null, Failure>> {
  const {repository, commit} = options;
  const tips = await refCommits(repository, sessionRef(options.issue));
  if (!tips.ok) return tips;
  if (![tips.value.hidden, tips.value.branch].includes(commit)) return ok(null);
  const fetchResult = await repository.fetch(commit);
  if (!fetchResult.ok) return fetchResult;
  const meta = await repository.readText(commit, "meta.json", {maxBytes: META_BYTES});
  const text = await repository.readText(commit, "session.jsonl", {maxBytes: MAX_SESSION_BYTES});
  if (!meta.ok || !text.ok || meta.value === null || text.value === null) return ok(null);
  const parsed = metaSchema.safeParse(parseForeign(meta.value));
  if (!parsed.success) return ok(null);
  const {agent, issue, run} = parsed.data;
  if (issue !== options.issue) return ok(null);
  return ok({commit, text: text.value, meta: {agent, issue, run}});
}
