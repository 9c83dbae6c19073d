/** Finds the work that a crashed run has already pushed, so that it is not pushed twice. */

import type {Repository} from "../git/repository.ts";
import {type FinalCommit, isOfCandidate, parentsOf, readCommit} from "../publish/commit.ts";
import {readTrailers} from "../publish/message.ts";
import {parkedRefs} from "../publish/park.ts";
import {botBranchNames, type WorkOwner} from "../publish/target.ts";
import {keptAttempt} from "../record/attempt.ts";
import {mayBePublished, type Publication} from "../record/record.ts";
import type {Candidate, Verdict} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import {type AdmittedRun, workOwner} from "./admitted-run.ts";

interface PublishedPlace {
  readonly ref: string;
  readonly ids: FinalCommit;
  readonly message: string;
}

/**
 * Records the last candidate as published if the server has the commit that this run made of it. Its message decides
 * whether it was verified: the agent could reach the record, but not the server. Returns false if the server does not
 * have it.
 */
export async function notePublished(run: AdmittedRun, repository: Repository): Promise<boolean> {
  const {record, event} = run;
  const {attempts, base, verdict, request} = record.current();
  const candidate = keptAttempt(attempts)?.candidate ?? null;
  if (candidate === null || base === null) return false;
  const [ownBranch = ""] = botBranchNames(workOwner(event));
  // An update goes to the branch of its pull request, and its base is the branch that it merges.
  const isUpdate = request?.kind === "update";
  const branch = isUpdate ? "refs/heads/assay/" : ownBranch;
  const isIt = ({ids}: {readonly ids: FinalCommit}) =>
    isOfCandidate(isUpdate ? {...ids, parent: parentsOf(ids).merges ?? ""} : ids, candidate);
  const remoteRefs = await repository.remoteRefs(base.ref, branch);
  const refs = remoteRefs.ok ? remoteRefs.value : [];
  const publishedPlace = await find({repository, refs, isIt});
  if (publishedPlace === null || !publishedPlace.message.includes(`\nAssay-Run: ${run.marker.run}\n`)) return false;
  const isClaimed =
    isVerified(verdict) && !publishedPlace.message.includes(`\nAssay-Verified-Tree: ${candidate.tree}\n`);
  const detail = "the run ended before this work could be verified";
  const doubtfulVerdict: Verdict = {kind: "unverified", why: "unfinished", detail};
  record.update({verdict: isClaimed ? doubtfulVerdict : verdict});
  const withWarning = !mayBePublished(record.current());
  const {ref, ids} = publishedPlace;
  record.update({
    publication: {kind: "published", ref, ...ids, ...parentsOf(ids), pullRequest: null, withWarning},
  });
  return true;
}

/**
 * The place where the candidate is already parked, in any commit; null if it is not parked, or the server cannot be
 * queried.
 */
export async function findParkedCommit(options: {
  repository: Repository;
  candidate: Candidate;
  issue: WorkOwner;
}): Promise<Extract<Publication, {kind: "parked"}> | null> {
  const {repository, candidate} = options;
  const remoteRefs = await parkedRefs(options);
  // The trailer names the base if the parent is a copy of it.
  const isIt = ({ids, message}: Omit<PublishedPlace, "ref">) =>
    ids.tree === candidate.tree && [ids.parent, readTrailers(message)?.base].includes(candidate.base);
  const parkedPlace = await find({repository, refs: remoteRefs.ok ? remoteRefs.value : [], isIt});
  return parkedPlace && {kind: "parked", ref: parkedPlace.ref, commit: parkedPlace.ids.commit, tree: candidate.tree};
}

/** The first ref with this newest commit. */
async function find(options: {
  repository: Repository;
  refs: readonly {readonly ref: string; readonly commit: string}[];
  isIt: (place: Omit<PublishedPlace, "ref">) => boolean;
}): Promise<PublishedPlace | null> {
  const {repository, isIt} = options;
  for (const {ref, commit} of options.refs) {
    // Not fetched, because a commit that this repository lacks was not pushed from it.
    const object = await readCommit(repository, commit);
    if (object.ok && isIt(object.value)) return {ref, ...object.value};
  }
  return null;
}
