/** Reads the thread for the agent: the issue, and the comments of users with write access. */

import type {PromptTask} from "../agent/prompts.ts";
import {specPrompt} from "../agent/spec-prompt.ts";
import {splitQuote} from "../markdown/split-quote.ts";
import {reportsBug} from "../request/bug-report.ts";
import {memoryFor, readMemory} from "../specs/memory.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {readRedLogs} from "./red-jobs.ts";
import {requestRules} from "./request-rules.ts";
import {type PictureSource, savePictures} from "./thread-pictures.ts";
import {otherComments} from "./whole-review.ts";

/** Comments after the trigger are left out: the request does not refer to them (T6). */
export async function readThread(
  run: PreparedRun,
  {task, resumed}: {task: string; resumed: NonNullable<PromptTask["resumed"]> | null},
): Promise<PromptTask> {
  const {event, context, record} = run;
  const {number, title, body} = event.thread;
  const allComments = await context.github.comments(number);
  if (!allComments.ok) {
    const text = `could not be read (${allComments.failure.message}), so the agent got only the issue and the request`;
    record.addNotes([{about: "the thread's comments", text}]);
  }
  const comments = [];
  const pictureSources: PictureSource[] =
    number === 0 ? [] : [{place: "in the issue", text: body, shown: () => context.github.shownIssue(number)}];
  const addSource = (id: number, text: string, place: string) =>
    void pictureSources.push({place, text, shown: () => context.github.shownComment(id)});
  if (event.trigger.kind === "comment") addSource(event.trigger.id, event.text, "in the request");
  for (const comment of allComments.ok ? allComments.value : []) {
    const isEarlier = comment.createdAt <= event.createdAt && comment.updatedAt <= event.createdAt;
    const isTrigger = event.trigger.kind === "comment" && comment.id === event.trigger.id;
    if (!isEarlier || isTrigger || comment.author === null) continue;
    if (await context.github.writes(comment.author)) {
      comments.push({author: comment.author.login, body: comment.body, at: comment.createdAt});
      addSource(comment.id, comment.body, `in a comment of ${comment.author.login}`);
    }
  }
  const pictures = await savePictures(run, pictureSources);
  const review = await otherComments(run);
  if (!review.ok)
    record.addNotes([{about: "the review's comments", text: `could not be read (${review.failure.message})`}]);
  const isOfBot = event.trigger.kind === "bot-review";
  const {own, quote} = isOfBot ? {own: task, quote: event.text.trim()} : splitQuote(task);
  const paths = [event.code?.path ?? "", ...(review.ok ? review.value : []).map(({path}) => path)];
  return {
    request: own,
    ...(quote !== "" && {quoted: quote}),
    ...(pictures.length > 0 && {pictures}),
    issue: {number, title, body},
    ...(event.code !== null && {code: event.code}),
    ...(review.ok && review.value.length > 0 && {review: review.value}),
    ...(isOfBot && {isReviewOfBot: true as const}),
    comments,
    stages: run.plan.stages,
    notes: [],
    logs: await readRedLogs(run),
    protectedPaths: run.config.protectedPaths,
    specs: run.specs === null ? "" : specPrompt(run.specs),
    memory: memoryFor([task, title, body, ...paths].join("\n"), readMemory(run.rulesProject)),
    ...(resumed !== null && {resumed}),
    ...(asksForTest(run, {title, body, request: own}) && {isBug: true as const}),
  };
}

/** On a pull request the text describes a change, not a bug. */
export function asksForTest(run: PreparedRun, issue: {title: string; body: string; request: string}): boolean {
  const {config, event, plan} = run;
  const {enabled, bite} = config.integrity;
  const hasTests = plan.stages.some(({kind}) => kind === "test");
  const isWork = !event.thread.isPullRequest && !requestRules(run).isUpdate;
  return enabled && bite !== "off" && hasTests && isWork && reportsBug(issue);
}
