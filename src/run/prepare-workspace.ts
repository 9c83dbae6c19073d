/** The agent's folder before its first turn: at the base, without what a pull request would steer the agent by. */

import {prepareWorkspace} from "../agent/workspace.ts";
import {snapshotLeftovers} from "../changes/candidate.ts";
import {steersAgents} from "../publish/protected-paths.ts";
import {branchOf} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {checkOutParkedWork, type ParkedWork} from "./parked-work.ts";
import type {RunSetup} from "./run-setup.ts";

export interface AgentWorkspace {
  /** the snapshot of what in it is not the agent's work */
  readonly leftovers: string;
  /** there when the parked work of an earlier run lies in it */
  readonly resumed: ParkedWork | null;
}

/**
 * Prepares the folder: the base, files that steer agents as on the reviewed branch, then parked work that the run goes on
 * with. The pull request keeps its own version of what was put back, whatever becomes of the agent's work.
 */
export async function prepareAgentWorkspace(o: {
  run: AdmittedRun;
  setup: RunSetup;
}): Promise<Result<AgentWorkspace, Failure>> {
  const {repository, base} = o.setup;
  const folder = o.run.context.runner.workspace;
  const prepared = await prepareWorkspace({folder, repository, base: base.commit});
  if (!prepared.ok) return prepared;
  const steering = await steeringPaths(o);
  if (!steering.ok) return steering;
  const putBack = () => repository.restore({commit: steering.value.commit, folder, paths: steering.value.paths});
  const restored = await putBack();
  if (!restored.ok) return restored;
  const leftovers = await snapshotLeftovers({repository, folder, base: base.commit});
  if (!leftovers.ok) return leftovers;
  const resumed = await checkOutParkedWork(o);
  if (!resumed.ok) return resumed;
  // Parked work is laid out whole, with the pull request's version of them.
  const again = resumed.value === null ? restored : await putBack();
  return again.ok ? ok({leftovers: leftovers.value, resumed: resumed.value}) : again;
}

/** What differs from the reviewed branch and steers agents; only a pull request's thread has a base that nobody has reviewed. */
async function steeringPaths(o: {
  run: AdmittedRun;
  setup: RunSetup;
}): Promise<Result<{commit: string; paths: string[]}, Failure>> {
  const {run, setup} = o;
  const {repository, base} = setup;
  const {rules} = run.record.current();
  if (run.head === null || rules === null) return ok({commit: base.commit, paths: []});
  const changed = await repository.rawChanges(rules.commit, base.commit);
  if (!changed.ok) return changed;
  const paths = changed.value.map(({path}) => path).filter(steersAgents);
  const text = `the agent saw the version of ${branchOf(rules.ref)}, not the pull request's, because it could steer the agent`;
  run.record.addNotes(paths.slice(0, 50).map((about) => ({about, text})));
  return ok({commit: rules.commit, paths});
}
