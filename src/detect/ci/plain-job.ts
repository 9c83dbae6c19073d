/** Distinguishes CI jobs that can only check a change from jobs that could also publish or change something. */
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";

/** Actions that give the job an account, such as `aws-actions/configure-aws-credentials`. */
const GIVES_ACCOUNT = /login|auth\b|credential|-app-token|ssh-agent|deploy|publish|import-gpg/i;
/** A secret or the token of the run. A checkout and a set-up step have the token for downloads. */
const USES_SECRET = /\bsecrets\s*[.[]|\bgithub\.token\b/;

/** True for a step whose command gets a secret. */
export const usesSecret = (step: unknown): boolean => USES_SECRET.test(JSON.stringify(step) ?? "");

const mayWrite = (workflow: unknown, job: unknown): boolean =>
  JSON.stringify(valueAt(job, "permissions") ?? valueAt(workflow, "permissions") ?? null).includes("write");

/** True for a job with accounts, secrets for all of its steps, or rights to write. */
export function jobHasAccess(workflow: unknown, job: unknown): boolean {
  const used = listOf(valueAt(job, "steps")).map((step) => textAt(step, "uses") ?? "");
  const shared = [workflow, job].flatMap((holder) => [...mapOf(valueAt(holder, "env")).values()]);
  return (
    used.some((uses) => GIVES_ACCOUNT.test(uses.split("@")[0] ?? "")) ||
    mayWrite(workflow, job) ||
    shared.some(usesSecret) ||
    (textAt(job, "uses") !== null && valueAt(job, "secrets") !== undefined)
  );
}
