/** The order of the test files: the longest first, so that none runs alone at the end; and shards that take equally long. */
import {relative} from "node:path";
import {BaseSequencer, type TestSpecification} from "vitest/node";

/** Seconds in one of six workers on two quiet cores, roughly. A file that is not here takes less than fourteen. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/scenarios/command-line-verify.test.ts": 93,
  "tests/scenarios/live-progress.test.ts": 86,
  "tests/sweeps/attacks.test.ts": 78,
  "tests/sweeps/crash.test.ts": 78,
  "tests/scenarios/judge-of-hostile-agent.test.ts": 72,
  "tests/sweeps/agents.test.ts": 68,
  "tests/scenarios/undo.test.ts": 64,
  "tests/scenarios/judge.test.ts": 56,
  "tests/scenarios/new-tests-and-faults.test.ts": 54,
  "tests/scenarios/demo.test.ts": 52,
  "tests/scenarios/approve.test.ts": 49,
  "tests/integration/verify/cut-short-base.test.ts": 48,
  "tests/scenarios/judge-rows.test.ts": 45,
  "tests/integration/process/stubborn.test.ts": 43,
  "tests/mutations/promises.test.ts": 43,
  "tests/scenarios/labels.test.ts": 43,
  "tests/contract/promises.test.ts": 42,
  "tests/scenarios/command-line-coverage.test.ts": 42,
  "tests/scenarios/token-hunt.test.ts": 42,
  "tests/unit/github/every-fault-comments.test.ts": 41,
  "tests/ecosystems/real-tools.test.ts": 39,
  "tests/scenarios/command-line-hook.test.ts": 39,
  "tests/scenarios/command-line-evidence.test.ts": 38,
  "tests/scenarios/command-line-lfs.test.ts": 38,
  "tests/scenarios/command-line-repository-states.test.ts": 38,
  "tests/scenarios/reviews.test.ts": 38,
  "tests/unit/github/every-fault-reads.test.ts": 37,
  "tests/scenarios/separated-honest.test.ts": 35,
  "tests/scenarios/review.test.ts": 34,
  "tests/scenarios/preexisting-innocent.test.ts": 33,
  "tests/scenarios/command-line-setup.test.ts": 32,
  "tests/scenarios/separated-fork.test.ts": 32,
  "tests/integration/verify/read-only.test.ts": 30,
  "tests/scenarios/continue.test.ts": 30,
  "tests/scenarios/infrastructure.test.ts": 30,
  "tests/scenarios/answered-at-once.test.ts": 29,
  "tests/scenarios/pull-request-settings.test.ts": 29,
  "tests/unit/github/every-fault-writes.test.ts": 29,
  "tests/scenarios/job-time-runs-out.test.ts": 28,
  "tests/scenarios/package.test.ts": 27,
  "tests/scenarios/verify-parked.test.ts": 27,
  "tests/integration/process/run.test.ts": 26,
  "tests/scenarios/event-log.test.ts": 26,
  "tests/integration/agent/session.test.ts": 25,
  "tests/scenarios/branch-moved.test.ts": 25,
  "tests/integration/git/push.test.ts": 24,
  "tests/scenarios/free-fixes.test.ts": 24,
  "tests/scenarios/specs-given.test.ts": 24,
  "tests/integration/verify/first-look.test.ts": 23,
  "tests/integration/verify/incremental.test.ts": 23,
  "tests/scenarios/issue-opened.test.ts": 23,
  "tests/scenarios/never-green-is-parked.test.ts": 23,
  "tests/scenarios/nothing-outside-is-written.test.ts": 23,
  "tests/scenarios/same-comment-twice.test.ts": 23,
  "tests/integration/changes/hardening.test.ts": 22,
  "tests/scenarios/separated-forgeries.test.ts": 21,
  "tests/integration/verify/bite.test.ts": 20,
  "tests/scenarios/signed-commits.test.ts": 20,
  "tests/scenarios/workflow-set-aside.test.ts": 20,
  "tests/contract/rig-model.test.ts": 19,
  "tests/integration/agent/store.test.ts": 19,
  "tests/integration/verify/flaky.test.ts": 19,
  "tests/integration/verify/kept-baseline.test.ts": 19,
  "tests/scenarios/publish-direct.test.ts": 19,
  "tests/scenarios/refused-fix-keeps-earlier-work.test.ts": 19,
  "tests/sweeps/cancel.test.ts": 19,
  "tests/integration/publish/deliver.test.ts": 18,
  "tests/scenarios/command-line-submodules.test.ts": 18,
  "tests/scenarios/comment-cannot-be-kept.test.ts": 18,
  "tests/scenarios/dropped-comments.test.ts": 18,
  "tests/scenarios/flaky-test.test.ts": 18,
  "tests/scenarios/push-refused.test.ts": 18,
  "tests/scenarios/request-still-fails.test.ts": 18,
  "tests/scenarios/tampered.test.ts": 18,
  "tests/scenarios/work-on-pull-request.test.ts": 18,
  "tests/sweeps/races.test.ts": 18,
  "tests/contract/docs.test.ts": 17,
  "tests/scenarios/config-edited-by-agent.test.ts": 17,
  "tests/scenarios/never-green-is-committed.test.ts": 17,
  "tests/scenarios/stage-leaves-a-daemon.test.ts": 17,
  "tests/contract/rig.test.ts": 16,
  "tests/ecosystems/init.test.ts": 16,
  "tests/integration/publish/guard.test.ts": 16,
  "tests/integration/publish/sign.test.ts": 16,
  "tests/integration/verify/reports-beside.test.ts": 16,
  "tests/integration/verify/sensitivity.test.ts": 16,
  "tests/scenarios/command-line-test-runs.test.ts": 16,
  "tests/scenarios/nobody-can-be-answered.test.ts": 16,
  "tests/scenarios/protected-path.test.ts": 16,
  "tests/scenarios/trigger-in-quote-or-code.test.ts": 16,
  "tests/scenarios/verify-one-stage.test.ts": 16,
  "tests/sweeps/api-faults.test.ts": 16,
  "tests/integration/verify/reports.test.ts": 15,
  "tests/scenarios/canary-hunt.test.ts": 15,
  "tests/scenarios/dry-run.test.ts": 15,
  "tests/scenarios/own-tools.test.ts": 15,
  "tests/scenarios/stage-reads-tokens.test.ts": 15,
  "tests/scenarios/agent-commits-itself.test.ts": 14,
  "tests/scenarios/docs-only.test.ts": 14,
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
