/** Stores the stop hook's state in the git directory: the last passing work, and facts about each session. */
import {mkdir, readFile, rename, writeFile} from "node:fs/promises";
import {dirname} from "node:path";
import {mapOf, textAt, valueAt} from "../../detect/files/manifest-values.ts";
import {parseJson} from "../../record/parse-json.ts";

const MAX_SESSIONS = 50;

export interface HookState {
  /** the key of the work that passed last */
  readonly verified: string | null;
  /** the blocks in a row, by session */
  readonly blocks: Readonly<Record<string, number>>;
  /** the commit of HEAD at the first stop, by session */
  readonly heads: Readonly<Record<string, string>>;
}

export async function readState(file: string): Promise<HookState> {
  const state = parseJson(await readFile(file, "utf8").catch(() => ""));
  const entriesOf = (name: string) => [...mapOf(valueAt(state, name))];
  const blocks = entriesOf("blocks").filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
  const heads = entriesOf("heads").filter((entry): entry is [string, string] =>
    /^[0-9a-f]{40,64}$/.test(`${entry[1]}`),
  );
  return {verified: textAt(state, "verified"), blocks: Object.fromEntries(blocks), heads: Object.fromEntries(heads)};
}

export async function writeState(file: string, {verified, blocks, heads}: HookState): Promise<void> {
  const newest = <T>(entries: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(entries).slice(-MAX_SESSIONS));
  await mkdir(dirname(file), {recursive: true});
  // Two agents may stop at the same time; neither reads half a file.
  const ownFile = `${file}.${process.pid}`;
  await writeFile(ownFile, JSON.stringify({verified, blocks: newest(blocks), heads: newest(heads)}));
  await rename(ownFile, file);
}

/** The commit of HEAD at the session's first stop. At the first stop, this one is stored. */
export async function rememberHead(file: string, {session, head}: {session: string; head: string}): Promise<string> {
  const state = await readState(file);
  const firstHead = state.heads[session];
  if (firstHead !== undefined) return firstHead;
  await writeState(file, {...state, heads: {...state.heads, [session]: head}});
  return head;
}
