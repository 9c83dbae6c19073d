/** What the agent left in its folder, as the candidate of this run: without what is not to be pushed, which the record keeps. */
import {makeCandidate} from "../src/changes/candidate.ts";
import type {Repository} from "../src/changes/repository.ts";
import {setAside} from "../src/publish/set-aside.ts";
import type {Failure} from "../src/record/failure.ts";
import type {Candidate, Change} from "../src/record/verification.ts";
import {ok, type Result} from "../src/words.ts";
import type {Run} from "./1-admit.ts";

/** Fails as `makeCandidate` does. `protectedPaths` are the base's; none where they are not known, after a crash. */
export async function takeWork(o: {
  run: Pick<Run, "record" | "world">;
  repository: Repository;
  base: string;
  leftovers: string;
  protectedPaths: readonly string[];
}): Promise<Result<{candidate: Candidate; changes: readonly Change[]}, Failure>> {
  const {run, repository, base, leftovers, protectedPaths} = o;
  const made = await makeCandidate({repository, folder: run.world.context.workspace, base, leftovers});
  if (!made.ok) return made;
  const rest = await setAside({repository, ...made.value, protectedPaths});
  if (!rest.ok) return rest;
  const {candidate, changes, aside} = rest.value;
  run.record.update({setAside: aside});
  return ok({candidate, changes});
}
