/** Decides whether a run may happen: who asks, for what, and where. */

import type {Failure} from "../record/failure.ts";
import type {Request} from "../record/record.ts";
import type {Result} from "../record/words.ts";
import {parseCommand} from "./command.ts";
import type {Account, Event} from "./event.ts";

/** GitHub's answer about one person: `permission` is the base, `role` refines it (maintain, triage, an owner's own role). */
export interface Access {
  readonly permission: string;
  readonly role: string | null;
  /** the account the answer is about */
  readonly userId: number | null;
}

/** Why somebody is turned away. */
export type Refusal =
  | "not-a-person"
  | "no-write-access"
  | "access-unknown"
  | "fork"
  | "fork-in-one-job"
  | "no-separate-jobs"
  | "head-unknown"
  | "head-moved"
  | "too-often"
  | "closed-pull-request";

export type Admission =
  | {readonly kind: "admitted"; readonly request: Request; readonly author: Account}
  /** `line` is the one polite sentence to post; null means silence */
  | {readonly kind: "refused"; readonly why: Refusal; readonly line: string | null}
  | {readonly kind: "ignored"; readonly why: string};

/** Everything but a yes. */
export type RefusedRequest = Exclude<Admission, {kind: "admitted"}>;

/** An event that asks for something, before anybody was asked whether its author may. */
export interface ScreenedRequest {
  readonly kind: "asked";
  readonly request: Request;
  readonly author: Account;
  /** false when every comment is a request: then nobody called Assay by name, and a refusal stays silent */
  readonly byName: boolean;
}

/** How every comment of Assay begins, so that its own words never start a run. */
export const OWN_MARK = "<!-- assay";

const LINES = {
  // answering a bot is how two bots start to talk
  "not-a-person": null,
  "no-write-access": "Sorry, only people with write access to this repository can ask Assay to work here.",
  "access-unknown":
    "Assay could not find out whether you have write access, so it did nothing. Please try again in a few minutes.",
  fork: "Assay does not work on pull requests from forks. Push the branch to this repository and ask again there.",
  "fork-in-one-job":
    "Assay verifies pull requests from forks only in separate jobs, where their code finds no secret (`assay init --mode separated`). Here, push the branch to this repository and ask again there.",
  "no-separate-jobs":
    "On this server Assay does not work in separate jobs: they hand over their work as artifacts of version 4, which GitHub Enterprise Server does not have. `assay init --mode single` writes the workflow for it.",
  "head-unknown": "Assay could not read this pull request, so it did nothing. Please try again in a few minutes.",
  "head-moved":
    "This pull request got new commits after your comment, so Assay did nothing. Look at them, and ask again if it still holds.",
  "too-often":
    "Assay has answered on this thread as often within an hour as its `runs-per-hour` allows, so it did nothing. Please ask again later.",
  "closed-pull-request": "This pull request is closed. Reopen it, or open an issue, and ask again there.",
} satisfies Record<Refusal, string | null>;

/**
 * First half, without the network: takes the event and the trigger phrase, and gives what is asked, or why nothing
 * happens. Only accounts of type User may ask: a login that ends in `[bot]`, or a deleted account, proves nothing (T5).
 */
export function screen(event: Event, {phrase}: {phrase: string}): ScreenedRequest | RefusedRequest {
  if (event.text.trimStart().startsWith(OWN_MARK)) return {kind: "ignored", why: "This is Assay's own comment."};
  const request = parseCommand(event.text, {phrase});
  if (request === null) return {kind: "ignored", why: "The first line does not call Assay."};
  const byName = phrase.trim() !== "" || request.kind !== "work";
  const {author} = event;
  if (author === null || author.type !== "User" || author.login.endsWith("[bot]"))
    return refuse("not-a-person", byName);
  return {kind: "asked", request, author, byName};
}

