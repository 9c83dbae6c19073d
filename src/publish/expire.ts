/** Deletes parked work and conversations that are older than 30 days, or 7 for a try that was not chosen, a few refs in each run. */

import {isPlainSession} from "../agent/store.ts";
import {gitRefused} from "../git/git.ts";
import {hiddenRef} from "../git/hidden-ref.ts";
import {deleteRef} from "../git/push.ts";
import {protocolOf} from "../git/remote.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {hasRunTrailer, isOtherTry} from "./message.ts";
import {branchOf} from "./target.ts";

export const KEPT_DAYS = 30;
export const TRY_DAYS = 7;
const DAY_MS = 86_400_000;
/** The refs of each kind that one run checks. They are chosen at random, so that every ref is checked in the end. */
const MAX_REFS = 20;
const PARKED = hiddenRef("parked/");
const SESSIONS = hiddenRef("session/");
const NAME = /^refs\/(?:heads\/)?assay\/parked\/(?:issue|run)-\d+(?:-\d+)?$/;
/** Earlier versions had the branches, and no encryption. */
const SESSION = /^refs\/(?:heads\/)?assay\/session\/issue-\d+$/;

type ExpiredRefs = Record<"parked" | "tries" | "sessions", string[]>;

/**
 * Returns the deleted refs. A ref with parked work is Assay's own if its name has the form, and its commit the bot's
 * address and Assay's trailer. It is kept if a person committed on top of it, or if `isInUse` finds an open pull
 * request. `spare` is a commit that this run works with. A conversation that is not encrypted is deleted at any age. A
 * ref that moved meanwhile is not deleted. Fails if the server cannot be reached.
 */
export async function expireRefs(options: {
  repository: Repository;
  botEmail: string;
  now: Date;
  spare: string | null;
  /** takes a branch's name; also true if that is unknown */
  isInUse: (branch: string) => Promise<boolean>;
}): Promise<Result<ExpiredRefs, Failure>> {
  const {repository, now, botEmail, spare} = options;
  const deleted: ExpiredRefs = {parked: [], tries: [], sessions: []};
  // Only a branch can be in use.
  const isInUse = async (ref: string) => ref !== branchOf(ref) && (await options.isInUse(branchOf(ref)));
  if (repository.source.kind !== "remote") return ok(deleted);
  const {url} = repository.source;
  const remoteRefs = await repository.remoteRefs(PARKED.branch, PARKED.hidden, SESSIONS.branch, SESSIONS.hidden);
  if (!remoteRefs.ok) return remoteRefs;
  const parked = pickSome(remoteRefs.value.filter(({ref, commit}) => NAME.test(ref) && commit !== spare));
  const refs = [...parked, ...pickSome(remoteRefs.value.filter(({ref}) => SESSION.test(ref)))];
  if (refs.length === 0) return ok(deleted);
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: 60_000};
  const ids = [...new Set(refs.map(({commit}) => commit))];
  const fetchResult = await repository.git(
    ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", url, ...ids],
    call,
  );
  if (!fetchResult.ok) return gitRefused(fetchResult.failure);
  for (const {ref, commit} of refs) {
    const commitText = await repository.git(["show", "--no-patch", "--format=%ct%n%ce%n%B", commit]);
    if (!commitText.ok) return gitRefused(commitText.failure);
    const [seconds = "", email = "", ...message] = commitText.value.split("\n");
    const isOwn = email === botEmail && hasRunTrailer(message.join("\n"));
    const isTry = isOwn && isOtherTry(message.join("\n"));
    const isOld = now.getTime() - Number(seconds) * 1_000 > (isTry ? TRY_DAYS : KEPT_DAYS) * DAY_MS;
    const isSession = SESSION.test(ref);
    const isOver = isSession
      ? (ref.startsWith(SESSIONS.hidden) && isOld) || (await isPlainSession(repository, commit))
      : isOwn && isOld && !(await isInUse(ref));
    if (isOver && (await deleteRef({repository, ref, at: commit})))
      deleted[isSession ? "sessions" : isTry ? "tries" : "parked"].push(ref);
  }
  return ok(deleted);
}

function pickSome<T>(list: readonly T[]): T[] {
  const start = Math.floor(Math.random() * list.length);
  return [...list.slice(start), ...list.slice(0, start)].slice(0, MAX_REFS);
}
