/** Deletes parked work that nobody came back to: Assay's own, old enough, and only a little in each run. */

import {gitRefused} from "../git/git.ts";
import {hiddenRef} from "../git/hidden-ref.ts";
import {deleteRef} from "../git/push.ts";
import {protocolOf} from "../git/remote.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {namesRun} from "./message.ts";
import {branchOf} from "./target.ts";

export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** Looked at in one run; which ones is chance, so that none is passed over for ever. */
const MOST = 20;
const PARKED = hiddenRef("parked/");
const NAME = /^refs\/(?:heads\/)?assay\/parked\/issue-\d+(?:-\d+)?$/;

/**
 * Gives the refs that were deleted. A ref counts as Assay's own when its name has the form, and its commit the
 * bot's address and Assay's trailer; somebody who committed on top of it keeps it, and so does who opened a pull request of
 * it: `isInUse` is asked before anything goes. `spare` is a commit that this run works with.
 * Deleting holds only while the ref is where it was seen. Fails where the server cannot be asked.
 */
export async function expireParked(o: {
  repository: Repository;
  botEmail: string;
  now: Date;
  spare: string | null;
  /** takes a branch's name; true also where nobody could say */
  isInUse: (branch: string) => Promise<boolean>;
}): Promise<Result<string[], Failure>> {
  const {repository, now} = o;
  // Only a branch can be in use.
  const isInUse = async (ref: string) => ref !== branchOf(ref) && (await o.isInUse(branchOf(ref)));
  if (repository.source.kind !== "remote") return ok([]);
  const {url} = repository.source;
  const listed = await repository.remoteRefs(PARKED.branch, PARKED.hidden);
  if (!listed.ok) return listed;
  const found = chosen(listed.value.filter(({ref, commit}) => NAME.test(ref) && commit !== o.spare));
  if (found.length === 0) return ok([]);
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: 60_000};
  const ids = [...new Set(found.map(({commit}) => commit))];
  const fetched = await repository.git(
    ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", url, ...ids],
    call,
  );
  if (!fetched.ok) return gitRefused(fetched.failure);
  const deleted: string[] = [];
  for (const {ref, commit} of found) {
    const shown = await repository.git(["show", "--no-patch", "--format=%ct%n%ce%n%B", commit]);
    if (!shown.ok) return gitRefused(shown.failure);
    const [seconds = "", email = "", ...message] = shown.value.split("\n");
    const isOwn = email === o.botEmail && namesRun(message.join("\n"));
    const isOld = now.getTime() - Number(seconds) * 1_000 > KEPT_DAYS * DAY_MS;
    if (!isOwn || !isOld || (await isInUse(ref))) continue;
    if (await deleteRef({repository, ref, at: commit})) deleted.push(ref);
  }
  return ok(deleted);
}

function chosen<T>(all: readonly T[]): T[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, MOST);
}
