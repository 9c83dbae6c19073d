/** What the GitHub token of the environment may do, asked once and never for long. */
import {z} from "zod";
import {strictFetch} from "../../github/fetch.ts";
import {type Finding, fine} from "./finding.ts";

const ASK_MS = 5000;
const answerSchema = z.object({permissions: z.object({push: z.boolean()}).optional()});

/** Without a token, a repository's name or an answer the finding is `unknown`. The token is sent to `apiUrl` only. */
export async function tokenFinding(o: {token: string; apiUrl: string; repository: string}): Promise<Finding> {
  const about = "GitHub token";
  const unknown = (text: string, next: string): Finding => ({about, state: "unknown", text, next});
  if (o.token === "")
    return unknown(
      "none in this environment",
      "the workflow has its own; to check one, set GITHUB_TOKEN and GITHUB_REPOSITORY",
    );
  if (!/^[\w.-]+\/[\w.-]+$/.test(o.repository))
    return unknown("there is one, but not for which repository", "set GITHUB_REPOSITORY to `owner/name`");
  const answer = await ask(o);
  if (answer === null) return unknown("GitHub gave no answer within 5 s", "try again, or look at GITHUB_API_URL");
  if (answer.status === 401 || answer.status === 403 || answer.status === 404)
    return {
      about,
      state: "missing",
      text: `GitHub answers ${answer.status}: it may not read ${o.repository}`,
      next: "use a token with `contents`, `issues` and `pull-requests` write permission",
    };
  const parsed = answerSchema.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success || parsed.data.permissions === undefined)
    return unknown("GitHub did not say what it may do", "see the `permissions` of the workflow");
  return parsed.data.permissions.push
    ? fine(about, `may push to ${o.repository}`)
    : {about, state: "missing", text: `may not push to ${o.repository}`, next: "give it `contents: write`"};
}

async function ask(o: {
  token: string;
  apiUrl: string;
  repository: string;
}): Promise<{status: number; body: unknown} | null> {
  try {
    const response = await strictFetch(ASK_MS)(`${o.apiUrl}/repos/${o.repository}`, {
      headers: {authorization: `Bearer ${o.token}`, accept: "application/vnd.github+json"},
    });
    const body: unknown = await response.json();
    return {status: response.status, body};
  } catch {
    // No way to GitHub from here: not known, which is what the caller says.
    return null;
  }
}
