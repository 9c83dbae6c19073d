/** The order of the test files: in each project the longest first, so that none runs alone at the end; and shards that take equally long. */
import {relative} from "node:path";
import {BaseSequencer, type TestSpecification} from "vitest/node";

/** Seconds of a file next to others on two cores, roughly. A file that is not here takes less than twelve. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/scenarios/attested-run.test.ts": 116,
  "tests/scenarios/command-line-replay.test.ts": 81,
  "tests/scenarios/review-in-place.test.ts": 76,
  "tests/scenarios/command-line-prove.test.ts": 59,
  "tests/scenarios/private-conversation.test.ts": 58,
  "tests/scenarios/demo.test.ts": 51,
  "tests/scenarios/live-progress.test.ts": 51,
  "tests/scenarios/command-line-check.test.ts": 50,
  "tests/scenarios/command-line-init.test.ts": 50,
  "tests/sweeps/base-gone.test.ts": 49,
  "tests/scenarios/reviews.test.ts": 48,
  "tests/integration/proof/replay.test.ts": 47,
  "tests/integration/process/run.test.ts": 45,
  "tests/scenarios/command-line-own-scripts.test.ts": 43,
  "tests/scenarios/separated-honest.test.ts": 42,
  "tests/scenarios/command-line-hook.test.ts": 40,
  "tests/scenarios/approve.test.ts": 39,
  "tests/scenarios/continue.test.ts": 39,
  "tests/scenarios/requester-is-told.test.ts": 37,
  "tests/sweeps/attacks.test.ts": 34,
  "tests/integration/proof/sensitivity.test.ts": 33,
  "tests/scenarios/command-line-verify.test.ts": 33,
  "tests/scenarios/labels.test.ts": 32,
  "tests/scenarios/undo.test.ts": 30,
  "tests/integration/changes/hardening.test.ts": 29,
  "tests/integration/verify/unproved.test.ts": 29,
  "tests/scenarios/setup.test.ts": 29,
  "tests/scenarios/started-by-hand.test.ts": 29,
  "tests/integration/git/push.test.ts": 28,
  "tests/sweeps/crash.test.ts": 28,
  "tests/scenarios/package.test.ts": 27,
  "tests/scenarios/separated-fork.test.ts": 27,
  "tests/scenarios/branch-moved.test.ts": 26,
  "tests/scenarios/command-line-repository-states.test.ts": 26,
  "tests/scenarios/command-line-try.test.ts": 26,
  "tests/scenarios/killed.test.ts": 26,
  "tests/integration/engine/kept-baseline.test.ts": 25,
  "tests/scenarios/answered-at-once.test.ts": 24,
  "tests/scenarios/separated-forgeries.test.ts": 24,
  "tests/sweeps/key-proxy.test.ts": 24,
  "tests/ecosystems/init.test.ts": 23,
  "tests/integration/cli/git-tree.test.ts": 22,
  "tests/integration/engine/incremental.test.ts": 22,
  "tests/scenarios/chosen-agent.test.ts": 22,
  "tests/scenarios/judge-rows.test.ts": 22,
  "tests/scenarios/agent-claims.test.ts": 21,
  "tests/sweeps/api-faults.test.ts": 21,
  "tests/sweeps/cancel.test.ts": 21,
  "tests/scenarios/abstention.test.ts": 20,
  "tests/scenarios/command-line-doctor-prove.test.ts": 20,
  "tests/scenarios/command-line-node-20.test.ts": 20,
  "tests/unit/integrity/inspect.test.ts": 20,
  "tests/contract/promises.test.ts": 19,
  "tests/unit/github/comments.test.ts": 19,
  "tests/scenarios/command-line-affected.test.ts": 18,
  "tests/contract/documents.test.ts": 17,
  "tests/ecosystems/real-tools.test.ts": 17,
  "tests/integration/engine/first-look.test.ts": 17,
  "tests/integration/process/stubborn.test.ts": 17,
  "tests/integration/proof/bite.test.ts": 17,
  "tests/integration/publish/guard.test.ts": 17,
  "tests/integration/proof/executed-lines.test.ts": 16,
  "tests/integration/publish/expire.test.ts": 16,
  "tests/scenarios/command-line-lfs.test.ts": 16,
  "tests/scenarios/command-line-names.test.ts": 16,
  "tests/scenarios/hopeless-runs.test.ts": 16,
  "tests/scenarios/review.test.ts": 16,
  "tests/integration/verify/cut-short-base.test.ts": 15,
  "tests/scenarios/command-line-setup.test.ts": 15,
  "tests/scenarios/verify-pull-request-head.test.ts": 15,
  "tests/integration/engine/apart.test.ts": 14,
  "tests/integration/engine/baseline.test.ts": 14,
  "tests/integration/engine/flaky.test.ts": 14,
  "tests/scenarios/command-line-coverage.test.ts": 14,
  "tests/scenarios/nobody-can-be-answered.test.ts": 14,
  "tests/scenarios/separated-admission-lost.test.ts": 14,
  "tests/contract/pin.test.ts": 13,
  "tests/integration/engine/read-only.test.ts": 13,
  "tests/scenarios/command-line-evidence.test.ts": 13,
  "tests/integration/agent/store.test.ts": 12,
  "tests/integration/proof/reproduction.test.ts": 12,
  "tests/integration/publish/sign.test.ts": 12,
  "tests/scenarios/nothing-outside-is-written.test.ts": 12,
  "tests/scenarios/wrong-arguments.test.ts": 12,
  "tests/unit/github/every-fault-comments.test.ts": 12,
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
