/** Checks a candidate before it is published or parked, and records the reasons against it. */

import {resetPaths} from "../changes/candidate.ts";
import {diffStat} from "../git/diff-stat.ts";
import type {Repository} from "../git/repository.ts";
import {isTestPath} from "../integrity/source/kinds.ts";
import {guard, scanFailures} from "../publish/guard.ts";
import {keepLocally} from "../publish/park.ts";
import {matcherOf} from "../publish/protected-paths.ts";
import {scan} from "../publish/scan.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import {openObjection} from "../record/last-opinion.ts";
import type {ChangeSize} from "../record/record.ts";
import type {Candidate} from "../record/verification.ts";
import {withCount} from "../report/format.ts";
import {isRoundId} from "../request/triggers.ts";
import {createSecretFinder} from "../secrets/redact.ts";
import {type AdmittedRun, workOwner} from "./admitted-run.ts";
import {addSizes} from "./earlier-runs.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";
import {newChanges} from "./update-branch.ts";

/** True if the candidate may be published; otherwise the record has the reasons. */
export async function passesPublishChecks(
  run: PreparedRun,
  {candidate, changes}: {candidate: Candidate; changes: Attempt["changes"]},
): Promise<boolean> {
  const {repository, config} = run;
  const {proposal} = run.record.current();
  if (requestRules(run).isSetup && proposal?.tree !== candidate.tree) return false;
  const find = createSecretFinder({secrets: run.context.secrets});
  // The pull request with this file is what the person has asked for, but the organization may protect it.
  const allowed = proposal ? [`!/${proposal.file}`, ...(run.policy?.rules.protectedPaths ?? [])] : [];
  const rules = {...config, protectedPaths: [...config.protectedPaths, ...allowed]};
  const judged = await newChanges(run, {candidate, changes});
  const verdict = judged.ok ? await guard({repository, candidate, changes: judged.value, rules, find}) : judged;
  if (!verdict.ok) {
    run.record.addFailure(verdict.failure);
    return false;
  }
  const {failures, doubtful} = verdict.value;
  for (const failure of failures) run.record.addFailure(failure);
  const notes = doubtful.map(({path, line, what}) => ({
    about: line === null ? path : `${path}:${line}`,
    text: `looks like ${what}; review it before you merge`,
  }));
  run.record.addNotes(notes);
  return failures.length === 0 && !isHeldByJudge(run) && !(await hasGrown(run, candidate));
}

/** Records the size of the change. Fixes that no person asked for must not grow far beyond what was asked for. */
async function hasGrown({record, repository, config}: PreparedRun, {base, commit}: Candidate): Promise<boolean> {
  const stat = (await diffStat(repository, base, commit)) ?? [];
  const lines = stat.reduce((sum, {added, removed}) => sum + (added ?? 0) + (removed ?? 0), 0);
  const size = {lines, files: stat.length, tests: stat.filter(({path}) => isTestPath(path)).length};
  record.update({size});
  const {run, earlier} = record.current();
  if (!isRoundId(run.id) || !earlier?.grown) return false;
  const {first, all} = earlier.grown;
  const now = addSizes(all, size);
  if (now.lines <= 2 * first.lines || now.lines <= config.limits.growth) return false;
  const words = (one: ChangeSize) =>
    `${withCount(one.lines, "line")} in ${withCount(one.files, "file")}, of which ${one.tests} have tests`;
  record.addFailure({
    kind: "grown",
    message: `The first change had ${words(first)}. With the fixes, it has ${words(now)}.`,
  });
  return true;
}

/** With `hold`, an objection of the judge keeps the change for a person, who can publish it with `/verify`. */
function isHeldByJudge({record, config}: PreparedRun): boolean {
  const {enabled, effect} = config.judge;
  const opinion = openObjection(record.current().attempts);
  if (!enabled || effect !== "hold" || opinion === null) return false;
  const points = opinion.points.filter(({answer}) => answer === "not-met").map(({text}) => text);
  record.addFailure({
    kind: "judge-objects",
    objections: [...points, ...opinion.objections.map(({reason}) => reason)],
  });
  return true;
}

/** Work to search for secrets. */
export interface SearchedWork {
  readonly repository: Repository;
  readonly candidate: Candidate;
  /** paths where the owner allows example keys; none after a crash, when they are unknown */
  readonly exampleSecrets: readonly string[];
}

/**
 * The candidate as it may be parked: files with a secret, and files that could not be searched, are
 * reset to the base. A bundle on this machine keeps the latter. Null if nothing is left to park; the record contains
 * the reason.
 */
export async function withoutSecrets(
  run: AdmittedRun,
  {repository, candidate, exampleSecrets}: SearchedWork,
): Promise<Candidate | null> {
  const {record} = run;
  const fail = (failure: Failure) => {
    record.addFailure(failure);
    return null;
  };
  const find = createSecretFinder({secrets: run.context.secrets});
  const search = await scan({repository, candidate, find, isExample: matcherOf(exampleSecrets)});
  if (!search.ok) return fail(search.failure);
  const {secrets, unsearched} = search.value;
  if (secrets.length === 0 && unsearched.length === 0) return candidate;
  const recordedKinds = new Set(record.current().failures.map(({kind}) => kind));
  for (const failure of scanFailures(search.value)) if (!recordedKinds.has(failure.kind)) record.addFailure(failure);

  const withoutSecretFiles = await resetPaths({repository, candidate, paths: new Set(secrets.map(({path}) => path))});
  if (!withoutSecretFiles.ok) return fail(withoutSecretFiles.failure);
  if (unsearched.length > 0) await keepUnsearched(run, repository, withoutSecretFiles.value.commit);
  const reducedCandidate = await resetPaths({
    repository,
    candidate: withoutSecretFiles.value,
    paths: new Set(unsearched),
  });
  if (!reducedCandidate.ok) return fail(reducedCandidate.failure);
  const remainingChanges = await repository.rawChanges(candidate.base, reducedCandidate.value.tree);
  return remainingChanges.ok && remainingChanges.value.length > 0 ? reducedCandidate.value : null;
}

/** What the note about files that are only on this machine is about. */
export const UNSEARCHED = "files that could not be searched";

/** Saves the whole change on this machine, because a file in it may not be pushed (P8). */
async function keepUnsearched(run: AdmittedRun, repository: Repository, commit: string): Promise<void> {
  const {record, event, folder} = run;
  const backup = await keepLocally({repository, commit, issue: workOwner(event), folder, as: "unsearched"});
  if (!backup.ok) return record.addFailure({kind: "git-refused", message: backup.failure.message});
  const text = `the whole change is ${commit.slice(0, 12)}, in a git bundle in ${backup.value.folder} on this runner`;
  record.addNotes([{about: UNSEARCHED, text}]);
}
