/** Runs the new tests of a verified change on the base, and reports it if no new test fails there although one must. */
import type {IntegrityRules} from "../detect/config/config.ts";
import {comparedCommits} from "../engine/checkout/compared-commits.ts";
import {changedTests} from "../integrity/changed-tests/new-tests.ts";
import {readChange} from "../integrity/read-change.ts";
import {findBite} from "../proof/bite/bite.ts";
import {measureSensitivity} from "../proof/sensitivity/measure-sensitivity.ts";
import {type Bite, failsOnBase} from "../record/bite.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Verification} from "../record/verification.ts";
import {claimsSomething} from "../record/words.ts";
import type {VerifyOptions} from "./verify-options.ts";

/** Waits for the stages. Null if no test has to be run, for example because the stages make no claim. */
export async function runNewTestsOnBase(
  options: VerifyOptions,
  evidence: Promise<Pick<Verification, "stages" | "verdict">>,
): Promise<Bite | null> {
  const {repository, plan, integrity} = options;
  if (integrity === null || integrity.bite === "off") return null;
  const {stages, verdict} = await evidence;
  if (!claimsSomething(verdict) || options.signal.aborted || options.spent() !== null) return null;
  const candidate = comparedCommits(options);
  if (candidate === null) return null;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) return null;
  const commits = {...options, candidate, change: change.value, stages};
  const bite = await findBite(commits);
  if (bite === null || integrity.bite !== "require" || !doNewTestsPass(bite)) return bite;
  const only = changedTests(change.value).filter(({isNew}) => isNew);
  const stagesMs = stages.reduce((sum, {durationMs}) => sum + durationMs, 0);
  const sensitivity = await measureSensitivity({...commits, only, budgetMs: Math.max(MIN_BUDGET_MS, stagesMs / 4)});
  if (sensitivity === null) return bite;
  return {...bite, faults: {noticed: sensitivity.noticed, notNoticed: sensitivity.notNoticed.length}};
}

/** A fault needs one or two test runs. */
const MIN_BUDGET_MS = 30_000;

function doNewTestsPass({tests}: Bite): boolean {
  const newTests = tests.filter(({isNew}) => isNew);
  return newTests.length > 0 && !tests.some(failsOnBase) && newTests.every(({onBase}) => onBase.kind === "passes");
}

/**
 * With `"bite": "require"`, new tests that all pass without the change and notice no fault in its lines are a finding:
 * they do not test it.
 */
export async function inspectNewTests({
  bite: promise,
  rules,
}: {
  bite: Promise<Bite | null>;
  rules: IntegrityRules;
}): Promise<IntegrityFinding[]> {
  const bite = rules.bite === "require" ? await promise : null;
  const firstNewTest = bite?.tests.find(({isNew}) => isNew);
  if (bite === null || firstNewTest === undefined || bite.tests.some(failsOnBase)) return [];
  const {noticed = 0, notNoticed = 0} = bite.faults ?? {};
  if (noticed > 0) return [];
  const isVacuous = doNewTestsPass(bite) && notNoticed > 0;
  return [
    {
      check: "new-tests",
      level: isVacuous ? "block" : "flag",
      path: firstNewTest.path,
      line: firstNewTest.line,
      message: isVacuous
        ? "No new test fails without this change, or notices a fault in its lines"
        : `It is not known whether a new test ${doNewTestsPass(bite) ? "notices a fault in the lines of" : "fails without"} this change`,
      fix: "Add a test that fails without this change and passes with it.",
    },
  ];
}
