/** Predicts whether GitHub starts the repository's workflows after a push. */
import type {PushedWorkflows} from "../record/words.ts";

/** The account behind the token that GitHub gives to each workflow run. */
const WORKFLOW_ACCOUNT = "github-actions[bot]";

/**
 * After a push with a workflow's own token, github.com creates runs for the pull request that wait for approval. A
 * branch without a pull request gets none, and an Enterprise Server, whose API is below `/api/v3`, starts none at all.
 * https://docs.github.com/en/actions/concepts/security/github_token
 */
export function workflowsAfterPush(push: {login: string; hasPullRequest: boolean; apiUrl: string}): PushedWorkflows {
  if (push.login !== WORKFLOW_ACCOUNT) return "started";
  const isEnterpriseServer = /\/api\/v3\/?$/.test(push.apiUrl);
  return push.hasPullRequest && !isEnterpriseServer ? "wait-for-approval" : "not-started";
}
