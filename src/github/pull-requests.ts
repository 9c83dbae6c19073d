/** Reads, opens and updates pull requests. */
import {setTimeout as wait} from "node:timers/promises";
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {cutBody} from "./comments.ts";
import {createOnce} from "./create.ts";
import type {Refused, Transport} from "./transport.ts";

export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly headCommit: string;
  readonly headBranch: string;
  /** `owner/name`; null if the fork was deleted */
  readonly headRepository: string | null;
  /** time of the last push to that repository (ISO 8601); null if GitHub does not report it */
  readonly headRepositoryPushedAt: string | null;
  readonly baseBranch: string;
  readonly isClosed: boolean;
}

const headRepositorySchema = z.object({full_name: z.string(), pushed_at: z.string().nullish()});
const pullRequestSchema = z
  .object({
    number: z.int(),
    html_url: z.string(),
    head: z.object({sha: z.string(), ref: z.string(), repo: headRepositorySchema.nullish()}),
    base: z.object({ref: z.string()}),
    state: z.string().optional(),
  })
  .transform(
    ({number, html_url, head, base, state}): PullRequest => ({
      number,
      url: html_url,
      headCommit: head.sha,
      headBranch: head.ref,
      headRepository: head.repo?.full_name ?? null,
      headRepositoryPushedAt: head.repo?.pushed_at ?? null,
      baseBranch: base.ref,
      isClosed: state === "closed",
    }),
  );

/** A pull request and what became of it. Times are ISO 8601; null if that did not happen. */
const pastSchema = z
  .object({
    ...{number: z.int(), created_at: z.string(), closed_at: z.string().nullish(), merged_at: z.string().nullish()},
    ...{merge_commit_sha: z.string().nullish(), body: z.string().nullish()},
    head: z.object({sha: z.string(), ref: z.string(), repo: z.object({full_name: z.string()}).nullish()}),
  })
  .transform(({number, head, body, created_at, closed_at, merged_at, merge_commit_sha}) => ({
    ...{number, branch: head.ref, createdAt: created_at, closedAt: closed_at ?? null, mergedAt: merged_at ?? null},
    ...{body: body ?? "", commits: [head.sha, ...(merge_commit_sha ? [merge_commit_sha] : [])]},
    isFork: (repository: string) => head.repo?.full_name.toLowerCase() !== repository.toLowerCase(),
  }));
type PastPullRequest = z.infer<typeof pastSchema>;

/** GitHub refuses a longer title. */
const MAX_TITLE = 256;

export function pullRequestMethods(transport: Transport) {
  const lookups = pullRequestLookups(transport);
  return {
    ...lookups,
    ...openPullRequestStates(transport),
    ...pastPullRequests(transport),
    ...pullRequestWrites(transport, lookups.pullRequestOf),
    requestReview,
    addLabels,
  };

  /** A team is `organization/team`. If GitHub refuses one reviewer, it refuses all of the request. */
  function requestReview({number, reviewer}: {number: number; reviewer: string}) {
    const {owner, repo, call} = transport;
    return call({
      name: `request a review of pull request #${number}`,
      answer: z.unknown(),
      send: (rest, request) =>
        rest.pulls.requestReviewers({owner, repo, pull_number: number, ...reviewerNames(reviewer), request}),
    });
  }

  /** GitHub makes labels that do not exist yet. */
  function addLabels({number, labels}: {number: number; labels: readonly string[]}) {
    const {owner, repo, call} = transport;
    return call({
      name: `label pull request #${number}`,
      answer: z.unknown(),
      send: (rest, request) => rest.issues.addLabels({owner, repo, issue_number: number, labels: [...labels], request}),
    });
  }
}

function reviewerNames(reviewer: string): {reviewers: string[]} | {team_reviewers: string[]} {
  const team = reviewer.split("/")[1];
  return team === undefined ? {reviewers: [reviewer]} : {team_reviewers: [team]};
}

function pullRequestLookups({owner, repo, call, patience}: Transport) {
  function pullRequest(number: number): Promise<Result<PullRequest, Refused>> {
    return call({
      name: `read pull request #${number}`,
      answer: pullRequestSchema,
      send: (rest, request) => rest.pulls.get({owner, repo, pull_number: number, request}),
    });
  }

  /** The time of the last push to a branch of this repository (ISO 8601), or null if GitHub has no record of it. */
  async function pushedAt(branch: string): Promise<Result<string | null, Refused>> {
    let pushes = await pushesTo(branch);
    // GitHub may list the first push to a branch some seconds later.
    for (let count = 1; count < patience.tries && pushes.ok && pushes.value.length === 0; count += 1) {
      await wait(2 * patience.backoffMs);
      pushes = await pushesTo(branch);
    }
    return pushes.ok ? ok(pushes.value[0]?.timestamp ?? null) : pushes;
  }

  function pushesTo(branch: string) {
    return call({
      name: `read the pushes to ${branch}`,
      answer: z.array(z.object({timestamp: z.string()})),
      send: (rest, request) =>
        rest.repos.listActivities({owner, repo, ref: `refs/heads/${branch}`, per_page: 1, direction: "desc", request}),
    });
  }

  /** The open pull request of a branch of this repository, or null. */
  async function pullRequestOf(head: string): Promise<Result<PullRequest | null, Refused>> {
    const open = await call({
      name: `look for the pull request of ${head}`,
      answer: z.array(pullRequestSchema),
      send: (rest, request) => rest.pulls.list({owner, repo, state: "open", head: `${owner}:${head}`, request}),
    });
    // some servers ignore the filter
    return open.ok ? ok(open.value.find(({headBranch}) => headBranch === head) ?? null) : open;
  }

  return {pullRequest, pushedAt, pullRequestOf};
}

