/** Compares the checks of a record with those of its replay, each check by its end and its tests. */
import {isPartlyRun, type StageResult} from "../../record/evidence.ts";
import type {Agreement, DifferingTest, ReplayedCheck, ReplayReason, SeenCheck} from "../../record/replay.ts";
import {canonicalJson, digestOf} from "../../record/statement.ts";

type TestOutcome = NonNullable<DifferingTest["here"]>;

/** A check as a record or a statement tells it. */
export interface ToldCheck extends SeenCheck {
  readonly name: string;
  /** true if only some of its tests ran */
  readonly isPart: boolean;
  /** the outcome of each test by its name; null if not all names are known */
  readonly listed: ReadonlyMap<string, readonly TestOutcome[]> | null;
  /** of its tests or of its runner's report; those of the same report have one in common */
  readonly digests: readonly string[];
}

export function toldCheck(result: StageResult): ToldCheck {
  const {name, outcome, exit, tests, reported} = result;
  const exitCode = exit?.kind === "exited" ? exit.code : null;
  const digests = reported === undefined ? [] : [reported.digest ?? [], digestOf(canonicalJson(reported))].flat();
  return {...{name, outcome, exitCode, tests, digests}, isPart: isPartlyRun(result), listed: listTests(reported)};
}

function listTests(reported: StageResult["reported"]): ToldCheck["listed"] {
  if (reported?.others === undefined || reported.failed.length < reported.counts.failed) return null;
  const listed = new Map<string, TestOutcome[]>();
  const failed = reported.failed.map(({file, title}) => ({file, title, outcome: "failed" as const}));
  for (const {file, title, outcome} of [...reported.others, ...failed]) {
    const name = file === null ? title : `${file}: ${title}`;
    listed.set(name, [...(listed.get(name) ?? []), outcome].sort());
  }
  return listed;
}

/** Each check of either run, in the order of the record. */
export function compareChecks(recorded: readonly ToldCheck[], here: readonly ToldCheck[]): ReplayedCheck[] {
  const names = new Set([...recorded, ...here].map(({name}) => name));
  const find = (checks: readonly ToldCheck[], name: string) => checks.find((check) => check.name === name) ?? null;
  return [...names].map((name) => compareCheck(name, find(recorded, name), find(here, name)));
}

function compareCheck(name: string, recorded: ToldCheck | null, here: ToldCheck | null): ReplayedCheck {
  const differing = recorded?.listed && here?.listed ? differingTests(recorded.listed, here.listed) : null;
  const reason = whyUnlike(recorded, here, differing);
  const total = [...(here?.listed?.values() ?? [])].flat().length;
  const changed = differing?.filter((test) => test.here !== null).length ?? 0;
  return {
    name,
    recorded: recorded && seenPart(recorded),
    here: here && seenPart(here),
    agreement: reason === null ? "reproduced" : AGREEMENTS[reason],
    reason,
    tests: differing && {reproduced: total - changed, differing: differing.slice(0, MAX_DIFFERING)},
  };
}

const MAX_DIFFERING = 200;

const seenPart = ({outcome, exitCode, tests}: ToldCheck): SeenCheck => ({outcome, exitCode, tests});

type CheckReason = Extract<
  ReplayReason,
  | ("outcome" | "exit-code" | "test-counts" | "tests" | "report")
  | ("only-recorded" | "only-here" | "part-only" | "chance" | "not-run-here")
>;

const AGREEMENTS: Readonly<Record<CheckReason, Exclude<Agreement, "reproduced">>> = {
  outcome: "differs",
  "exit-code": "differs",
  "test-counts": "differs",
  tests: "differs",
  report: "differs",
  "only-here": "differs",
  "only-recorded": "not-replayed",
  "part-only": "not-replayed",
  chance: "not-replayed",
  "not-run-here": "not-replayed",
};

function whyUnlike(
  recorded: ToldCheck | null,
  here: ToldCheck | null,
  differing: readonly DifferingTest[] | null,
): CheckReason | null {
  if (recorded === null) return here?.outcome === "skipped" ? null : "only-here";
  if (here === null) return "only-recorded";
  if (recorded.isPart || here.isPart) return "part-only";
  if (recorded.outcome === "flaky" || here.outcome === "flaky") return "chance";
  if (recorded.outcome !== here.outcome) {
    return here.outcome === "unavailable" || here.outcome === "skipped" ? "not-run-here" : "outcome";
  }
  if (recorded.exitCode !== here.exitCode) return "exit-code";
  if (differing !== null && differing.length > 0) return "tests";
  if (JSON.stringify(recorded.tests) !== JSON.stringify(here.tests)) return "test-counts";
  if (differing !== null || recorded.digests.length === 0) return null;
  return recorded.digests.some((digest) => here.digests.includes(digest)) ? null : "report";
}

type ListedTests = NonNullable<ToldCheck["listed"]>;

function differingTests(recorded: ListedTests, here: ListedTests): DifferingTest[] {
  return [...new Set([...recorded.keys(), ...here.keys()])].flatMap((name) => {
    const [before, now] = [recorded.get(name) ?? [], here.get(name) ?? []];
    return before.join() === now.join() ? [] : [{name, recorded: before[0] ?? null, here: now[0] ?? null}];
  });
}
