/** An admitted run: its context, event, record and comment. */
import {join} from "node:path";
import type {PinnedPolicy} from "../detect/config/organization-policy.ts";
import {type Marker, readMarker} from "../github/marker.ts";
import {withoutThread} from "../github/without-thread.ts";
import type {AdmissionResult} from "../handover/admission-result.ts";
import type {WorkOwner} from "../publish/target.ts";
import type {OnEvent} from "../record/events.ts";
import type {RunRecord} from "../record/record.ts";
import type {Event} from "../request/event.ts";
import {isWordless} from "../request/triggers.ts";
import {chooseAgent} from "./choose-agent.ts";
import {logEvents} from "./event-log.ts";
import {type LiveComment, openLiveComment} from "./live-comment.ts";
import {createRecordFile, openRecordFile, type RecordFile} from "./record-file.ts";
import {type RunContext, runFolder} from "./run-context.ts";

export interface AdmittedRun {
  readonly context: RunContext;
  readonly folder: string;
  readonly marker: Marker;
  readonly event: Event;
  readonly record: RecordFile;
  readonly comment: LiveComment;
  /** the 👀 reaction, removed at the end; null if GitHub did not accept it */
  readonly eyes: number | null;
  /** the pull request's head at the time of the comment; null on an issue */
  readonly head: PinnedHead | null;
  /** the decisions of the job `admit`; null in a run of one job */
  readonly admission: AdmissionResult | null;
  /** the organization's; null without one */
  readonly policy: PinnedPolicy | null;
  readonly onEvent: OnEvent;
}

export interface PinnedHead {
  /** full name in this repository, `refs/pull/N/head` for one of a fork */
  readonly ref: string;
  readonly commit: string;
  readonly baseBranch: string;
  readonly isFork: boolean;
}

/** One id per trigger, so that the same comment delivered twice is the same run. */
export function runId({trigger: {kind, id}, createdAt}: Pick<Event, "trigger" | "createdAt">): string {
  // The same label can be added again later.
  return isWordless(kind) ? `${kind}-${id}-${Date.parse(createdAt) / 1_000}` : `${kind}-${id}`;
}

/** Recognizes the run's own comment by its hidden marker, with or without a session in it. */
export const isCommentOf = (event: Event) => (body: string) => readMarker(body)?.run === runId(event);

/** The run itself owns its branches if there is no issue or pull request. */
export const workOwner = ({thread, trigger}: Event): WorkOwner => thread.number || `run-${trigger.id}`;

/** Without an issue or pull request, the run reads and writes no comments. */
export const contextOf = (context: RunContext, {thread}: Event): RunContext =>
  thread.number === 0 ? {...context, github: withoutThread(context.github)} : context;

type RunOrigin = Pick<AdmittedRun, "context" | "event">;

/** Where a run of this event keeps its record. */
function recordPlace({context, event}: RunOrigin) {
  return {file: join(runFolder(context.runner, runId(event)), "record.json"), redact: context.redact};
}

/** Opens the record that an earlier process of this job has left; null without one. */
export const openRecord = (origin: RunOrigin): RecordFile | null => openRecordFile(recordPlace(origin));

/** Builds the run. With `commentId` null, its comment is found by the marker. */
export function openRun({
  commentId,
  ...given
}: RunOrigin &
  Pick<AdmittedRun, "record"> &
  Partial<Pick<AdmittedRun, "eyes" | "head" | "admission" | "policy">> & {commentId: number | null}): AdmittedRun {
  const inputs = chooseAgent(given.context.inputs, given.record.current().request);
  const origin = {...given, context: contextOf({...given.context, inputs}, given.event)};
  const {context, event} = origin;
  const {github, runner, log} = context;
  const marker = {run: runId(event), session: null};
  const logEvent = logEvents(log);
  return {
    eyes: null,
    head: null,
    admission: null,
    policy: null,
    ...origin,
    folder: runFolder(runner, marker.run),
    marker,
    comment: openLiveComment({github, number: event.thread.number, isIt: isCommentOf(event), id: commentId}),
    onEvent: (event) => {
      logEvent(event);
      context.onEvent?.(event);
    },
  };
}

/** Starts the record of a run. */
export function createRecord(
  origin: RunOrigin,
  admission: Pick<AdmissionResult, "startedAt" | "request" | "showsPlan" | "commentId"> &
    Partial<Pick<AdmissionResult, "notes" | "resumes" | "undoes" | "earlier" | "redJobs" | "reservation">>,
): RecordFile {
  const {context, event} = origin;
  const {
    startedAt,
    request,
    showsPlan,
    commentId,
    notes = [],
    resumes,
    undoes,
    earlier,
    redJobs,
    reservation,
  } = admission;
  const record: RunRecord = {
    schema: "assay.record/1",
    run: {id: runId(event), url: context.runner.runUrl, startedAt, finishedAt: null, assay: context.version},
    request,
    ...(context.withheld !== null && {isDryRun: true as const}),
    ...(context.clone !== null && {isInClone: true as const}),
    thread:
      event.thread.number === 0
        ? null
        : {
            repository: event.repository.fullName,
            number: event.thread.number,
            isPullRequest: event.thread.isPullRequest,
            trigger: event.trigger,
            actor: event.author?.login ?? "",
            commentId,
          },
    base: null,
    rules: null,
    plan: null,
    showsPlan,
    ...(resumes !== undefined && {resumes}),
    ...(undoes !== undefined && {undoes}),
    ...(earlier !== undefined && {earlier}),
    ...(redJobs !== undefined && {redJobs}),
    ...(reservation !== undefined && {reservation}),
    attempts: [],
    verdict: {kind: "unverified", why: "unfinished", detail: "the run has no verdict yet"},
    publication: {kind: "none"},
    failures: [],
    notes,
    session: null,
  };
  return createRecordFile({...recordPlace(origin), record});
}