function openPullRequestStates({owner, repo, call, patience}: Transport) {
  /** The newest 100 open pull requests, oldest first. */
  async function openPullRequests(): Promise<Result<PullRequest[], Refused>> {
    const open = await call({
      name: "read the open pull requests",
      answer: z.array(pullRequestSchema),
      send: (rest, request) => rest.pulls.list({owner, repo, state: "open", per_page: 100, request}),
    });
    return open.ok ? ok(open.value.reverse()) : open;
  }

  /** True only if GitHub knows that the pull request conflicts with its base. */
  async function isConflicting(number: number): Promise<Result<boolean, Refused>> {
    let state = await mergeState(number);
    // After a push, the first question makes GitHub compute it.
    for (let count = 1; count < 2 * patience.tries && state.ok && state.value === "unknown"; count += 1) {
      await wait(2 * patience.backoffMs);
      state = await mergeState(number);
    }
    return state.ok ? ok(state.value === "dirty") : state;
  }

  const mergeState = (number: number) =>
    call({
      name: `read the merge state of pull request #${number}`,
      answer: z.object({mergeable_state: z.string()}).transform((answer) => answer.mergeable_state),
      send: (rest, request) => rest.pulls.get({owner, repo, pull_number: number, request}),
    });

  return {openPullRequests, isConflicting};
}

function pastPullRequests({owner, repo, call}: Transport) {
  /** The pull requests of this repository's branches that were opened at `since` (ISO 8601) or later, newest first. */
  async function pullRequestsSince(since: string, maxPages: number): Promise<Result<PastPullRequest[], Refused>> {
    const found: PastPullRequest[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      const answer = await call({
        name: "read the repository's pull requests",
        answer: z.array(pastSchema),
        send: (rest, request) => {
          const order = {state: "all", sort: "created", direction: "desc"} as const;
          return rest.pulls.list({owner, repo, ...order, per_page: 100, page, request});
        },
      });
      if (!answer.ok) return answer;
      const recent = answer.value.filter(({createdAt}) => createdAt >= since);
      found.push(...recent.filter(({isFork}) => !isFork(`${owner}/${repo}`)));
      if (recent.length < 100) break;
    }
    return ok(found);
  }

  return {pullRequestsSince};
}

function pullRequestWrites(
  transport: Transport,
  pullRequestOf: (head: string) => Promise<Result<PullRequest | null, Refused>>,
) {
  const {owner, repo, call} = transport;

  /**
   * Opens the pull request of a branch, or updates the body of its open one; the title stays, as people may have
   * changed it. `draft` is dropped if the repository's plan has no drafts.
   */
  async function openOrUpdatePullRequest(wanted: {
    head: string;
    base: string;
    title: string;
    body: string;
    draft: boolean;
  }): Promise<Result<PullRequest & {readonly created: boolean}, Refused>> {
    const openPullRequest = await pullRequestOf(wanted.head);
    if (!openPullRequest.ok) return openPullRequest;
    if (openPullRequest.value !== null) return updateBody(openPullRequest.value.number, wanted.body);
    const creation = await create(wanted);
    if (creation.ok) return ok({...creation.value, created: true});
    if (creation.failure.status !== 422) return creation;
    if (wanted.draft && /draft/i.test(creation.failure.message))
      return openOrUpdatePullRequest({...wanted, draft: false});
    // another run opened it meanwhile
    const existing = await pullRequestOf(wanted.head);
    return existing.ok && existing.value !== null ? updateBody(existing.value.number, wanted.body) : creation;
  }

  function create(wanted: {head: string; base: string; title: string; body: string; draft: boolean}) {
    const {head, base, draft} = wanted;
    const pull = {owner, repo, head, base, title: wanted.title.slice(0, MAX_TITLE), body: cutBody(wanted.body), draft};
    return createOnce({
      transport,
      apiCall: {
        name: `open a pull request for ${head}`,
        answer: pullRequestSchema,
        send: (rest, request) => rest.pulls.create({...pull, request}),
      },
      find: () => pullRequestOf(head),
    });
  }

  async function updateBody(number: number, text: string) {
    const updateResult = await call({
      name: `update pull request #${number}`,
      answer: pullRequestSchema,
      send: (rest, request) => rest.pulls.update({owner, repo, pull_number: number, body: cutBody(text), request}),
    });
    return updateResult.ok ? ok({...updateResult.value, created: false}) : updateResult;
  }

  return {openOrUpdatePullRequest};
}
