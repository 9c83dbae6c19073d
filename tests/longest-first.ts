/** The order of the test files: in each project the longest first, so that none runs alone at the end; and shards that take equally long. */
import {relative} from "node:path";
import {BaseSequencer, type TestSpecification} from "vitest/node";

/** Seconds in one of six workers on two quiet cores, roughly. A file that is not here takes less than nine. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/scenarios/demo.test.ts": 81,
  "tests/scenarios/private-conversation.test.ts": 70,
  "tests/scenarios/labels.test.ts": 65,
  "tests/scenarios/live-progress.test.ts": 61,
  "tests/scenarios/continue.test.ts": 55,
  "tests/scenarios/separated-honest.test.ts": 53,
  "tests/sweeps/attacks.test.ts": 51,
  "tests/scenarios/approve.test.ts": 50,
  "tests/scenarios/command-line-verify.test.ts": 45,
  "tests/scenarios/undo.test.ts": 43,
  "tests/scenarios/reviews.test.ts": 39,
  "tests/sweeps/crash.test.ts": 38,
  "tests/scenarios/answered-at-once.test.ts": 36,
  "tests/scenarios/command-line-init.test.ts": 34,
  "tests/scenarios/separated-fork.test.ts": 34,
  "tests/scenarios/branch-moved.test.ts": 32,
  "tests/scenarios/command-line-own-scripts.test.ts": 32,
  "tests/sweeps/base-gone.test.ts": 32,
  "tests/scenarios/command-line-hook.test.ts": 31,
  "tests/scenarios/package.test.ts": 31,
  "tests/scenarios/started-by-hand.test.ts": 29,
  "tests/unit/github/every-fault-comments.test.ts": 29,
  "tests/scenarios/chosen-agent.test.ts": 28,
  "tests/scenarios/judge-rows.test.ts": 25,
  "tests/scenarios/separated-forgeries.test.ts": 25,
  "tests/scenarios/command-line-repository-states.test.ts": 24,
  "tests/integration/process/run.test.ts": 23,
  "tests/integration/engine/incremental.test.ts": 23,
  "tests/ecosystems/real-tools.test.ts": 22,
  "tests/integration/publish/deliver.test.ts": 22,
  "tests/scenarios/command-line-node-20.test.ts": 22,
  "tests/sweeps/api-faults.test.ts": 22,
  "tests/sweeps/cancel.test.ts": 22,
  "tests/integration/agent/session.test.ts": 21,
  "tests/integration/publish/sign.test.ts": 20,
  "tests/unit/github/comments.test.ts": 19,
  "tests/scenarios/command-line-names.test.ts": 18,
  "tests/integration/process/stubborn.test.ts": 17,
  "tests/integration/verify/findings.test.ts": 17,
  "tests/scenarios/command-line-evidence.test.ts": 17,
  "tests/scenarios/review.test.ts": 17,
  "tests/unit/github/every-fault-writes.test.ts": 17,
  "tests/integration/git/push.test.ts": 16,
  "tests/integration/engine/apart.test.ts": 16,
  "tests/scenarios/command-line-reporters.test.ts": 16,
  "tests/scenarios/hopeless-runs.test.ts": 16,
  "tests/scenarios/nobody-can-be-answered.test.ts": 16,
  "tests/scenarios/own-tools.test.ts": 16,
  "tests/ecosystems/init.test.ts": 15,
  "tests/integration/github/runner.test.ts": 15,
  "tests/integration/verify/advisories.test.ts": 15,
  "tests/integration/engine/first-look.test.ts": 15,
  "tests/integration/engine/flaky.test.ts": 15,
  "tests/integration/engine/kept-baseline.test.ts": 15,
  "tests/scenarios/dry-run.test.ts": 15,
  "tests/scenarios/nothing-outside-is-written.test.ts": 15,
  "tests/unit/report/rendering.test.ts": 15,
  "tests/contract/rig-model.test.ts": 14,
  "tests/contract/rig.test.ts": 14,
  "tests/integration/agent/store.test.ts": 14,
  "tests/integration/changes/candidate.test.ts": 14,
  "tests/integration/detect/hostile.test.ts": 14,
  "tests/integration/engine/baseline.test.ts": 14,
  "tests/contract/test-runs.test.ts": 13,
  "tests/integration/engine/read-only.test.ts": 13,
  "tests/scenarios/answer-without-changes.test.ts": 13,
  "tests/scenarios/command-line-coverage.test.ts": 13,
  "tests/scenarios/command-line-lfs.test.ts": 13,
  "tests/scenarios/command-line-setup.test.ts": 13,
  "tests/scenarios/command-line-submodules.test.ts": 13,
  "tests/scenarios/verify-pull-request-head.test.ts": 13,
  "tests/integration/verify/cut-short-base.test.ts": 12,
  "tests/scenarios/comment-cannot-be-kept.test.ts": 12,
  "tests/scenarios/killed.test.ts": 12,
  "tests/scenarios/separated-admission-lost.test.ts": 12,
  "tests/unit/github/every-fault-reads.test.ts": 12,
  "tests/unit/integrity/corpus.test.ts": 12,
  "tests/contract/pin.test.ts": 11,
  "tests/contract/workflows.test.ts": 11,
  "tests/integration/changes/hardening.test.ts": 11,
  "tests/integration/engine/overlaid-installs.test.ts": 11,
  "tests/integration/engine/reports.test.ts": 11,
  "tests/integration/engine/sandbox.test.ts": 11,
  "tests/scenarios/command-line-plan.test.ts": 11,
  "tests/integration/proof/bite.test.ts": 10,
  "tests/scenarios/command-line-tampered.test.ts": 10,
  "tests/unit/github/transport.test.ts": 10,
  "tests/unit/integrity/inspect.test.ts": 10,
  "tests/contract/docs.test.ts": 9,
  "tests/ecosystems/narrowed.test.ts": 9,
  "tests/integration/diagnostics/rerun.test.ts": 9,
  "tests/integration/git/git.test.ts": 9,
  "tests/integration/git/repository.test.ts": 9,
  "tests/integration/publish/guard.test.ts": 9,
  "tests/scenarios/command-line-sparse.test.ts": 9,
  "tests/scenarios/one-job-set-up-fails.test.ts": 9,
  "tests/scenarios/permission-api-fails.test.ts": 9,
  "tests/scenarios/stage-in-sandbox.test.ts": 9,
  "tests/sweeps/interleavings.test.ts": 9,
};
const OTHER_SECONDS = 4;
/** The short unit tests come last, one after the other, because they share their workers. */
const UNIT_SECONDS = 0.5;

