/** Saves the agent's conversation of an issue on a hidden ref, so that the next comment continues it on any runner. */

import {z} from "zod";
import {type HiddenRef, hiddenRef, refCommits, saveOnRef} from "../git/hidden-ref.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {parseJson} from "../record/parse-json.ts";
import {ok, type Result} from "../record/words.ts";

/** Describes the conversation. It is checked after reading, because others can push to the ref. */
const metaSchema = z.strictObject({
  schema: z.literal("assay.session/1"),
  agent: z.string().max(100),
  issue: z.number().int().positive(),
  run: z.string().max(200),
});
type SessionMeta = Omit<z.infer<typeof metaSchema>, "schema">;

export const MAX_SESSION_BYTES = 20 * 1024 * 1024;
const META_BYTES = 4096;

export function sessionRef(issue: number): HiddenRef {
  return hiddenRef(`session/issue-${issue}`);
}

/**
 * Saves the redacted conversation as one commit on the ref, and returns its id; null if it is too large. If others push
 * meanwhile, it tries again, at most three times; then it fails as `push-lost`.
 */
export async function saveSession(options: {
  repository: Repository;
  text: string;
  meta: SessionMeta;
  redact: (text: string) => string;
}): Promise<Result<string | null, Failure>> {
  const {repository, meta} = options;
  const text = options.redact(options.text);
  if (Buffer.byteLength(text) > MAX_SESSION_BYTES) return ok(null);
  const files = {
    "meta.json": `${JSON.stringify({schema: "assay.session/1", ...meta})}\n`,
    "session.jsonl": text,
  };
  const message = `Keep the agent's session of issue ${meta.issue}`;
  return saveOnRef({repository, to: sessionRef(meta.issue), message, files: async () => files});
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
  /** another agent cannot read the conversation */
  agent: string;
}): Promise<Result<string | null, Failure>> {
  const {repository, commit} = options;
  const tips = await refCommits(repository, sessionRef(options.issue));
  if (!tips.ok) return tips;
  if (![tips.value.hidden, tips.value.branch].includes(commit)) return ok(null);
  const fetchResult = await repository.fetch(commit);
  if (!fetchResult.ok) return fetchResult;
  const meta = await repository.readText(commit, "meta.json", {maxBytes: META_BYTES});
  const text = await repository.readText(commit, "session.jsonl", {maxBytes: MAX_SESSION_BYTES});
  if (!meta.ok || !text.ok || meta.value === null || text.value === null) return ok(null);
  const parsed = metaSchema.safeParse(parseJson(meta.value));
  const isOurs = parsed.data?.issue === options.issue && parsed.data.agent === options.agent;
  return ok(isOurs ? text.value : null);
}
