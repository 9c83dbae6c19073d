/** The job in front: admits, and settles on a machine without an agent what the others may not settle for themselves. */
import {rm} from "node:fs/promises";
import {writeOutputs} from "../../src/github/runner.ts";
import {type AdmissionResult, encodeAdmissionResult} from "../../src/handover/admission-result.ts";
import {catchBug, recordFailure} from "../../src/run/catch-bug.ts";
import {cannotSucceed} from "../../src/run/check-before-agent.ts";
import {admitAndAnswer} from "../../src/run/dropped-requests.ts";
import {findParkedWork} from "../../src/run/parked-work.ts";
import type {RunContext} from "../../src/run/run-context.ts";
import {prepareRun, type RunSetup} from "../../src/run/run-setup.ts";
import type {AdmittedRun} from "../1-admit.ts";
import {type Done, settle} from "../4-settle.ts";

/** Lets a run in and says which job comes next. What cannot even begin is reported here, and nothing comes next. */
export async function admitJob(world: RunContext): Promise<Done> {
  const admitted = await admitAndAnswer(world);
  if (admitted.kind === "over") return {isGreen: !admitted.isRed, why: admitted.why};
  const {run} = admitted;
  const ticket = await catchBug(run, async () => {
    const found = await findParkedWork(run);
    // Those of the ground are made again by each job.
    const {notes} = run.record.current();
    const laid = found.ok ? await prepareRun(run) : found;
    if (laid.ok)
      return (await cannotSucceed({run, ground: laid.value})) ? null : ticketOf({run, ground: laid.value, notes});
    recordFailure(run, laid.failure);
    return null;
  });
  if (ticket === null) return settle(run);
  writeOutputs({
    ticket: encodeAdmissionResult(ticket),
    next: ticket.request.kind === "verify" ? "verify" : "work",
    base: ticket.rules.commit,
  });
  // The run goes on elsewhere: `post` is to find nothing here that it could take for a run that died.
  await rm(run.folder, {recursive: true, force: true});
  return {isGreen: true, why: ""};
}

function ticketOf({
  run,
  ground,
  notes,
}: {
  run: AdmittedRun;
  ground: RunSetup;
  notes: AdmissionResult["notes"];
}): AdmissionResult | null {
  const {request, rules, thread, showsPlan, resumes, run: mine} = run.record.current();
  if (request === null || rules === null) return null;
  return {
    schema: "assay.ticket/1",
    run: mine.id,
    startedAt: mine.startedAt,
    request,
    rules,
    target: ground.target,
    notes,
    head: run.head,
    commentId: thread?.commentId ?? null,
    eyes: run.eyes,
    showsPlan: showsPlan ?? false,
    ...(resumes !== undefined && {resumes}),
  };
}
