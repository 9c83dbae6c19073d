/** Runs the new tests of a verified change on the base, and reports it if no new test fails there although one must. */
import type {IntegrityRules} from "../detect/config/config.ts";
import {readChange} from "../integrity/read-change.ts";
import {type Bite, isSeenToFail} from "../record/bite.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Verification} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import {findBite} from "./bite/bite.ts";
import {comparedCommits} from "./checkout/compared-commits.ts";
import type {VerifyOptions} from "./verify-options.ts";

/** Waits for the stages. Null if no test has to be run, for example because the stages make no claim. */
export async function runNewTestsOnBase(
  options: VerifyOptions,
  evidence: Promise<Pick<Verification, "stages" | "verdict">>,
): Promise<Bite | null> {
  const {repository, plan, integrity} = options;
  if (integrity === null || integrity.bite === "off") return null;
  const {stages, verdict} = await evidence;
  const isClaim = isVerified(verdict) || verdict.kind === "partial";
  if (!isClaim || options.signal.aborted || options.spent() !== null) return null;
  const candidate = comparedCommits(options);
  if (candidate === null) return null;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  return change.ok ? findBite({...options, candidate, change: change.value, stages}) : null;
}

/** With `"bite": "require"`, new tests that all pass without the change are a finding: they do not test it. */
export async function inspectNewTests({
  bite: promise,
  rules,
}: {
  bite: Promise<Bite | null>;
  rules: IntegrityRules;
}): Promise<IntegrityFinding[]> {
  const bite = rules.bite === "require" ? await promise : null;
  const newTests = bite?.tests.filter(({isNew}) => isNew) ?? [];
  const [first] = newTests;
  if (first === undefined || bite?.tests.some(isSeenToFail)) return [];
  const isKnown = newTests.every(({onBase}) => onBase.kind === "passes");
  return [
    {
      check: "new-tests",
      level: isKnown ? "block" : "flag",
      path: first.path,
      line: first.line,
      message: isKnown
        ? "No new test fails without this change"
        : "It is not known whether a new test fails without this change",
      fix: "Add a test that fails without this change and passes with it.",
    },
  ];
}
