/** Moves what former versions kept on branches, sessions and baseline, to hidden refs, which rules for branches do not reach. */

import {hiddenRef} from "../git/hidden-ref.ts";
import {deleteRef} from "../git/push.ts";
import {protocolOf} from "../git/remote.ts";
import type {Repository} from "../git/repository.ts";

/** Moved in one run; the next runs move the others. */
const MOST = 20;
const BASELINE = hiddenRef("baseline");
const SESSIONS = hiddenRef("session/");
const SESSION = /^refs\/heads\/assay\/session\/issue-\d+$/;

/**
 * Gives the branches that are gone. A hidden ref is created at the same commit first, then the branch is deleted; both only
 * while they are as they were seen. Where the hidden ref has another commit already, the branch stays until the next
 * `saveOnRef`, which takes it in. What fails is tried again by a later run, and is read from the branch until then.
 */
export async function migrateBranches(repository: Repository): Promise<string[]> {
  if (repository.source.kind !== "remote") return [];
  const {url} = repository.source;
  const listed = await repository.remoteRefs(BASELINE.branch, SESSIONS.branch);
  if (!listed.ok) return [];
  const isMeant = (ref: string) => ref === BASELINE.branch || SESSION.test(ref);
  const found = listed.value.filter(({ref}) => isMeant(ref)).slice(0, MOST);
  if (found.length === 0) return [];
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: 60_000};
  const ids = [...new Set(found.map(({commit}) => commit))];
  const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", url, ...ids];
  if (!(await repository.git(fetch, call)).ok) return [];
  const moves = found.map((one) => ({...one, to: one.ref.replace("refs/heads/", "refs/")}));
  const pushed = await repository.git(
    [
      ...["push", "--porcelain", "--no-verify", "--no-follow-tags"],
      ...moves.map(({to}) => `--force-with-lease=${to}:`),
      url,
      ...moves.map(({commit, to}) => `${commit}:${to}`),
    ],
    call,
  );
  // One refused ref makes git fail, and the others are created all the same.
  const lines = (pushed.ok ? pushed.value : pushed.failure.stdout).split("\n");
  const gone: string[] = [];
  for (const {ref, commit, to} of moves) {
    if (!lines.some((line) => /^[*=]\t/.test(line) && line.split("\t")[1] === `${commit}:${to}`)) continue;
    // A rule against deleting branches says no to all of them.
    if (!(await deleteRef({repository, ref, at: commit}))) break;
    gone.push(ref);
  }
  return gone;
}
