/** Reads `/approve`: a person's decision that the saved work may change its own checks. */
import {readCommit} from "../publish/commit.ts";
import {requesterOf} from "../publish/message.ts";
import type {Failure} from "../record/failure.ts";
import type {Approval, Candidate} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";

/**
 * Null if the request approves nothing. Refuses a tree other than the saved one, and a requester who may not approve it
 * alone.
 */
export async function readApproval(
  run: PreparedRun,
  {tree}: Pick<Candidate, "tree">,
): Promise<Result<Approval | null, Failure>> {
  const {approves} = requestRules(run);
  if (approves === null) return ok(null);
  const {resumes} = run.record.current();
  const {author} = run.event;
  if (resumes === undefined || author === null) return refuse("there are no saved changes in this thread");
  if (approves === "")
    return refuse(`the command needs the id of the files that you reviewed: \`/approve ${tree.slice(0, 12)}\``);
  if (!tree.startsWith(approves))
    return refuse(`the saved changes are ${tree.slice(0, 12)}, not ${approves.slice(0, 12)}; review them first`);
  if (run.config.integrity.approvers === 1) return ok({by: author.login, tree});
  const savedCommit = await readCommit(run.repository, resumes);
  const requester = savedCommit.ok ? (requesterOf(savedCommit.value.message)?.id ?? null) : null;
  if (requester === null) return refuse("it is unknown who requested these changes, and two people have to agree");
  if (requester === author.id) return refuse("two people have to agree, and you requested these changes yourself");
  return ok({by: author.login, tree});
}

const refuse = (message: string): Result<never, Failure> => refused({kind: "approval-refused", message});
