/** Decides whether a user may start a run, for which request, and on which thread. */

import type {OrganizationPolicy} from "../detect/config/organization-policy.ts";
import type {Failure} from "../record/failure.ts";
import type {Request} from "../record/record.ts";
import type {Result} from "../record/words.ts";
import {type AllowedChoices, isAllowedChoice} from "./chosen-agent.ts";
import {isAnswered, parseCommand, workRequest} from "./command.ts";
import {type Account, type Event, issueText} from "./event.ts";
import {isRound, isWordless, startsWorkflow} from "./triggers.ts";

/** GitHub's answer about one user: `permission`, and `role`, which refines it (maintain, triage, a custom role). */
export interface Access {
  readonly permission: string;
  readonly role: string | null;
  /** the account of the answer */
  readonly userId: number | null;
}

const REFUSALS = [
  "not-a-person",
  "no-write-access",
  "access-unknown",
  "fork",
  "fork-in-one-job",
  "no-separate-jobs",
  "head-unknown",
  "head-moved",
  "push-time-unknown",
  "too-often",
  "closed-pull-request",
  "no-pull-request",
  "no-setup-here",
  "text-edited",
  "too-many-today",
  "dry-runs-unknown",
  "no-request",
  "choice-not-allowed",
  "needs-comment",
  "policy-unreadable",
  "switched-off",
  "role-too-low",
  "rounds-used",
] as const;
export type Refusal = (typeof REFUSALS)[number];

export type Admission =
  | {readonly kind: "admitted"; readonly request: Request}
  /** `line` is the sentence to post, or null; `failure` is why GitHub could not be asked */
  | {readonly kind: "refused"; readonly why: Refusal; readonly line: string | null; readonly failure?: GitHubFailure}
  /** the thread could not be read, so it is unknown whether this request had its run */
  | {readonly kind: "unknown"; readonly failure: GitHubFailure}
  /** an earlier run has answered this request */
  | {readonly kind: "repeated"}
  | {readonly kind: "ignored"; readonly why: string};

export type GitHubFailure = Extract<Failure, {kind: "github-refused"}>;

type RefusedRequest = Extract<Admission, {kind: "refused" | "ignored"}>;

/** A request whose author's permission is not checked yet. */
export interface ScreenedRequest {
  readonly kind: "asked";
  readonly request: Request;
  /** null for a schedule, which only people with write access can set up */
  readonly author: Account | null;
  /** false if every comment is a request. Then the user may not have addressed Assay, and a refusal is not posted */
  readonly byName: boolean;
}

/** Every comment of Assay begins with this, so that its own comments never start a run. */
export const OWN_MARK = "<!-- assay";

/** How often red CI, bots and conflicts start a run on a pull request. */
export const MAX_ROUNDS = 2;

const LINES = {
  // an answer to a bot could start an endless exchange
  "not-a-person": null,
  "no-write-access": "Sorry, only people with write access to this repository can ask Assay to work here.",
  "access-unknown":
    "Assay could not find out whether you have write access, so it did nothing. Please try again in a few minutes.",
  fork: "Assay does not work on pull requests from forks. Push the branch to this repository and ask again there.",
  "fork-in-one-job":
    "Assay verifies pull requests from forks only in separate jobs, where their code has no access to secrets, and the workflow here has one job. Push the branch to this repository and ask again there.",
  "no-separate-jobs":
    "Assay cannot use separate jobs on this server: they need artifacts of version 4, which GitHub Enterprise Server does not have. An owner can write a workflow with one job: `assay init --mode single`.",
  "head-unknown": "Assay could not read this pull request, so it did nothing. Please try again in a few minutes.",
  "head-moved":
    "This pull request got new commits after your comment, so Assay did nothing. Review them, then comment again.",
  "push-time-unknown":
    "Assay could not find out whether this pull request got new commits after your comment, so it did nothing. Comment again in a few minutes. If that does not help, push to its branch first.",
  "too-often":
    "This thread has reached its limit of runs in one hour (`runs-per-hour`), so Assay did nothing. Please comment again later.",
  "text-edited":
    "This issue was edited after it was given to Assay, or Assay could not read it, so it did nothing. Read the issue, then comment a request.",
  "too-many-today":
    "Assay has reached its limit of automatic runs in 24 hours (`automatic-runs-per-day`), or could not count them, so it did nothing. Comment a request instead.",
  "dry-runs-unknown":
    "Assay could not count the dry runs of the last hour, so it did nothing. Its job may need the permission `actions: read`.",
  "no-request":
    "There is no request. Start the workflow again with the number of an issue or a text; for a schedule, set the input `schedule-text`.",
  "choice-not-allowed":
    "Requests may only name an agent or a model that the inputs `allowed-agents` and `allowed-models` of this repository's workflow list. Comment again without `agent=` or `model=`, or with another name.",
  "needs-comment": "Here, Assay cannot do that. Comment this command in the issue or pull request.",
  "policy-unreadable":
    "Assay could not read the policy of this organization, so it did nothing. The log of its run has the reason for the owner of the policy.",
  "switched-off": "The policy of this organization has switched Assay off.",
  "role-too-low": "The policy of this organization lets only people with a higher role start Assay here.",
  "rounds-used": `Failed workflows, reviews of bots and conflicts have started ${MAX_ROUNDS} runs for this pull request already, so Assay did nothing. Comment a request instead.`,
  "no-pull-request":
    "`/review` is a command for pull requests, so comment it on one. On an issue, `/verify` verifies the saved changes.",
  "no-setup-here":
    "Comment `/setup` on an issue. It needs separate jobs, where a machine without keys tries the proposal.",
  "closed-pull-request": "This pull request is closed. Reopen it, or open an issue, and ask again there.",
} satisfies Record<Refusal, string | null>;
/** Every text that is posted when a request is refused. */
export const REFUSAL_LINES: ReadonlyMap<Refusal, string> = new Map(
  REFUSALS.flatMap((why) => (LINES[why] === null ? [] : [[why, LINES[why]]])),
);

