/** Keeps the agent's conversation of an issue on a bot branch, so that the next comment goes on with it on any runner. */
import {z} from "zod";
import {gitRefused} from "../changes/git.ts";
import type {Repository} from "../changes/repository.ts";
import {type Pushed, push, pushFailure} from "../publish/push.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../words.ts";

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
const TRIES = 3;
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
  const tree = await writeTree(repository, {
    "meta.json": `${JSON.stringify({schema: "assay.session/1", ...meta})}\n`,
    "session.jsonl": text,
  });
  if (!tree.ok) return tree;
  let last: Pushed = {kind: "unreachable", message: "not tried"};
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const tip = await repository.remoteRef(ref);
    if (!tip.ok) return tip;
    const commit = await commitOn({repository, tree: tree.value, tip: tip.value, meta});
    if (!commit.ok) return commit;
    last = await push({repository, commit: commit.value, ref, expect: tip.value});
    if (last.kind === "pushed") return ok({kind: "saved", ref, commit: commit.value});
    if (last.kind !== "lost") break;
  }
  return refused(pushFailure(ref, last) ?? {kind: "internal", message: "the session was pushed and not seen"});
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
  const parsed = metaSchema.safeParse(parseJson(meta.value));
  if (!parsed.success) return ok(null);
  const {agent, issue, run} = parsed.data;
  return ok({commit, text: text.value, meta: {agent, issue, run}});
}

async function writeTree(
  repository: Repository,
  files: Readonly<Record<string, string>>,
): Promise<Result<string, Failure>> {
  const rows: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    // git's input ends with the text; an empty one would leave it waiting
    const input = content === "" ? "\n" : content;
    const blob = await repository.git(["hash-object", "-w", "--stdin", "--no-filters"], {input});
    if (!blob.ok) return gitRefused(blob.failure);
    rows.push(`100644 blob ${blob.value.trim()}\t${name}\0`);
  }
  const tree = await repository.git(["mktree", "-z"], {input: rows.join("")});
  return tree.ok ? ok(tree.value.trim()) : gitRefused(tree.failure);
}

async function commitOn(o: {
  repository: Repository;
  tree: string;
  tip: string | null;
  meta: SessionMeta;
}): Promise<Result<string, Failure>> {
  const {repository, tree, tip, meta} = o;
  if (tip !== null) {
    const fetched = await repository.fetch(tip);
    if (!fetched.ok) return fetched;
  }
  const parent = tip === null ? [] : ["-p", tip];
  const input = `Keep the agent's session of issue ${meta.issue}\n`;
  const commit = await repository.git(["commit-tree", ...parent, tree], {input});
  return commit.ok ? ok(commit.value.trim()) : gitRefused(commit.failure);
}

/** JSON of a file that others may have written; what it says when it is broken is nobody's business. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
