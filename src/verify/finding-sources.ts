/** Where the integrity findings of a verification come from, in the order of the report. */
import type {IntegrityRules} from "../detect/config/config.ts";
import {applyRules} from "../integrity/inspect.ts";
import type {Bite} from "../record/bite.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Verification} from "../record/verification.ts";
import {inspectNewTests} from "./find-new-test-evidence.ts";
import {type InspectedCommits, inspectFiles, notInspected} from "./inspect-files.ts";
import {inspectInstalls} from "./inspect-installs.ts";
import {inspectTestRuns} from "./inspect-test-runs.ts";
import {lookUpPackages} from "./look-up-packages.ts";
import type {VerifyOptions} from "./verify-options.ts";

/** The results of the stages, with the verdict before the integrity findings are applied. */
export type StagesEvidence = Pick<Verification, "setup" | "stages" | "coverage" | "verdict">;

interface FindingContext extends InspectedCommits {
  readonly verification: VerifyOptions;
  /** settles when the last stage has ended; a source that only reads files does not wait for it */
  readonly evidence: Promise<StagesEvidence>;
  /** the results of the new tests on the base; null if they were not run */
  readonly bite: Promise<Bite | null>;
}

/**
 * A source of findings. All sources start together with the stages. - Its findings have their own level; the owner's
 * `integrity` key is applied to them here. - A source that runs something awaits `evidence` first, so that it takes no
 * core from the stages. It does nothing if `verdict` claims nothing (`failed`, `unverified`), and works in separate
 * checkouts (P2). Only faults are injected into the verified checkout: its stages have ended, and nothing reads it
 * later. - It limits its own time and stops when `verification.signal` is aborted. - If it cannot find something out,
 * it returns a `notInspected` finding, never an empty list (P7). If it throws, that becomes such a finding, too.
 */
export interface FindingSource<Context = FindingContext> {
  readonly find: (context: Context) => Promise<readonly IntegrityFinding[]>;
}

export const FINDING_SOURCES: readonly FindingSource[] = [
  {find: inspectFiles},
  {find: inspectNewTests},
  {find: inspectTestRuns},
  {find: inspectInstalls},
  {find: lookUpPackages},
];
/** `--in-place` has no checkout to run anything in. */
export const IN_PLACE_SOURCES: readonly FindingSource<InspectedCommits>[] = [{find: inspectFiles}];

/** A report shows fewer; those that block come first. */
const MAX_FINDINGS = 200;

/** The findings of all sources, by level, with the owner's levels and allowed paths. */
export async function collectFindings<Context extends {readonly rules: IntegrityRules}>(
  sources: readonly FindingSource<Context>[],
  context: Context,
): Promise<IntegrityFinding[]> {
  const lists = await Promise.all(
    sources.map(({find}) => find(context).catch((error: unknown) => [notInspected(String(error))])),
  );
  const findings = applyRules(lists.flat(), context.rules);
  if (findings.length <= MAX_FINDINGS) return findings;
  const leftOutNote = notInspected(`${findings.length - MAX_FINDINGS} more findings are not listed`);
  return applyRules([...findings.slice(0, MAX_FINDINGS), leftOutNote], context.rules);
}
