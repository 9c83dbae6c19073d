/** Moves sessions and the baseline from branches of earlier versions to hidden refs, without branch rules. */

import {hiddenRef} from "../git/hidden-ref.ts";
import {deleteRef} from "../git/push.ts";
import {protocolOf} from "../git/remote.ts";
import type {Repository} from "../git/repository.ts";

/** Branches moved in one run; the next runs move the others. */
const MAX_BRANCHES = 20;
const BASELINE = hiddenRef("baseline");
const SESSIONS = hiddenRef("session/");
const SESSION = /^refs\/heads\/assay\/session\/issue-\d+$/;

/**
 * Returns the deleted branches. First creates a hidden ref at the same commit, then deletes the branch; both only if
 * they did not change meanwhile. If the hidden ref has another commit already, the branch stays until the next
 * `saveOnRef` includes it. A later run repeats a failed move, and reads from the branch until then.
 */
export async function migrateBranches(repository: Repository): Promise<string[]> {
  if (repository.source.kind !== "remote" || repository.withholdPush !== null) return [];
  const {url} = repository.source;
  const remoteRefs = await repository.remoteRefs(BASELINE.branch, SESSIONS.branch);
  if (!remoteRefs.ok) return [];
  const branches = remoteRefs.value
    .filter(({ref}) => ref === BASELINE.branch || SESSION.test(ref))
    .slice(0, MAX_BRANCHES);
  if (branches.length === 0) return [];
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: 60_000};
  const ids = [...new Set(branches.map(({commit}) => commit))];
  const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", url, ...ids];
  if (!(await repository.git(fetch, call)).ok) return [];
  const moves = branches.map(({ref, commit}) => ({ref, commit, to: ref.replace("refs/heads/", "refs/")}));
  const pushResult = await repository.git(
    [
      ...["push", "--porcelain", "--no-verify", "--no-follow-tags"],
      ...moves.map(({to}) => `--force-with-lease=${to}:`),
      url,
      ...moves.map(({commit, to}) => `${commit}:${to}`),
    ],
    call,
  );
  // git fails if one ref is refused, though it creates the others.
  const lines = (pushResult.ok ? pushResult.value : pushResult.failure.stdout).split("\n");
  const deletedBranches: string[] = [];
  for (const {ref, commit, to} of moves) {
    if (!lines.some((line) => /^[*=]\t/.test(line) && line.split("\t")[1] === `${commit}:${to}`)) continue;
    // A rule against deleting branches applies to all of them.
    if (!(await deleteRef({repository, ref, at: commit}))) break;
    deletedBranches.push(ref);
  }
  return deletedBranches;
}
