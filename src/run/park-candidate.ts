/** Parks work that is not published. */
import type {Repository} from "../git/repository.ts";
import {idsOf, isOfCandidate, makeCommit} from "../publish/commit.ts";
import {park} from "../publish/park.ts";
import {mayBePublished, type Publication} from "../record/record.ts";
import type {Candidate} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {withoutSecrets} from "./publish-checks.ts";
import {requestRules} from "./request-rules.ts";

/** Parks a candidate without its files with secrets. If that fails, the report has the failure. */
export async function parkCandidate(o: {
  run: Pick<AdmittedRun, "record" | "event" | "folder" | "context">;
  repository: Repository;
  candidate: Candidate;
  /** paths in which the owner allows example keys; none after a crash, when they are unknown */
  exampleSecrets: readonly string[];
  /** finds the place where a crashed run already parked the candidate; null: nowhere */
  findParked?: (candidate: Candidate) => Promise<Publication | null>;
}): Promise<Publication> {
  const {run, repository} = o;
  if (await isParkedAlready(o)) return {kind: "none"};
  const candidate = await withoutSecrets(o);
  if (candidate === null) return {kind: "none"};
  const before = (await o.findParked?.(candidate)) ?? null;
  if (before !== null) return before;
  const made = await makeCommit({repository, candidate, facts: commitFacts(run)});
  const commit = made.ok ? made.value.commit : candidate.commit;
  // A cancelled run has seconds left, so the first answer has to do.
  const pausesMs = run.context.signal.aborted ? {pausesMs: []} : {};
  const parked = await park({
    repository,
    commit,
    tree: candidate.tree,
    issue: run.event.thread.number,
    folder: run.folder,
    ...pausesMs,
  });
  if (parked.problem !== null) run.record.addFailure(parked.problem);
  return parked.publication ?? {kind: "none"};
}

/** True for `/verify` of parked work: if it still does not pass, it stays where it is. */
async function isParkedAlready(o: {
  run: Pick<AdmittedRun, "record">;
  repository: Repository;
  candidate: Candidate;
}): Promise<boolean> {
  const {resumes} = o.run.record.current();
  if (requestRules(o.run).task !== null || resumes === undefined) return false;
  const parked = await idsOf(o.repository, resumes);
  return parked.ok && isOfCandidate(parked.value, o.candidate);
}

/** The commit says "verified" only if the run is: documents that no stage reads are published without that word. */
export function commitFacts(admitted: Pick<AdmittedRun, "record" | "event" | "context">) {
  const {record, event, context} = admitted;
  const {run, verdict} = record.current();
  return {
    request: context.redact(requestRules(admitted).title ?? event.thread.title),
    issue: event.thread.number,
    run: run.id,
    verified: isVerified(verdict) && mayBePublished(record.current()),
    requester: event.author,
  };
}
