/** One whole run, in order: admit, work, publish, settle. What goes wrong on the way is a failure in the record, and settled. */

import type {Rebased} from "../src/publish/rebase.ts";
import type {OnEvent, RunEvent} from "../src/record/events.ts";
import {type Phase, renderProgress} from "../src/report/live.ts";
import {catchBug, recordFailure} from "../src/run/catch-bug.ts";
import {cannotSucceed} from "../src/run/check-before-agent.ts";
import {markCommit} from "../src/run/commit-check.ts";
import {admitAndAnswer} from "../src/run/dropped-requests.ts";
import {findParkedWork, isReleased, removeOldRefs} from "../src/run/parked-work.ts";
import {parkRemainingWork} from "../src/run/recover.ts";
import type {RunContext} from "../src/run/run-context.ts";
import {prepareRun, type RunSetup} from "../src/run/run-setup.ts";
import {saveBaseline} from "../src/run/save-baseline.ts";
import {saveRunSession} from "../src/run/saved-session.ts";
import {verifyAgain} from "../src/run/verify-again.ts";
import {verifyHead} from "../src/run/verify-head.ts";
import type {AdmittedRun} from "./1-admit.ts";
import {work} from "./2-work.ts";
import {publish} from "./3-publish.ts";
import {announceEnd, type Done, report, settle} from "./4-settle.ts";

/** Runs to the end and says whether the job is green. `listen` hears what happens as it happens. */
export async function runAll(o: {world: RunContext; listen: OnEvent}): Promise<Done & {recordFile: string | null}> {
  const {world, listen} = o;
  const admitted = await admitAndAnswer(world);
  if (admitted.kind === "over") return {isGreen: !admitted.isRed, why: admitted.why, recordFile: null};
  const {run} = admitted;
  const onEvent: OnEvent = (event) => {
    listen(event);
    const phase = phaseOf(event);
    if (phase !== null) run.comment.show(renderProgress({phase, marker: run.marker, runUrl: world.context.runUrl}));
  };
  onEvent({kind: "admitted", by: run.record.current().thread?.actor ?? "", text: run.event.text});
  const {signal} = world;
  const left = await catchBug(run, async () => {
    const afterReport = await act({run, onEvent});
    if (signal.aborted) return [() => markCommit(run), ...afterReport];
    await markCommit(run);
    return afterReport;
  });
  // No reason to lose the agent's work.
  if (left === null) await catchBug(run, () => parkRemainingWork(run));
  const afterReport = (left ?? []).map((step) => () => catchBug(run, step));
  return {...(await settle(run, afterReport)), recordFile: run.record.file};
}

type Step = () => Promise<void>;

/** Everything up to the report. Gives what a cancelled run puts off until the report is shown: the runner kills it soon. */
async function act(o: {run: AdmittedRun; onEvent: OnEvent}): Promise<Step[]> {
  const {run, onEvent} = o;
  const {signal} = run.world;
  const found = await findParkedWork(run);
  const laid = found.ok ? await prepareRun(run) : found;
  if (!laid.ok) {
    // Cancelling ends a fetch, and that is no fault of the server.
    if (!signal.aborted) recordFailure(run, laid.failure);
    return [];
  }
  const ground: RunSetup = laid.value;
  onEvent({kind: "planned", stages: ground.plan.stages});
  const again = (rebased: Rebased) => verifyAgain({run, ground, rebased, onEvent});
  const {request} = run.record.current();
  if (request?.kind === "verify") {
    const {kept, close} = await verifyHead({run, ground, onEvent});
    if (signal.aborted) return [close];
    await close();
    // What does not pass is parked already.
    if (isReleased(run)) await publish({run, ground, onEvent, again});
    if (!signal.aborted) await saveBaseline({run, kept});
    return [];
  }
  if (await cannotSucceed({run, ground})) return [];
  const worked = await work({run, ground, onEvent});
  if (!worked.ok) {
    recordFailure(run, worked.failure);
    return [];
  }
  const {session: file, kept, close} = worked.value;
  if (signal.aborted) {
    await publish({run, ground, onEvent, again});
    const keepAndName = async () => {
      await saveRunSession({run, ground, file});
      announceEnd(run);
      await report(run);
    };
    return [keepAndName, close];
  }
  await close();
  await saveRunSession({run, ground, file});
  await publish({run, ground, onEvent, again});
  if (!signal.aborted) await removeOldRefs({run, ground});
  if (!signal.aborted) await saveBaseline({run, kept});
  return [];
}

function phaseOf(event: RunEvent): Phase | null {
  switch (event.kind) {
    case "turn-started":
      return {kind: "working", attempt: event.attempt};
    case "setup-started":
      return {kind: "installing", command: event.command};
    case "stage-started":
      return {kind: "verifying", stage: event.stage.name, index: event.index, of: event.of};
    case "attempt-finished":
      return {kind: "publishing"};
    default:
      return null;
  }
}
