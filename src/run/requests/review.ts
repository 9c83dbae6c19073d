/** Handles `/review`: verifies a pull request's head, and asks the second model about it. Nothing is pushed. */
import {NO_OPINION} from "../../record/opinion.ts";
import {changedPaths} from "../../record/verification.ts";
import {isVerified} from "../../record/words.ts";
import {budgetNotes} from "../budget.ts";
import {findChangeBase, mergeOntoTip} from "../change-base.ts";
import {asAnswered, judgeAttempts} from "../judge.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {readThread} from "../thread.ts";
import type {CheckedCandidate} from "../verifier.ts";
import {verifyHead} from "./verify.ts";

/** A longer description would leave no room for the change. */
const BODY_CHARS = 12_000;

/**
 * Verifies the head. In a run of one job, the head is also judged here; in separate jobs, only the job `judge` has the
 * key.
 */
export async function reviewHead(run: PreparedRun): Promise<CheckedCandidate> {
  const checked = await verifyHead(run);
  if (!run.config.judge.enabled) note(run, "verify.json does not enable the judge (see docs/judge.md)");
  else if (!isVerified(run.record.current().verdict)) note(run, "the change is not verified");
  if (run.context.inputs.job === "all") await judgeHead(run);
  return checked;
}

/** Judges the verified head by the pull request's title and description; does nothing without a judge. */
export async function judgeHead(run: PreparedRun): Promise<void> {
  const {record, config, event, repository} = run;
  const {attempts, rules} = record.current();
  const attempt = attempts.at(-1);
  if (!config.judge.enabled || !attempt?.candidate || rules === null) return;
  const head = attempt.candidate.commit;
  const changeBase = await findChangeBase(run, {head, tip: rules.commit});
  const merged = changeBase.isExact ? changeBase : await mergeOntoTip(run, {branch: head, head, tip: rules.commit});
  // Without the change's own commits, newer work of the default branch would look as if this change had removed it.
  if (merged === null)
    return note(run, "the pull request is behind, and its change could not be separated from newer commits");
  const {base, head: commit} = merged;
  const changes = await repository.changes(base, commit);
  if (!changes.ok || changedPaths(changes.value).length === 0) return;
  const {title, body} = event.thread;
  const task = `The change of this pull request does what its title and description say.\n\n${title}\n\n${body.slice(0, BODY_CHARS)}`;
  const thread = await readThread(run, {task, resumed: null});
  const judgedAttempt = {...attempt, candidate: {...attempt.candidate, base, commit}, changes: changes.value};
  await judgeAttempts(run, {...thread, issue: {...thread.issue, body: ""}})(asAnswered(judgedAttempt));
  // In separate jobs, the publishing job knows all costs.
  if (run.context.inputs.job === "all") record.addNotes(budgetNotes(config.budget, record.current().attempts));
}

function note({record}: PreparedRun, why: string): void {
  record.addNotes([{about: NO_OPINION, text: `not asked for, because ${why}`}]);
}
