/** The order of the test files: the longest first, so that none runs alone at the end; and shards that take equally long. */
import {relative} from "node:path";
import {BaseSequencer, type TestSpecification} from "vitest/node";

/** Seconds in one of four workers on two quiet cores, roughly. A file that is not here takes less than fifteen. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/scenarios/judge.test.ts": 115,
  "tests/sweeps/attacks.test.ts": 90,
  "tests/scenarios/agent-hangs.test.ts": 70,
  "tests/sweeps/crash.test.ts": 70,
  "tests/ecosystems/real-tools.test.ts": 65,
  "tests/scenarios/command-line-verify.test.ts": 60,
  "tests/scenarios/judge-separated.test.ts": 60,
  "tests/scenarios/token-hunt.test.ts": 60,
  "tests/scenarios/command-line-repository-states.test.ts": 55,
  "tests/scenarios/judge-off.test.ts": 50,
  "tests/scenarios/command-line-evidence.test.ts": 45,
  "tests/scenarios/demo.test.ts": 45,
  "tests/integration/process/stubborn.test.ts": 40,
  "tests/scenarios/free-fixes.test.ts": 40,
  "tests/scenarios/signed-commits.test.ts": 40,
  "tests/integration/agent/session.test.ts": 35,
  "tests/scenarios/comment-cannot-be-kept.test.ts": 35,
  "tests/scenarios/hopeless-runs.test.ts": 35,
  "tests/scenarios/parked-on-hidden-ref.test.ts": 35,
  "tests/scenarios/separated-parked.test.ts": 35,
  "tests/integration/verify/cut-short-base.test.ts": 30,
  "tests/scenarios/branch-moved.test.ts": 30,
  "tests/scenarios/command-line-coverage.test.ts": 30,
  "tests/scenarios/infrastructure.test.ts": 30,
  "tests/scenarios/no-progress.test.ts": 30,
  "tests/scenarios/nobody-can-be-answered.test.ts": 30,
  "tests/scenarios/nothing-outside-is-written.test.ts": 30,
  "tests/scenarios/preexisting-and-new.test.ts": 30,
  "tests/scenarios/separated-forgeries.test.ts": 30,
  "tests/scenarios/separated-honest.test.ts": 30,
  "tests/scenarios/spec-write-first.test.ts": 30,
  "tests/scenarios/verify-parked.test.ts": 30,
  "tests/contract/promises.test.ts": 25,
  "tests/ecosystems/init.test.ts": 25,
  "tests/integration/process/run.test.ts": 25,
  "tests/integration/verify/read-only.test.ts": 25,
  "tests/mutations/promises.test.ts": 25,
  "tests/scenarios/check-on-commit.test.ts": 25,
  "tests/scenarios/continue.test.ts": 25,
  "tests/scenarios/first-report-shows-the-plan.test.ts": 25,
  "tests/scenarios/fixed-on-second-attempt.test.ts": 25,
  "tests/scenarios/job-time-runs-out.test.ts": 25,
  "tests/scenarios/many-files.test.ts": 25,
  "tests/scenarios/marker-by-another-bot.test.ts": 25,
  "tests/scenarios/never-green-is-parked.test.ts": 25,
  "tests/scenarios/out-of-budget.test.ts": 25,
  "tests/scenarios/second-comment-resumes.test.ts": 25,
  "tests/scenarios/workflow-set-aside.test.ts": 25,
  "tests/sweeps/cancel.test.ts": 25,
  "tests/integration/changes/hardening.test.ts": 20,
  "tests/integration/git/push.test.ts": 20,
  "tests/integration/verify/flaky.test.ts": 20,
  "tests/scenarios/command-line-lfs.test.ts": 20,
  "tests/scenarios/command-line-setup.test.ts": 20,
  "tests/scenarios/dropped-comments.test.ts": 20,
  "tests/scenarios/event-file-overwritten.test.ts": 20,
  "tests/scenarios/flaky-test.test.ts": 20,
  "tests/scenarios/forged-record.test.ts": 20,
  "tests/scenarios/new-untracked-file.test.ts": 20,
  "tests/scenarios/preexisting-innocent.test.ts": 20,
  "tests/scenarios/protected-path.test.ts": 20,
  "tests/scenarios/publish-direct.test.ts": 20,
  "tests/scenarios/refused-first-attempt-keeps-the-rest.test.ts": 20,
  "tests/scenarios/report-cut-to-size.test.ts": 20,
  "tests/scenarios/saving-takes-long.test.ts": 20,
  "tests/scenarios/specs-given.test.ts": 20,
  "tests/scenarios/verified-first-try.test.ts": 20,
  "tests/unit/github/comments.test.ts": 20,
  "tests/unit/report/rendering.test.ts": 20,
  "tests/contract/rig-model.test.ts": 15,
  "tests/integration/publish/deliver.test.ts": 15,
  "tests/integration/publish/sign.test.ts": 15,
  "tests/integration/verify/first-look.test.ts": 15,
  "tests/integration/verify/kept-baseline.test.ts": 15,
  "tests/scenarios/agent-commits-itself.test.ts": 15,
  "tests/scenarios/agent-reaches-for-the-gate.test.ts": 15,
  "tests/scenarios/command-line-submodules.test.ts": 15,
  "tests/scenarios/config-edited-by-agent.test.ts": 15,
  "tests/scenarios/hostile-folder.test.ts": 15,
  "tests/scenarios/issue-opened.test.ts": 15,
  "tests/scenarios/odd-comment.test.ts": 15,
  "tests/scenarios/refused-fix-keeps-earlier-work.test.ts": 15,
  "tests/scenarios/same-comment-twice.test.ts": 15,
  "tests/scenarios/separated-fork.test.ts": 15,
  "tests/scenarios/stage-prints-200-mb.test.ts": 15,
  "tests/scenarios/verify-pull-request-on-failing-base.test.ts": 15,
  "tests/sweeps/races.test.ts": 15,
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
