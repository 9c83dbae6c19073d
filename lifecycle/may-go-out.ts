/** The guards of publishing, for a run: what keeps its candidate back goes into the record, and no secret is parked. */
import {putBack} from "../src/changes/candidate.ts";
import type {Repository} from "../src/changes/repository.ts";
import {guard} from "../src/publish/guard.ts";
import {matcherOf} from "../src/publish/protected-paths.ts";
import {scan} from "../src/publish/scan.ts";
import type {Candidate, Change} from "../src/record/verification.ts";
import {createSecretFinder} from "../src/report/redact.ts";
import type {Run} from "./1-admit.ts";
import type {Ground} from "./ground.ts";

/** True when nothing keeps the candidate from being published; else the record says what does. */
export async function mayGoOut(o: {
  run: Run;
  ground: Ground;
  candidate: Candidate;
  changes: readonly Change[];
}): Promise<boolean> {
  const {run, ground, candidate, changes} = o;
  const {repository, config} = ground;
  const find = createSecretFinder({secrets: run.world.secrets});
  const judged = await guard({repository, candidate, changes, rules: config, find});
  if (!judged.ok) {
    run.record.addFailure(judged.failure);
    return false;
  }
  const {failures, doubtful} = judged.value;
  for (const failure of failures) run.record.addFailure(failure);
  const notes = doubtful.map(({path, line, what}) => ({
    about: line === null ? path : `${path}:${line}`,
    text: `looks like ${what}; look at it before you merge`,
  }));
  run.record.addNotes(notes);
  return failures.length === 0;
}

/**
 * The candidate as it may be parked: files with a secret are as on the base. Null where nothing may or need be parked, and
 * the record says why. Parking pushes too, so a search that could not be done lets nothing out.
 */
export async function withoutSecrets(o: {
  run: Pick<Run, "record" | "world">;
  repository: Repository;
  candidate: Candidate;
  exampleSecrets: readonly string[];
}): Promise<Candidate | null> {
  const {run, repository, candidate} = o;
  const find = createSecretFinder({secrets: run.world.secrets});
  const found = await scan({repository, candidate, find, isExample: matcherOf(o.exampleSecrets)});
  if (!found.ok) {
    run.record.addFailure(found.failure);
    return null;
  }
  const places = found.value.secrets;
  if (places.length === 0) return candidate;
  if (!run.record.current().failures.some(({kind}) => kind === "secret-in-change")) {
    run.record.addFailure({kind: "secret-in-change", places: places.slice(0, 200)});
  }
  const rest = await putBack({repository, candidate, paths: new Set(places.map(({path}) => path))});
  if (!rest.ok) {
    run.record.addFailure(rest.failure);
    return null;
  }
  const left = await repository.rawChanges(candidate.base, rest.value.tree);
  return left.ok && left.value.length > 0 ? rest.value : null;
}
