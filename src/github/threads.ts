/** GitHub's pull requests and commit statuses: what a run reads of them, and what it writes. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {bounded} from "./comments.ts";
import {createOnce} from "./create.ts";
import type {Refused, Transport} from "./transport.ts";

export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "closed";
  readonly headCommit: string;
  readonly headBranch: string;
  /** `owner/name`; null when the fork was deleted */
  readonly headRepository: string | null;
  /** when anything was pushed to that repository last (ISO 8601); null when GitHub does not say */
  readonly headRepositoryPushedAt: string | null;
  readonly baseBranch: string;
}

export type StatusState = "pending" | "success" | "failure" | "error";

const state = z.enum(["open", "closed"]);
const headRepositorySchema = z.object({full_name: z.string(), pushed_at: z.string().nullish()});
const pullRequestSchema = z
  .object({
    number: z.int(),
    html_url: z.string(),
    state,
    head: z.object({sha: z.string(), ref: z.string(), repo: headRepositorySchema.nullish()}),
    base: z.object({ref: z.string()}),
  })
  .transform(
    (found): PullRequest => ({
      number: found.number,
      url: found.html_url,
      state: found.state,
      headCommit: found.head.sha,
      headBranch: found.head.ref,
      headRepository: found.head.repo?.full_name ?? null,
      headRepositoryPushedAt: found.head.repo?.pushed_at ?? null,
      baseBranch: found.base.ref,
    }),
  );

/** GitHub cuts nothing here: a longer description is refused. */
const STATUS_DESCRIPTION = 140;
const TITLE = 256;

/** The verbs for pull requests and statuses. */
export function threadVerbs(transport: Transport) {
  const {owner, repo, ask} = transport;

  function pullRequest(number: number): Promise<Result<PullRequest, Refused>> {
    return ask({
      name: `read pull request #${number}`,
      answer: pullRequestSchema,
      send: (rest, request) => rest.pulls.get({owner, repo, pull_number: number, request}),
    });
  }

  /** When a branch of this repository was pushed to last (ISO 8601), or null where GitHub keeps no note of it. */
  async function pushedAt(branch: string): Promise<Result<string | null, Refused>> {
    const found = await ask({
      name: `read the pushes to ${branch}`,
      answer: z.array(z.object({timestamp: z.string()})),
      send: (rest, request) =>
        rest.repos.listActivities({owner, repo, ref: `refs/heads/${branch}`, per_page: 1, direction: "desc", request}),
    });
    return found.ok ? ok(found.value[0]?.timestamp ?? null) : found;
  }

  /** The open pull request of a branch of this repository, or null. */
  async function pullRequestOf(head: string): Promise<Result<PullRequest | null, Refused>> {
    const found = await ask({
      name: `look for the pull request of ${head}`,
      answer: z.array(pullRequestSchema),
      send: (rest, request) => rest.pulls.list({owner, repo, state: "open", head: `${owner}:${head}`, request}),
    });
    // not every server heeds the filter
    return found.ok ? ok(found.value.find((one) => one.headBranch === head) ?? null) : found;
  }

  /**
   * Opens the pull request of a branch, or gives its open one the new body; a title that people may have changed stays.
   * `draft` is dropped where the repository's plan has none.
   */
  async function openOrUpdatePullRequest(wanted: {
    head: string;
    base: string;
    title: string;
    body: string;
    draft: boolean;
  }): Promise<Result<PullRequest & {readonly created: boolean}, Refused>> {
    const there = await pullRequestOf(wanted.head);
    if (!there.ok) return there;
    if (there.value !== null) return refresh(there.value.number, wanted.body);
    const opened = await open(wanted);
    if (opened.ok) return ok({...opened.value, created: true});
    if (opened.failure.status !== 422) return opened;
    if (wanted.draft && /draft/i.test(opened.failure.message))
      return openOrUpdatePullRequest({...wanted, draft: false});
    // somebody was faster
    const other = await pullRequestOf(wanted.head);
    return other.ok && other.value !== null ? refresh(other.value.number, wanted.body) : opened;
  }

  function open(wanted: {head: string; base: string; title: string; body: string; draft: boolean}) {
    const {head, base, draft} = wanted;
    const sent = {owner, repo, head, base, title: wanted.title.slice(0, TITLE), body: bounded(wanted.body), draft};
    return createOnce({
      transport,
      question: {
        name: `open a pull request for ${head}`,
        answer: pullRequestSchema,
        send: (rest, request) => rest.pulls.create({...sent, request}),
      },
      find: () => pullRequestOf(head),
    });
  }

  async function refresh(number: number, text: string) {
    const updated = await ask({
      name: `update pull request #${number}`,
      answer: pullRequestSchema,
      send: (rest, request) => rest.pulls.update({owner, repo, pull_number: number, body: bounded(text), request}),
    });
    return updated.ok ? ok({...updated.value, created: false}) : updated;
  }

  /** Puts a status on a commit; the latest of the same `context` counts, so sending it twice is harmless. */
  function setCommitStatus(status: {
    commit: string;
    state: StatusState;
    context: string;
    description: string;
    url: string | null;
  }): Promise<Result<unknown, Refused>> {
    const {commit: sha, state: newState, context} = status;
    const description = status.description.slice(0, STATUS_DESCRIPTION);
    const target = status.url === null ? {} : {target_url: status.url};
    return ask({
      name: `set the status of ${sha.slice(0, 12)}`,
      answer: z.object({state: z.string()}),
      send: (rest, request) =>
        rest.repos.createCommitStatus({owner, repo, sha, state: newState, context, description, ...target, request}),
    });
  }

  return {pullRequest, pushedAt, pullRequestOf, openOrUpdatePullRequest, setCommitStatus};
}
