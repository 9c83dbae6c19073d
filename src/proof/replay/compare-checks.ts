/** Compares the checks of a record with those of its replay, each check by its end and its tests. */
import {isPartlyRun, type StageResult} from "../../record/evidence.ts";
import type {DifferingTest, ReplayedCheck, ReplayReason, SeenCheck} from "../../record/replay.ts";
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
    agreement: reason === null ? "reproduced" : CONTRADICTIONS.has(reason) ? "differs" : "not-replayed",
    reason,
    tests: differing && {reproduced: total - changed, differing: differing.slice(0, MAX_DIFFERING)},
  };
}

const MAX_DIFFERING = 200;

const seenPart = ({outcome, exitCode, tests}: ToldCheck): SeenCheck => ({outcome, exitCode, tests});

/** All other reasons decide nothing. */
const CONTRADICTIONS: ReadonlySet<ReplayReason> = new Set(["outcome", "tests", "only-here"]);

function whyUnlike(
  recorded: ToldCheck | null,
  here: ToldCheck | null,
  differing: readonly DifferingTest[] | null,
): ReplayReason | null {
  if (recorded === null) return here?.outcome === "skipped" ? null : "only-here";
  if (here === null) return "only-recorded";
  if (recorded.isPart || here.isPart) return "part-only";
  if (recorded.outcome === "flaky" || here.outcome === "flaky") return "chance";
  if (recorded.outcome !== here.outcome && ["unavailable", "skipped"].includes(here.outcome)) return "not-run-here";
  if (recorded.outcome !== here.outcome || recorded.exitCode !== here.exitCode) return "outcome";
  if (JSON.stringify(recorded.tests) !== JSON.stringify(here.tests)) return "tests";
  if (differing !== null) return differing.length > 0 ? "tests" : null;
  const isSameReport = recorded.digests.some((digest) => here.digests.includes(digest));
  return recorded.digests.length === 0 || isSameReport ? null : "tests";
}

type ListedTests = NonNullable<ToldCheck["listed"]>;

function differingTests(recorded: ListedTests, here: ListedTests): DifferingTest[] {
  return [...new Set([...recorded.keys(), ...here.keys()])].flatMap((name) => {
    const [before, now] = [recorded.get(name) ?? [], here.get(name) ?? []];
    return before.join() === now.join() ? [] : [{name, recorded: before[0] ?? null, here: now[0] ?? null}];
  });
}