/** The words, the label and the account that call Assay. Without a label or account, none does. */
export interface CallingWords {
  readonly phrase: string;
  /** all, without a list */
  readonly commands?: readonly string[];
  readonly label?: string;
  readonly assignee?: string;
}

/**
 * The request in the text of an event; null if it does not call Assay. The text of an issue that somebody gives to
 * Assay needs no command, and the text of a manual or scheduled run may have one.
 */
export function requestOf({trigger: {kind}, text, thread, request}: Event, words: CallingWords): Request | null {
  if (request !== undefined && isRound(kind)) return request;
  const work: Request = {kind: "work", text: text.trim()};
  if (isWordless(kind)) return work;
  if (!startsWorkflow(kind)) return parseCommand(text, words);
  return text === issueText(thread) ? work : (parseCommand(text, words) ?? workRequest(text));
}

/** False for another label or assignee than Assay's. GitHub's names are case-insensitive. */
function isForAssay({trigger, subject}: Event, {label = "", assignee = ""}: CallingWords): boolean {
  if (!isWordless(trigger.kind)) return true;
  const name = trigger.kind === "label" ? label : assignee;
  return name !== "" && subject?.toLowerCase() === name.toLowerCase();
}

/**
 * The first half of the admission, without network. Returns the request in an event, or why Assay ignores or refuses
 * it. Only accounts of type User may ask, not deleted accounts, nor logins that end in `[bot]` (T5).
 */
export function screen(event: Event, words: CallingWords): ScreenedRequest | RefusedRequest {
  const {phrase} = words;
  const isStart = startsWorkflow(event.trigger.kind);
  // Assay never starts a manual run, so Assay's mark at the start of the issue must not end the run silently.
  if (!isStart && event.text.trimStart().startsWith(OWN_MARK))
    return {kind: "ignored", why: "This is Assay's own comment."};
  if (!isForAssay(event, words)) return {kind: "ignored", why: `This ${event.trigger.kind} is not for Assay.`};
  const request = requestOf(event, words);
  if (request === null) return {kind: "ignored", why: "The first line does not call Assay."};
  const {author, trigger} = event;
  // A text that only begins like a command may be chat.
  const isNamed = request.kind !== "unknown" && (phrase.trim() !== "" || request.kind !== "work");
  const byName = isNamed || isWordless(trigger.kind) || isStart;
  if (trigger.kind !== "schedule" && (author === null || author.type !== "User" || author.login.endsWith("[bot]")))
    return refuse("not-a-person", byName);
  if (request.kind === "work" && request.text === "") return refuse("no-request", byName);
  return {kind: "asked", request, author, byName};
}

export interface PullRequestHead {
  /** `owner/name` of the head; null if the fork was deleted */
  readonly headRepository: string | null;
  /** the last push to its branch, or to any branch of a fork, by GitHub's clock (ISO 8601); null if unknown */
  readonly pushedAt: string | null;
  /** why it is unknown, if GitHub refused to tell it */
  readonly pushFailure?: GitHubFailure | null;
  /** it may have been closed after the event */
  readonly isClosed?: boolean;
}

