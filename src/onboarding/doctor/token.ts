/** Checks what the GitHub token of the environment may do, with one short request. */
import {z} from "zod";
import {sendByProxy, strictFetch} from "../../github/fetch.ts";
import {type Finding, okFinding} from "../finding.ts";

const ASK_MS = 5000;
const answerSchema = z.object({permissions: z.object({push: z.boolean()}).optional()});

/** `unknown` without a repository's name or an answer. The token is sent only to `apiUrl`. */
export async function tokenFinding(options: {token: string; apiUrl: string; repository: string}): Promise<Finding> {
  const about = "GitHub token";
  const unknown = (text: string, next: string): Finding => ({about, state: "unknown", text, next});
  if (options.token === "")
    return okFinding(about, "the workflow has its own; to check another one, set GITHUB_TOKEN and GITHUB_REPOSITORY");
  if (!/^[\w.-]+\/[\w.-]+$/.test(options.repository))
    return unknown("a token is set, but the repository is unknown", "set GITHUB_REPOSITORY to `owner/name`");
  const answer = await ask(options);
  if (answer === null) return unknown("GitHub did not answer within 5 s", "try again, or check GITHUB_API_URL");
  if (answer.status === 401 || answer.status === 403 || answer.status === 404)
    return {
      about,
      state: "missing",
      text: `GitHub answers ${answer.status}: the token cannot read ${options.repository}`,
      next: "use a token with `contents`, `issues` and `pull-requests` write permission",
    };
  const parsed = answerSchema.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success || parsed.data.permissions === undefined)
    return unknown("GitHub did not list its permissions", "check the `permissions` of the workflow");
  return parsed.data.permissions.push
    ? okFinding(about, `can push to ${options.repository}`)
    : {
        about,
        state: "missing",
        text: `cannot push to ${options.repository}`,
        next: "give it the permission `contents: write`",
      };
}

async function ask(options: {
  token: string;
  apiUrl: string;
  repository: string;
}): Promise<{status: number; body: unknown} | null> {
  try {
    const response = await strictFetch(ASK_MS, sendByProxy(options.apiUrl))(
      `${options.apiUrl}/repos/${options.repository}`,
      {
        headers: {authorization: `Bearer ${options.token}`, accept: "application/vnd.github+json"},
      },
    );
    const body: unknown = await response.json();
    return {status: response.status, body};
  } catch {
    // GitHub cannot be reached; the caller reports `unknown`.
    return null;
  }
}
