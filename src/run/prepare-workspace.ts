/** Prepares the agent's workspace: the base, with agent configuration files from the reviewed branch. */

import {prepareWorkspace, resetWorkspace} from "../agent/workspace.ts";
import {snapshotLeftovers} from "../changes/candidate.ts";
import {steersAgents} from "../publish/protected-paths.ts";
import {branchOf} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {checkOutParkedWork} from "./parked-work.ts";
import type {PreparedRun} from "./prepare-run.ts";
import type {MergedWork} from "./update-branch.ts";

export interface AgentWorkspace {
  /** the snapshot of the files that are not the agent's work */
  readonly leftovers: string;
  /** the parked work of an earlier run, if it was put into the workspace */
  readonly resumed: MergedWork | null;
}

/**
 * Checks out the base, restores the files that can steer an agent from the reviewed branch, then applies parked work.
 * The restored files are not part of the agent's change: the pull request keeps its own version. `former` is the
 * workspace of an earlier try, whose work is taken back. `work` is that of an earlier job of this run.
 */
export async function prepareAgentWorkspace(
  run: PreparedRun,
  former: AgentWorkspace | null = null,
  work: MergedWork | null = null,
): Promise<Result<AgentWorkspace, Failure>> {
  const {repository, base} = run;
  const folder = run.context.runner.workspace;
  const files = former?.leftovers;
  const reset = files === undefined ? ok(null) : await resetWorkspace({folder, repository, base: base.commit, files});
  if (!reset.ok) return reset;
  const preparation = await prepareWorkspace({folder, repository, base: base.commit});
  if (!preparation.ok) return preparation;
  const steeringFiles = await steeringPaths(run);
  if (!steeringFiles.ok) return steeringFiles;
  const putBack = () =>
    repository.restore({commit: steeringFiles.value.commit, folder, paths: steeringFiles.value.paths});
  const restoration = await putBack();
  if (!restoration.ok) return restoration;
  const leftovers = await snapshotLeftovers({repository, folder, base: base.commit});
  if (!leftovers.ok) return leftovers;
  const parkedWork = await checkOutParkedWork(run, work);
  if (!parkedWork.ok) return parkedWork;
  // Parked work contains the pull request's version of these files.
  const finalRestore = parkedWork.value === null ? restoration : await putBack();
  return finalRestore.ok ? ok({leftovers: leftovers.value, resumed: parkedWork.value}) : finalRestore;
}

/** Files that can steer an agent and differ from the reviewed branch. Only a pull request's base is unreviewed. */
async function steeringPaths(run: PreparedRun): Promise<Result<{commit: string; paths: string[]}, Failure>> {
  const {repository, base} = run;
  const {rules} = run.record.current();
  if (run.head === null || rules === null) return ok({commit: base.commit, paths: []});
  const changes = await repository.rawChanges(rules.commit, base.commit);
  if (!changes.ok) return changes;
  const paths = changes.value.map(({path}) => path).filter(steersAgents);
  const text = `the agent saw the version of ${branchOf(rules.ref)}, not the pull request's, because such files steer agents or programs`;
  run.record.addNotes(paths.slice(0, 50).map((about) => ({about, text})));
  return ok({commit: rules.commit, paths});
}