/** GitHub's answers about a request, and the circumstances of the run. */
export interface AdmissionFacts {
  /** null without an author */
  readonly access: Result<Access, GitHubFailure> | null;
  /** null if the thread is not a pull request's */
  readonly pullRequest: Result<PullRequestHead, GitHubFailure> | null;
  readonly thread: Result<ThreadAnswers, GitHubFailure>;
  /** true after "Re-run": it starts the request again; a payload that GitHub delivers twice does not (P9) */
  readonly isRerun: boolean;
  readonly runsPerHour: number;
  /** the times of the requests that a dry run counts instead of Assay's answers; null for another run */
  readonly dryRunTimes?: Result<readonly string[], GitHubFailure> | null;
  /** the number of automatic runs in the repository in the last 24 hours; null if the trigger is not automatic */
  readonly automaticRuns: Result<number, GitHubFailure> | null;
  readonly automaticRunsPerDay: number;
  /** the earlier runs of the pull request that no person started */
  readonly rounds?: number;
  /** the text of the issue now; null unless its text is the request of another person */
  readonly currentText: Result<string, GitHubFailure> | null;
  /** the issue changed after the manual start of the run */
  readonly isEdited?: boolean;
  /** the organization's policy; null without one */
  readonly policy: Result<Pick<OrganizationPolicy, "enabled" | "requesters"> | null, Failure>;
  /** the agents and models that a request may choose */
  readonly allowed: AllowedChoices;
  /** true if a machine without secrets verifies, which a fork's code requires */
  readonly runsApart: boolean;
  /** true if separate jobs cannot pass on their results on this server */
  readonly lacksArtifacts: boolean;
}

/** Assay's comments in a thread. */
interface ThreadAnswers {
  /** its comment for this request; null before the first run */
  readonly earlierId: number | null;
  /** their times, without refusals (ISO 8601) */
  readonly times: readonly string[];
  readonly refusals?: readonly {readonly why: Refusal; readonly time: string}[];
}

/**
 * The second half of the admission decides from all facts. Anything unknown is a refusal. Closed issues and locked
 * threads are allowed, because only people with write access can comment in a locked thread.
 */
export function admit({request, author, byName}: ScreenedRequest, event: Event, facts: AdmissionFacts): Admission {
  const {access, pullRequest, thread, runsApart} = facts;
  if (access?.ok === false) return {...refuse("access-unknown", byName), failure: access.failure};
  if (event.trigger.kind !== "schedule" && !isWriter(author, access?.value ?? null))
    return refuse("no-write-access", byName && refusalsBefore(event, facts, "no-write-access") < facts.runsPerHour);
  if (request.kind === "work" && !isAllowedChoice(request, facts.allowed)) return refuse("choice-not-allowed", byName);
  const isRun = !isAnswered(request);
  const refusal = isRun ? refuseByPolicy(facts, event) : null;
  if (refusal !== null) return refuse(refusal, byName);
  if (startsWorkflow(event.trigger.kind) && !(isRun && (event.thread.number > 0 || WITHOUT_THREAD.has(request.kind))))
    return refuse("needs-comment", byName);
  if (runsApart && facts.lacksArtifacts && isRun) return refuse("no-separate-jobs", byName);
  if (!event.thread.isPullRequest && request.kind === "review") return refuse("no-pull-request", byName);
  if (request.kind === "setup" && (event.thread.isPullRequest || !runsApart)) return refuse("no-setup-here", byName);
  if (event.thread.isPullRequest && isRun) {
    if (!pullRequest?.ok)
      return {...refuse("head-unknown", byName), ...(pullRequest && {failure: pullRequest.failure})};
    if (isFork(pullRequest.value, event)) {
      if (!isReadOnlyRequest(request)) return refuse("fork", byName);
      if (!runsApart && request.kind !== "plan") return refuse("fork-in-one-job", byName);
    }
    const {headRepository, pushedAt, pushFailure, isClosed = false} = pullRequest.value;
    const isPushUnknown = pushedAt === null && headRepository !== null;
    // The branch of a closed pull request is often gone, and so is the time of its last push.
    if ((isClosed || event.thread.state === "closed") && (isPushUnknown || !isReadOnlyRequest(request)))
      return refuse("closed-pull-request", byName);
    // The user may not have seen these commits (T6). Nobody can push to a deleted fork.
    if (isPushUnknown) return {...refuse("push-time-unknown", byName), ...(pushFailure && {failure: pushFailure})};
    if (pushedAt !== null && !(Date.parse(pushedAt) <= Date.parse(event.createdAt)))
      return refuse("head-moved", byName);
  }
  if (!thread.ok) return {kind: "unknown", failure: thread.failure};
  const {earlierId, times} = thread.value;
  const {automaticRuns, currentText} = facts;
  if (earlierId !== null && !facts.isRerun) return {kind: "repeated"};
  if (facts.isEdited || (currentText !== null && (!currentText.ok || currentText.value !== event.text)))
    return refuse("text-edited", byName);
  if (earlierId !== null) return {kind: "admitted", request};
  const {dryRunTimes} = facts;
  if (dryRunTimes?.ok === false) return {...refuse("dry-runs-unknown", byName), failure: dryRunTimes.failure};
  const recentRuns = (dryRunTimes?.value ?? times).filter((time) => isInHourBefore(event, time)).length;
  if (recentRuns >= facts.runsPerHour && request.kind !== "stop")
    return refuse("too-often", byName && refusalsBefore(event, facts, "too-often") === 0);
  if (isRound(event.trigger.kind) && (facts.rounds ?? 0) >= MAX_ROUNDS) return refuse("rounds-used", byName);
  if (isRun && automaticRuns !== null && !(automaticRuns.ok && automaticRuns.value < facts.automaticRunsPerDay))
    return refuse("too-many-today", byName);
  return {kind: "admitted", request};
}

