/** An admitted run: its context, event, record and comment. */
import type {Marker} from "../github/marker.ts";
import {readMarker} from "../github/marker.ts";
import type {RunRecord} from "../record/record.ts";
import type {Event} from "../request/event.ts";
import type {LiveComment} from "./live-comment.ts";
import type {RecordFile} from "./record-file.ts";
import type {RunContext} from "./run-context.ts";

export interface AdmittedRun {
  readonly context: RunContext;
  readonly folder: string;
  readonly marker: Marker;
  readonly event: Event;
  readonly record: RecordFile;
  readonly comment: LiveComment;
  /** the 👀 reaction, removed at the end; null if GitHub did not accept it */
  readonly eyes: number | null;
  /** the pull request's head, as it was when the comment came; null on an issue */
  readonly head: PinnedHead | null;
}

export interface PinnedHead {
  /** full name in this repository, `refs/pull/N/head` for one of a fork */
  readonly ref: string;
  readonly commit: string;
  readonly baseBranch: string;
  readonly isFork: boolean;
}

/** One id per trigger, so that the same comment delivered twice is the same run. */
export function runId({trigger}: Pick<Event, "trigger">): string {
  return `${trigger.kind}-${trigger.id}`;
}

/** Recognizes the run's own comment by its hidden marker, with or without a session in it. */
export const isCommentOf = (event: Event) => (body: string) => readMarker(body)?.run === runId(event);

/** The record at the start of a run. */
export function firstRecord(o: {
  context: Pick<RunContext, "runner" | "version">;
  event: Event;
  request: NonNullable<RunRecord["request"]>;
  startedAt: string;
  showsPlan: boolean;
  commentId: number | null;
  notes?: RunRecord["notes"];
}): RunRecord {
  const {context, event} = o;
  return {
    schema: "assay.record/1",
    run: {
      id: runId(event),
      url: context.runner.runUrl,
      startedAt: o.startedAt,
      finishedAt: null,
      assay: context.version,
    },
    request: o.request,
    thread: {
      repository: event.repository.fullName,
      number: event.thread.number,
      isPullRequest: event.thread.isPullRequest,
      trigger: event.trigger,
      actor: event.author?.login ?? "",
      commentId: o.commentId,
    },
    base: null,
    rules: null,
    plan: null,
    showsPlan: o.showsPlan,
    attempts: [],
    verdict: {kind: "unverified", why: "cancelled", detail: "the run has not come to a verdict"},
    publication: {kind: "none"},
    failures: [],
    notes: o.notes ?? [],
    session: null,
  };
}
