/** The integrity findings that need a run: lost tests, unnoticed failures, and the base's checks on the change. */

import {comparedCommits} from "../engine/checkout/compared-commits.ts";
import {testChangeOf} from "../integrity/changed-tests/test-change.ts";
import {applyRules} from "../integrity/inspect.ts";
import {loadTestGrammars} from "../integrity/load-parsers.ts";
import {readChange} from "../integrity/read-change.ts";
import {checkTestRuns} from "../proof/check-test-runs.ts";
import {observeRoles} from "../proof/gate-runs/observe-roles.ts";
import {withSecondWitness} from "../proof/gate-runs/second-witness.ts";
import {isPartlyRun} from "../record/evidence.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Verification} from "../record/verification.ts";
import {claimsSomething} from "../record/words.ts";
import {type InspectedCommits, inspectFiles, notInspected} from "./inspect-files.ts";
import type {VerifyOptions} from "./verify-options.ts";

interface TestRunContext extends InspectedCommits {
  readonly verification: VerifyOptions;
  readonly evidence: Promise<Pick<Verification, "stages" | "verdict">>;
}

/**
 * Runs nothing if the change touches no test and no file that decides how checks run, if it is blocked already, or if
 * its files take too long to read.
 */
export async function inspectTestRuns(context: TestRunContext): Promise<readonly IntegrityFinding[]> {
  const {repository, plan, verification, evidence} = context;
  const candidate = comparedCommits(context);
  if (candidate === null) return [NOT_COMPARED];
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  const testChange = change.ok
    ? testChangeOf(change.value, await observeRoles({...context, candidate, change: change.value}))
    : null;
  const {verdict, stages: results} = await evidence;
  // A narrowed run leaves out tests.
  const stages = results.filter((stage) => !isPartlyRun(stage));
  if (!change.ok) return [notInspected("its files could not be read")];
  if (testChange === null || !claimsSomething(verdict)) return [];
  const findings = await inspectFiles(context);
  if (findings.some(({check, level}) => level === "block" || check === "not-inspected")) return [];
  await loadTestGrammars(change.value);
  const options = {...verification, candidate, change: change.value, touched: testChange, findings, stages};
  const ofRuns = applyRules(await checkTestRuns(options), context.rules);
  return withSecondWitness(ofRuns, findings);
}

/** Used for a head that is behind its base, because the base's newer tests would fail on it. */
const NOT_COMPARED: IntegrityFinding = {
  check: "base-replay",
  level: "note",
  path: ".",
  line: null,
  message:
    "The default branch's tests were not run on this change: the pull request is behind and GitHub has no merge of it",
  fix: "Update the pull request, and comment `/verify` again.",
};