/** A schedule has no author: only people who may change the workflow set it up. */
function refuseByPolicy({policy, access}: AdmissionFacts, {trigger}: Event): Refusal | null {
  if (!policy.ok) return "policy-unreadable";
  const {enabled = true, requesters = "write"} = policy.value ?? {};
  if (!enabled) return "switched-off";
  if (trigger.kind === "schedule" || requesters === "write") return null;
  const {permission = null, role = null} = access?.ok === true ? access.value : {};
  const isAdmin = permission === "admin" && (role === null || role === "admin");
  return isAdmin || (requesters === "maintain" && role === "maintain") ? null : "role-too-low";
}

/** Each refusal is also a comment, so the number of refusals in a thread is limited. */
const refusalsBefore = (event: Event, {thread}: Pick<AdmissionFacts, "thread">, why: Refusal): number =>
  (thread.ok ? (thread.value.refusals ?? []) : []).filter((one) => one.why === why && isInHourBefore(event, one.time))
    .length;

const isInHourBefore = ({createdAt}: Event, time: string): boolean =>
  Date.parse(createdAt) - Date.parse(time) < HOUR_MS;

/** The requests that need no earlier run of the same thread. */
const WITHOUT_THREAD: ReadonlySet<Request["kind"]> = new Set(["work", "verify", "plan"]);

const isWriter = (author: Account | null, access: Access | null): boolean =>
  author !== null && access !== null && [null, author.id].includes(access.userId) && canWrite(access);

/** True if the request changes nothing in the repository. */
const isReadOnlyRequest = ({kind}: Request): boolean => kind === "verify" || kind === "review" || kind === "plan";

const HOUR_MS = 3_600_000;
const WRITERS = new Set(["write", "maintain", "admin"]);
const ROLES_WITHOUT_WRITE = new Set(["none", "read", "pull", "triage"]);

/**
 * True only for write, maintain and admin. GitHub's `permission` is admin, write, read or none; `role_name` has
 * maintain, triage and custom roles (https://docs.github.com/en/rest/collaborators/collaborators). "push" is an older
 * word for write, and counts only if the role agrees. False for unknown words, and if the two disagree.
 */
export function canWrite({permission, role}: Pick<Access, "permission" | "role">): boolean {
  if (role !== null && ROLES_WITHOUT_WRITE.has(role)) return false;
  return WRITERS.has(permission) || (permission === "push" && role !== null && WRITERS.has(role));
}

/** GitHub's names are case-insensitive. A deleted fork has no repository, but is a fork. */
export function isFork(
  {headRepository}: Pick<PullRequestHead, "headRepository">,
  {repository}: Pick<Event, "repository">,
): boolean {
  return headRepository?.toLowerCase() !== repository.fullName.toLowerCase();
}

function refuse(why: Refusal, byName: boolean) {
  return {kind: "refused" as const, why, line: byName ? LINES[why] : null};
}
