/** Decides whether a statement holds for a commit: who signed it, what it is about, and whether it still counts. */
import type {Plan} from "../../record/plan.ts";
import type {Statement} from "../../record/statement.ts";
import {isVerified} from "../../record/words.ts";
import type {CheckRefusal} from "./refusals.ts";
import type {SignerIdentity} from "./signature.ts";

export interface Expectation {
  readonly commit: string;
  readonly tree: string;
  /** the page of the repository, such as https://github.com/ada/shop */
  readonly repository: string;
  /** path and ref of the workflow that may sign, such as .github/workflows/assay.yml@refs/heads/main */
  readonly workflow: string;
  /** the rules of the branch as they are now */
  readonly policy: {readonly digest: string; readonly plan: Pick<Plan, "stages">};
  /** `has`: the branch has the commit, so that a newer one does not matter */
  readonly branch: {readonly tip: string; readonly has: boolean};
  readonly nowMs: number;
  /** null: as long as the statement says */
  readonly maxAgeDays: number | null;
}

const ISSUER = "https://token.actions.githubusercontent.com";
/** The workflow that `assay init` calls. It has the job that signs. */
const OWN_WORKFLOWS = "https://github.com/assay-run/assay/.github/workflows/";
const DAY_MS = 86_400_000;

/** Null if the right job signed. */
export function refuseSigner(signer: SignerIdentity, {repository, workflow}: Expectation): CheckRefusal | null {
  if (signer.issuer !== ISSUER) return {kind: "other-issuer"};
  if (signer.repository !== repository) return {kind: "other-repository"};
  const isOwnJob = signer.jobWorkflow === signer.workflow || signer.jobWorkflow.startsWith(OWN_WORKFLOWS);
  return signer.workflow === `${repository}/${workflow}` && isOwnJob ? null : {kind: "other-workflow"};
}

/** Null if the statement holds for this commit now. */
export function refuseStatement({subject, predicate}: Statement, expected: Expectation): CheckRefusal | null {
  const [{digest: commit}, {digest: files}] = subject;
  const isTree = files.gitTree === expected.tree;
  if (commit.gitCommit !== expected.commit) return {kind: isTree ? "rebased" : "other-commit"};
  if (!isTree) return {kind: "other-files"};
  if (!isVerified(predicate.verdict)) return {kind: "not-verified", detail: `Its verdict: ${predicate.verdict.kind}.`};
  if (predicate.policy.digest !== expected.policy.digest) return {kind: "policy-changed"};
  const missing = missingChecks(predicate, expected.policy.plan);
  if (missing.length > 0) return {kind: "missing-check", detail: `Missing: ${missing.join(", ")}.`};
  const {tip, has} = expected.branch;
  if (!has && tip !== predicate.policy.commit) return {kind: "base-moved", detail: `It is at ${tip.slice(0, 12)} now.`};
  return isExpired(predicate, expected) ? {kind: "expired", detail: `It ended at ${predicate.run.finishedAt}.`} : null;
}

/** The plan's required stages without a result that can be part of a verified change. */
function missingChecks({checks, verdict}: Statement["predicate"], {stages}: Expectation["policy"]["plan"]): string[] {
  const excused = verdict.kind === "verified-with-preexisting" ? verdict.stages : [];
  return stages.flatMap(({name, optional, when}) => {
    const check = checks.find((one) => one.name === name);
    const isSkipped = check?.outcome === "skipped" && when.length > 0;
    const hasResult = check?.outcome === "passed" || isSkipped || excused.includes(name);
    return check !== undefined && (optional || hasResult) ? [] : [name];
  });
}

function isExpired({run, validUntil}: Statement["predicate"], {nowMs, maxAgeDays}: Expectation): boolean {
  const ownEnd = maxAgeDays === null ? Number.POSITIVE_INFINITY : Date.parse(run.finishedAt) + maxAgeDays * DAY_MS;
  return nowMs > Math.min(Date.parse(validUntil), ownEnd);
}
