/** The events that start a run, as data. docs/triggers.md has the same table for people. */
import type {TriggerKind} from "../record/record.ts";

export interface Trigger {
  readonly kind: TriggerKind;
  /** the event's name in `on:` of a workflow, and its action */
  readonly event: string;
  readonly action: string;
  /** the keys of the payload with the thread and with the text of the request */
  readonly thread: "issue" | "pull_request";
  readonly text: "comment" | "issue" | "review";
  /** the word of `assay init --on`; null for the triggers of every workflow */
  readonly option: string | null;
  /** an expression that the `if:` of a workflow needs for this trigger */
  readonly expression: string;
}

export const TRIGGERS: readonly Trigger[] = [
  {
    kind: "comment",
    event: "issue_comment",
    action: "created",
    thread: "issue",
    text: "comment",
    option: null,
    expression: "github.event.comment.body",
  },
  {
    kind: "issue",
    event: "issues",
    action: "opened",
    thread: "issue",
    text: "issue",
    option: null,
    expression: "github.event.issue.body",
  },
  {
    kind: "review-comment",
    event: "pull_request_review_comment",
    action: "created",
    thread: "pull_request",
    text: "comment",
    option: "reviews",
    expression: "github.event.comment.body",
  },
  {
    kind: "review",
    event: "pull_request_review",
    action: "submitted",
    thread: "pull_request",
    text: "review",
    option: "reviews",
    expression: "github.event.review.body",
  },
];

/** The words of `assay init --on`. */
export const TRIGGER_OPTIONS: readonly string[] = [...new Set(TRIGGERS.flatMap(({option}) => option ?? []))];

/** The triggers of a workflow with these options. */
export const triggersWith = (options: readonly string[]): readonly Trigger[] =>
  TRIGGERS.filter(({option}) => option === null || options.includes(option));

export function triggerOf(kind: TriggerKind): Trigger {
  const trigger = TRIGGERS.find((one) => one.kind === kind);
  if (trigger === undefined) throw new Error(`no trigger is called ${kind}`);
  return trigger;
}
