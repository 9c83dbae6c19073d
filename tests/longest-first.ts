/** The order of the test files: the longest first, so that none runs alone at the end; and shards that take equally long. */
import {relative} from "node:path";
import {BaseSequencer, type TestSpecification} from "vitest/node";

/** Seconds in one of six workers on two quiet cores, roughly. A file that is not here takes less than fourteen. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/sweeps/crash.test.ts": 92,
  "tests/scenarios/demo.test.ts": 68,
  "tests/scenarios/command-line-verify.test.ts": 65,
  "tests/contract/promises.test.ts": 61,
  "tests/scenarios/separated-honest.test.ts": 60,
  "tests/scenarios/judge-rows.test.ts": 51,
  "tests/scenarios/live-progress.test.ts": 50,
  "tests/scenarios/approve.test.ts": 49,
  "tests/integration/verify/cut-short-base.test.ts": 48,
  "tests/scenarios/undo.test.ts": 48,
  "tests/integration/git/push.test.ts": 46,
  "tests/mutations/promises.test.ts": 46,
  "tests/scenarios/labels.test.ts": 45,
  "tests/integration/changes/hardening.test.ts": 44,
  "tests/scenarios/new-tests-and-faults.test.ts": 44,
  "tests/ecosystems/real-tools.test.ts": 43,
  "tests/scenarios/continue.test.ts": 43,
  "tests/scenarios/token-hunt.test.ts": 42,
  "tests/scenarios/command-line-evidence.test.ts": 42,
  "tests/unit/github/every-fault-comments.test.ts": 42,
  "tests/scenarios/command-line-coverage.test.ts": 41,
  "tests/sweeps/attacks.test.ts": 38,
  "tests/unit/github/every-fault-reads.test.ts": 38,
  "tests/scenarios/command-line-repository-states.test.ts": 38,
  "tests/scenarios/command-line-setup.test.ts": 37,
  "tests/scenarios/specs-given.test.ts": 37,
  "tests/integration/verify/bite.test.ts": 37,
  "tests/scenarios/never-green-is-parked.test.ts": 36,
  "tests/scenarios/preexisting-innocent.test.ts": 36,
  "tests/integration/verify/incremental.test.ts": 36,
  "tests/sweeps/api-faults.test.ts": 36,
  "tests/scenarios/nothing-outside-is-written.test.ts": 35,
  "tests/scenarios/command-line-lfs.test.ts": 34,
  "tests/integration/verify/read-only.test.ts": 34,
  "tests/scenarios/answered-at-once.test.ts": 33,
  "tests/scenarios/separated-fork.test.ts": 32,
  "tests/scenarios/reviews.test.ts": 31,
  "tests/scenarios/command-line-hook.test.ts": 31,
  "tests/scenarios/package.test.ts": 31,
  "tests/unit/github/every-fault-writes.test.ts": 30,
  "tests/scenarios/separated-forgeries.test.ts": 30,
  "tests/scenarios/started-by-hand.test.ts": 30,
  "tests/scenarios/branch-moved.test.ts": 30,
  "tests/scenarios/infrastructure.test.ts": 30,
  "tests/scenarios/pull-request-settings.test.ts": 29,
  "tests/integration/process/run.test.ts": 29,
  "tests/integration/publish/deliver.test.ts": 29,
  "tests/integration/agent/session.test.ts": 28,
  "tests/scenarios/job-time-runs-out.test.ts": 28,
  "tests/scenarios/free-fixes.test.ts": 28,
  "tests/integration/verify/first-look.test.ts": 27,
  "tests/contract/rig-model.test.ts": 26,
  "tests/scenarios/judge-of-hostile-agent.test.ts": 26,
  "tests/sweeps/races.test.ts": 26,
  "tests/integration/verify/kept-baseline.test.ts": 25,
  "tests/scenarios/signed-commits.test.ts": 25,
  "tests/sweeps/cancel.test.ts": 25,
  "tests/scenarios/work-on-pull-request.test.ts": 24,
  "tests/scenarios/command-line-submodules.test.ts": 23,
  "tests/integration/agent/store.test.ts": 23,
  "tests/scenarios/tampered.test.ts": 23,
  "tests/scenarios/own-tools.test.ts": 22,
  "tests/sweeps/interleavings.test.ts": 21,
  "tests/integration/verify/sensitivity.test.ts": 21,
  "tests/integration/verify/flaky.test.ts": 20,
  "tests/integration/publish/sign.test.ts": 20,
  "tests/scenarios/request-still-fails.test.ts": 20,
  "tests/ecosystems/init.test.ts": 20,
  "tests/integration/process/stubborn.test.ts": 20,
  "tests/integration/publish/guard.test.ts": 20,
  "tests/unit/github/comments.test.ts": 19,
  "tests/scenarios/protected-path.test.ts": 18,
  "tests/scenarios/canary-hunt.test.ts": 18,
  "tests/scenarios/agent-reaches-for-the-gate.test.ts": 17,
  "tests/scenarios/flaky-test.test.ts": 17,
  "tests/scenarios/nobody-can-be-answered.test.ts": 17,
  "tests/scenarios/dry-run.test.ts": 16,
  "tests/scenarios/command-line-init.test.ts": 16,
  "tests/scenarios/config-edited-by-agent.test.ts": 16,
  "tests/scenarios/review.test.ts": 16,
  "tests/unit/integrity/inspect.test.ts": 16,
  "tests/scenarios/command-line-node-20.test.ts": 16,
  "tests/integration/verify/baseline.test.ts": 15,
  "tests/scenarios/command-line-reporters.test.ts": 15,
  "tests/contract/test-runs.test.ts": 15,
  "tests/scenarios/stage-reads-tokens.test.ts": 14,
  "tests/scenarios/command-line-test-runs.test.ts": 14,
};
const OTHER_SECONDS = 6;
/** The short unit tests come last, one after the other, because they share their workers. */
const UNIT_SECONDS = 0.5;

export function secondsOf({project, path}: {project: string; path: string}): number {
  return SECONDS[path] ?? (project === "unit" ? UNIT_SECONDS : OTHER_SECONDS);
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
    return files.toSorted((one, other) => this.seconds(other) - this.seconds(one));
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {index, count} = this.ctx.config.shard ?? {index: 1, count: 1};
    const inOrder = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    return deal(inOrder, {count, seconds: (file) => this.seconds(file)})[index - 1] ?? [];
  }

  private seconds({project, moduleId}: TestSpecification): number {
    return secondsOf({project: project.name, path: relative(this.ctx.config.root, moduleId)});
  }
}