export function secondsOf({project, path}: {project: string; path: string}): number {
  return SECONDS[path] ?? (project === "unit" ? UNIT_SECONDS : OTHER_SECONDS);
}

/**
 * Project by project, each with the longest file first: a worker serves one project, and for a file of another one a new worker loads
 * everything again. The project with most files comes last, because its files are the shortest.
 */
export function inOrder<T>(files: readonly T[], of: {project: (file: T) => string; seconds: (file: T) => number}): T[] {
  const projects = Map.groupBy(files, of.project);
  return [...projects.values()]
    .toSorted((one, other) => one.length - other.length)
    .flatMap((group) => group.toSorted((one, other) => of.seconds(other) - of.seconds(one)));
}

/** Deals each file, the longest first, to the shard that has the least to do. */
export function deal<T>(files: readonly T[], options: {count: number; seconds: (file: T) => number}): T[][] {
  const shards = Array.from({length: options.count}, () => ({files: [] as T[], seconds: 0}));
  for (const file of files.toSorted((one, other) => options.seconds(other) - options.seconds(one))) {
    const least = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.files.push(file);
    least.seconds += options.seconds(file);
  }
  return shards.map((shard) => shard.files);
}

/** A class, because vitest takes its sequencer as one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(files, {project: ({project}) => project.name, seconds: (file) => this.seconds(file)});
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {index, count} = this.ctx.config.shard ?? {index: 1, count: 1};
    const byName = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    return deal(byName, {count, seconds: (file) => this.seconds(file)})[index - 1] ?? [];
  }

  private seconds({project, moduleId}: TestSpecification): number {
    return secondsOf({project: project.name, path: relative(this.ctx.config.root, moduleId)});
  }
}
