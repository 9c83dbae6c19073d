/** Completes the event of a run that no text of a thread starts: GitHub's payload has neither the thread nor its time. */
import {ok, type Result, refused} from "../record/words.ts";
import type {GitHubFailure} from "../request/admission.ts";
import {type Event, issueText} from "../request/event.ts";
import {startsWorkflow} from "../request/triggers.ts";
import {completeBotReview} from "./bot-review.ts";
import {type CompletedEvent, GONE_STATUSES, type NotOurs} from "./own-pull-request.ts";
import {completePush} from "./pushed-base.ts";
import {completeRedRun} from "./red-run.ts";
import type {RunContext} from "./run-context.ts";
import {isPartOfRequest} from "./whole-review.ts";

/** The prompt has no room for more. Later jobs get the text as an output. */
const MAX_BODY = 30_000;

/** The number given to a manual run does not exist here. */
interface MissingThread {
  readonly kind: "no-thread";
  readonly message: string;
}

export async function completeEvent(
  context: Pick<RunContext, "github" | "inputs" | "runner" | "log">,
  event: Event,
): Promise<Result<CompletedEvent, GitHubFailure | MissingThread | NotOurs>> {
  const {github, inputs} = context;
  const {trigger, thread} = event;
  if (trigger.kind === "ci") return completeRedRun(context, event);
  if (trigger.kind === "push") return completePush(context, event);
  if (trigger.kind === "bot-review") return completeBotReview(context, event);
  const isPart = await isPartOfRequest(context, event, {phrase: inputs["trigger-phrase"], commands: inputs.commands});
  if (isPart.ok && isPart.value)
    return refused({kind: "not-ours", message: "The text or another comment of the same review starts the run."});
  if (!startsWorkflow(trigger.kind)) return ok({event, isEdited: false});
  const text = trigger.kind === "schedule" ? inputs["schedule-text"] : event.text;
  if (thread.number === 0) {
    const [title = ""] = text.split("\n", 1);
    return ok({event: {...event, text, thread: {...thread, title: title.slice(0, 200)}}, isEdited: false});
  }
  const [start, issue] = [await github.runStart(trigger.id), await github.issue(thread.number)];
  if (!start.ok) return start;
  if (!issue.ok) return GONE_STATUSES.has(issue.failure.status) ? refused(missingThread(thread.number)) : issue;
  const {title, state, pull_request, updated_at} = issue.value;
  const found = {title, body: (issue.value.body ?? "").slice(0, MAX_BODY)};
  const isPullRequest = (pull_request ?? null) !== null;
  const completed = {...event, createdAt: start.value, thread: {...thread, ...found, state, isPullRequest}};
  return ok({event: {...completed, text: text || issueText(found)}, isEdited: updated_at >= start.value});
}

function missingThread(number: number): MissingThread {
  const message = `There is no issue or pull request ${number} in this repository. Start the run again with another number, or with a text and no number.`;
  return {kind: "no-thread", message};
}
