/** Comments that asked for a run and will get none: GitHub keeps one waiting run for each issue, and drops the others unheard. */
import {isBy, type ThreadComment} from "../src/github/comments.ts";
import type {Self} from "../src/github/people.ts";
import {renderSuperseded} from "../src/report/live.ts";
import {readMarker} from "../src/report/marker.ts";
import {screen} from "../src/request/admission.ts";
import {type Run, runId} from "./1-admit.ts";

/** A job lasts at most six hours on GitHub's machines: what waited longer than that was not dropped for this run. */
const WINDOW_MS = 6 * 3_600_000;
const MOST_ANSWERS = 5;

/**
 * Answers, each once, the comments of this thread that called Assay and were dropped. The newest of those that came after
 * this run's own is left: its run is the one that waits. Failing to is logged only; the report stands already.
 */
export async function answerDropped(run: Run): Promise<void> {
  const {world, event} = run;
  const {github, log} = world;
  const {number} = event.thread;
  const since = new Date(Date.parse(event.createdAt) - WINDOW_MS).toISOString();
  const self = await github.whoami();
  if (!self.ok) return log(`dropped comments could not be looked for: ${self.failure.message}`);
  const thread = await github.comments(number, since);
  if (!thread.ok) return log(`dropped comments could not be looked for: ${thread.failure.message}`);
  const waiting = unanswered({run, self: self.value, comments: thread.value});
  const newest = waiting.at(-1);
  const dropped = waiting.filter((one) => one !== newest || one.createdAt < event.createdAt);
  for (const {id, author} of dropped.slice(0, MOST_ANSWERS)) {
    if (author === null || !(await github.writes(author))) continue;
    const marker = {run: supersededId(id), session: null};
    const isIt = (body: string) => readMarker(body)?.run === marker.run;
    const said = await github.createComment({number, body: renderSuperseded(marker), isIt});
    if (!said.ok) log(`a dropped comment could not be answered: ${said.failure.message}`);
  }
}

/** A mark of its own: were the run to come after all, it would not take this answer for its report. */
const supersededId = (id: number) => `superseded-${id}`;

/** Oldest first. An edited comment may have become a request only later, when GitHub starts no run. */
function unanswered(o: {run: Run; self: Self; comments: readonly ThreadComment[]}): ThreadComment[] {
  const {self, comments} = o;
  const {world, event} = o.run;
  const answers = comments.filter(({author}) => isBy(self, author));
  const answered = new Set(answers.map(({body}) => readMarker(body)?.run));
  const phrase = world.inputs["trigger-phrase"];
  return comments.filter(({id, body, author, createdAt, updatedAt}) => {
    const asked = {...event, trigger: {kind: "comment" as const, id}, text: body, author, createdAt};
    const isHeard = runId(asked) === runId(event) || answered.has(runId(asked)) || answered.has(supersededId(id));
    return !isHeard && createdAt === updatedAt && screen(asked, {phrase}).kind === "asked";
  });
}
