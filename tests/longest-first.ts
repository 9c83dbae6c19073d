/** The order of the test files: the longest first, so that none runs alone at the end; and shards that take equally long. */
import {relative} from "node:path";
import {BaseSequencer, type TestSpecification} from "vitest/node";

/** Seconds on two quiet cores, roughly. A file that is not here takes less than ten. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/ecosystems/real-tools.test.ts": 90,
  "tests/scenarios/agent-hangs.test.ts": 65,
  "tests/sweeps/attacks.test.ts": 55,
  "tests/contract/promises.test.ts": 50,
  "tests/mutations/promises.test.ts": 45,
  "tests/scenarios/branch-moved.test.ts": 45,
  "tests/scenarios/nothing-outside-is-written.test.ts": 45,
  "tests/sweeps/crash.test.ts": 45,
  "tests/scenarios/hopeless-runs.test.ts": 40,
  "tests/scenarios/killed.test.ts": 40,
  "tests/scenarios/many-files.test.ts": 40,
  "tests/scenarios/separated-parked.test.ts": 40,
  "tests/scenarios/command-line-evidence.test.ts": 35,
  "tests/scenarios/command-line-repository-states.test.ts": 35,
  "tests/scenarios/command-line-verify.test.ts": 35,
  "tests/scenarios/demo.test.ts": 35,
  "tests/integration/agent/session.test.ts": 30,
  "tests/integration/changes/hardening.test.ts": 30,
  "tests/integration/process/stubborn.test.ts": 30,
  "tests/scenarios/command-line-coverage.test.ts": 30,
  "tests/scenarios/free-fixes.test.ts": 30,
  "tests/scenarios/hostile-folder.test.ts": 30,
  "tests/scenarios/infrastructure.test.ts": 30,
  "tests/scenarios/issue-opened.test.ts": 30,
  "tests/scenarios/job-time-runs-out.test.ts": 30,
  "tests/scenarios/marker-by-another-bot.test.ts": 30,
  "tests/scenarios/separated-forgeries.test.ts": 30,
  "tests/scenarios/signed-commits.test.ts": 30,
  "tests/integration/git/push.test.ts": 25,
  "tests/integration/verify/read-only.test.ts": 25,
  "tests/scenarios/fixed-on-second-attempt.test.ts": 25,
  "tests/scenarios/out-of-budget.test.ts": 25,
  "tests/scenarios/second-comment-resumes.test.ts": 25,
  "tests/unit/github/every-fault-reads.test.ts": 25,
  "tests/integration/agent/store.test.ts": 20,
  "tests/integration/process/run.test.ts": 20,
  "tests/integration/verify/cut-short-base.test.ts": 20,
  "tests/integration/verify/flaky.test.ts": 20,
  "tests/integration/verify/incremental.test.ts": 20,
  "tests/integration/verify/kept-baseline.test.ts": 20,
  "tests/scenarios/check-on-commit.test.ts": 20,
  "tests/scenarios/command-line-lfs.test.ts": 20,
  "tests/scenarios/comment-cannot-be-kept.test.ts": 20,
  "tests/scenarios/continue.test.ts": 20,
  "tests/scenarios/dropped-comments.test.ts": 20,
  "tests/scenarios/flaky-test.test.ts": 20,
  "tests/unit/github/every-fault-comments.test.ts": 20,
  "tests/unit/github/every-fault-writes.test.ts": 20,
  "tests/contract/rig.test.ts": 15,
  "tests/ecosystems/init.test.ts": 15,
  "tests/integration/verify/reports-beside.test.ts": 15,
  "tests/scenarios/cancelled.test.ts": 15,
  "tests/scenarios/event-file-overwritten.test.ts": 15,
  "tests/scenarios/protected-path.test.ts": 15,
  "tests/scenarios/report-cut-to-size.test.ts": 15,
  "tests/scenarios/separated-fork.test.ts": 15,
  "tests/scenarios/separated-killed.test.ts": 15,
  "tests/unit/github/comments.test.ts": 15,
  "tests/scenarios/killed-while-publishing.test.ts": 12,
  "tests/unit/github/transport.test.ts": 10,
};
const OTHER_SECONDS = 6;
/** The short unit tests come last, one after the other, because they share their workers. */
const UNIT_SECONDS = 0.5;

export function secondsOf({project, path}: {project: string; path: string}): number {
  return SECONDS[path] ?? (project === "unit" ? UNIT_SECONDS : OTHER_SECONDS);
}

/** Deals each file, the longest first, to the shard that has the least to do. */
export function deal<T>(files: readonly T[], o: {count: number; seconds: (file: T) => number}): T[][] {
  const shards = Array.from({length: o.count}, () => ({files: [] as T[], seconds: 0}));
  for (const file of files.toSorted((one, other) => o.seconds(other) - o.seconds(one))) {
    const least = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.files.push(file);
    least.seconds += o.seconds(file);
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
