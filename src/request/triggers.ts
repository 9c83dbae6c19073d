/** The events that start a run, as data. docs/triggers.md has the same table for people. */
import type {TriggerKind} from "../record/record.ts";

export interface Trigger {
  readonly kind: TriggerKind;
  /** the event's name in `on:` of a workflow, and its action; empty if it has none */
  readonly event: string;
  readonly action: string;
  /** the keys of the payload with the thread and with the text of the request */
  readonly thread: "issue" | "pull_request";
  readonly text: "comment" | "issue" | "review" | "run";
  /** true if no person starts each run: it has a budget, and only a few runs start per day */
  readonly isAutomatic: boolean;
  /** the word of `assay init --on`; null for the triggers of every workflow */
  readonly option: string | null;
  /** an expression that the `if:` of a workflow needs for this trigger */
  readonly expression: string;
}

export const TRIGGERS: readonly Trigger[] = [
  {
    kind: "comment",
    isAutomatic: false,
    event: "issue_comment",
    action: "created",
    thread: "issue",
    text: "comment",
    option: null,
    expression: "github.event.comment.body",
  },
  {
    kind: "issue",
    isAutomatic: true,
    event: "issues",
    action: "opened",
    thread: "issue",
    text: "issue",
    option: null,
    expression: "github.event.issue.body",
  },
  {
    kind: "review-comment",
    isAutomatic: false,
    event: "pull_request_review_comment",
    action: "created",
    thread: "pull_request",
    text: "comment",
    option: "reviews",
    expression: "github.event.comment.body",
  },
  {
    kind: "review",
    isAutomatic: false,
    event: "pull_request_review",
    action: "submitted",
    thread: "pull_request",
    text: "review",
    option: "reviews",
    expression: "github.event.review.body",
  },
  {
    kind: "bot-review",
    isAutomatic: true,
    event: "pull_request_review",
    action: "submitted",
    thread: "pull_request",
    text: "review",
    option: "reviews",
    expression: "github.event.review.body",
  },
  {
    kind: "label",
    isAutomatic: true,
    event: "issues",
    action: "labeled",
    thread: "issue",
    text: "issue",
    option: "label",
    expression: "github.event.label.name",
  },
  {
    kind: "assignment",
    isAutomatic: true,
    event: "issues",
    action: "assigned",
    thread: "issue",
    text: "issue",
    option: "assignment",
    expression: "github.event.assignee.login",
  },
  {
    kind: "dispatch",
    isAutomatic: false,
    event: "workflow_dispatch",
    action: "",
    thread: "issue",
    text: "run",
    option: "dispatch",
    expression: "github.event_name == 'workflow_dispatch'",
  },
  {
    kind: "schedule",
    isAutomatic: true,
    event: "schedule",
    action: "",
    thread: "issue",
    text: "run",
    option: "schedule",
    expression: "github.event_name == 'schedule'",
  },
  {
    kind: "ci",
    isAutomatic: true,
    event: "workflow_run",
    action: "completed",
    thread: "issue",
    text: "run",
    option: "ci",
    expression: "github.event.workflow_run.conclusion == 'failure'",
  },
  {
    kind: "push",
    isAutomatic: true,
    event: "push",
    action: "",
    thread: "issue",
    text: "run",
    option: "update",
    expression:
      "github.event_name == 'push' && github.event.ref == format('refs/heads/{0}', github.event.repository.default_branch)",
  },
];

/** The words of `assay init --on`. */
export const TRIGGER_OPTIONS: readonly string[] = [...new Set(TRIGGERS.flatMap(({option}) => option ?? []))];

/** True if this trigger is chosen. `label` is chosen by `label` and by `label:NAME`. */
export const isChosen = (chosen: readonly string[], option: string): boolean =>
  chosen.some((one) => one.split(":")[0] === option);

/** NAME of `label:NAME`; without one, an empty text. */
export const chosenName = (chosen: readonly string[], option: string): string =>
  chosen.find((one) => one.startsWith(`${option}:`))?.slice(option.length + 1) ?? "";

/** The triggers of a workflow with these options. */
export const triggersWith = (chosen: readonly string[]): readonly Trigger[] =>
  TRIGGERS.filter(({option}) => option === null || isChosen(chosen, option));

/** True if the event itself is the request, whatever the first line of its text is. */
export const isWordless = (kind: TriggerKind): boolean => kind === "label" || kind === "assignment";

/** True if the workflow starts manually, on a schedule, after CI or a push: GitHub's payload has no text of a thread. */
export const startsWorkflow = (kind: TriggerKind): boolean => ["dispatch", "schedule", "ci", "push"].includes(kind);

/** True if the run is for a pull request of Assay that no person has commented on: such runs are few, and share a budget. */
export const isRound = (kind: TriggerKind): boolean => ["ci", "bot-review", "push"].includes(kind);

/** True for the id of such a run. */
export const isRoundId = (run: string): boolean =>
  TRIGGERS.some(({kind}) => isRound(kind) && run.startsWith(`${kind}-`));

export function triggerOf(kind: TriggerKind): Trigger {
  const trigger = TRIGGERS.find((one) => one.kind === kind);
  if (trigger === undefined) throw new Error(`no trigger is called ${kind}`);
  return trigger;
}