/** What is known of a pull request's head. */
export interface PullRequestHead {
  /** `owner/name`; null when the fork was deleted */
  readonly headRepository: string | null;
  /** when its branch (of a fork: any branch there) was pushed to last, by GitHub's clock (ISO 8601); null when that is not known */
  readonly pushedAt: string | null;
}

/**
 * Second half: takes what is asked, GitHub's answer about the author and, on a pull request's thread, about its head
 * (`null` elsewhere). Whatever could not be found out is a refusal. Closed issues and locked threads are fine: only
 * people with write access can write in a locked one, and they know what they ask. `runsApart` says that what is verified
 * runs on a machine with nothing to steal, which a fork's code needs. `lacksArtifacts` says that separate jobs cannot hand over anything here.
 */
export function admit(options: {
  asked: ScreenedRequest;
  event: Event;
  access: Result<Access, Failure>;
  pullRequest: Result<PullRequestHead, Failure> | null;
  runsApart: boolean;
  lacksArtifacts?: boolean;
}): Admission {
  const {asked, event, access, pullRequest, runsApart} = options;
  const {request, author, byName} = asked;
  if (!access.ok) return refuse("access-unknown", byName);
  const sameAccount = access.value.userId === null || access.value.userId === author.id;
  if (!sameAccount || !canWrite(access.value)) return refuse("no-write-access", byName);
  if (runsApart && options.lacksArtifacts && request.kind !== "help") return refuse("no-separate-jobs", byName);
  if (event.thread.isPullRequest && request.kind !== "help") {
    if (pullRequest === null || !pullRequest.ok) return refuse("head-unknown", byName);
    if (isFork(pullRequest.value, event)) {
      if (request.kind !== "verify") return refuse("fork", byName);
      if (!runsApart) return refuse("fork-in-one-job", byName);
    }
    const {pushedAt} = pullRequest.value;
    // What was asked for was not written with these commits in view (T6).
    if (pushedAt !== null && Date.parse(pushedAt) > Date.parse(event.createdAt)) return refuse("head-moved", byName);
    if (request.kind !== "verify" && event.thread.state === "closed") return refuse("closed-pull-request", byName);
  }
  return {kind: "admitted", request, author};
}

const HOUR_MS = 3_600_000;

/**
 * The refusal of a request that comes too soon after many others, or null. `answers` are the times of Assay's own comments
 * in the thread (ISO 8601). It is said once; answering each further request would be the very flood.
 */
export function rateLimitRefusal(o: {
  answers: readonly string[];
  at: string;
  most: number;
  byName: boolean;
}): RefusedRequest | null {
  const recent = o.answers.filter((time) => Date.parse(o.at) - Date.parse(time) < HOUR_MS).length;
  return recent < o.most ? null : refuse("too-often", o.byName && recent === o.most);
}

const WRITERS = new Set(["write", "maintain", "admin"]);
const OTHERS = new Set(["none", "read", "pull", "triage"]);

/**
 * True only for write, maintain and admin. GitHub says `permission` admin, write, read or none, and puts maintain, triage
 * and custom roles into `role_name` (https://docs.github.com/en/rest/collaborators/collaborators). "push" is the older
 * word for write and counts only when the role agrees. Unknown words, and two answers that disagree, are a no.
 */
export function canWrite({permission, role}: Pick<Access, "permission" | "role">): boolean {
  if (role !== null && OTHERS.has(role)) return false;
  return WRITERS.has(permission) || (permission === "push" && role !== null && WRITERS.has(role));
}

/** GitHub's names know no case. A deleted fork has no repository, and is not this one. */
export function isFork(
  {headRepository}: Pick<PullRequestHead, "headRepository">,
  {repository}: Pick<Event, "repository">,
): boolean {
  return headRepository?.toLowerCase() !== repository.fullName.toLowerCase();
}

function refuse(why: Refusal, byName: boolean): RefusedRequest {
  return {kind: "refused", why, line: byName ? LINES[why] : null};
}
