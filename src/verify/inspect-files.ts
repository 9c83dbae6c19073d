/** Inspects the files of a change for integrity findings, without running anything. */
import type {IntegrityRules} from "../detect/config/config.ts";
import type {ChangeBase} from "../engine/checkout/compared-commits.ts";
import type {Repository} from "../git/repository.ts";
import {inspectInWorker} from "../integrity/inspect-in-worker.ts";
import {readChange} from "../integrity/read-change.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Plan} from "../record/plan.ts";
import type {Candidate} from "../record/verification.ts";

/** The two commits to compare, and the base's rules for it. */
export interface InspectedCommits {
  readonly repository: Repository;
  readonly candidate: Candidate;
  readonly changeBase?: ChangeBase | null;
  readonly plan: Plan;
  readonly rules: IntegrityRules;
  readonly signal: AbortSignal;
}

const inspections = new WeakMap<InspectedCommits, Promise<readonly IntegrityFinding[]>>();

/** All sources of one verification share the result. */
export function inspectFiles(commits: InspectedCommits): Promise<readonly IntegrityFinding[]> {
  const inspection = inspections.get(commits) ?? inspectOnce(commits);
  inspections.set(commits, inspection);
  return inspection;
}

async function inspectOnce(commits: InspectedCommits): Promise<readonly IntegrityFinding[]> {
  const {repository, candidate, plan, rules, signal} = commits;
  const {base, head, isExact} = commits.changeBase ?? {...candidate, head: candidate.commit, isExact: true};
  const change = await readChange({repository, base, head, plan});
  if (!change.ok) return [notInspected("message" in change.failure ? change.failure.message : change.failure.kind)];
  const inspection = await inspectInWorker({change: change.value, rules, signal});
  if (!inspection.ok) return [notInspected(inspection.failure)];
  return isExact ? inspection.value : inspection.value.map(lowerLevel);
}

/** The finding for something that could not be inspected. Without it, the gap would look like a pass. */
export function notInspected(why: string): IntegrityFinding {
  return {
    check: "not-inspected",
    level: "flag",
    path: ".",
    line: null,
    message: `The change could not be inspected: ${why}`,
    fix: "Read its tests and configuration yourself before you merge it.",
  };
}

/** Lowers the level of a finding if the head is behind its base, because the base may have caused the difference. */
function lowerLevel(finding: IntegrityFinding): IntegrityFinding {
  const fix = `${finding.fix} Newer commits of the base branch may also be the cause; then update the pull request.`;
  return finding.level === "block" ? {...finding, level: "flag", fix} : finding;
}
