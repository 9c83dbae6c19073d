/** Issues, pull requests and statuses: what is read, and that a pull request is opened once. */
import {describe, expect, test} from "vitest";
import {type Answer, type Script, serve} from "./server.ts";

const commit = "a".repeat(40);
const pull = (number: number, head: string, repo: string | null = "own/repo") => ({
  number,
  html_url: `https://example.test/${number}`,
  state: "open",
  head: {sha: commit, ref: head, repo: repo === null ? null : {full_name: repo, pushed_at: "2026-01-01T00:00:00Z"}},
  base: {sha: "b".repeat(40), ref: "main"},
});
const wanted = {head: "assay/issue-3", base: "main", title: "Fix", body: "Report", draft: false};

/** A server that keeps pull requests; `fault` may take over the answer to a POST. */
function keeper(
  fault: (count: number) => {keep: boolean; answer: Answer} | null,
  existing: ReturnType<typeof pull>[] = [],
) {
  const kept = [...existing];
  const script: Script = (request, count) => {
    if (request.method === "GET") return {status: 200, json: kept};
    if (request.method === "PATCH") return {status: 200, json: kept[0]};
    const bad = fault(count);
    const made = pull(50 + count, wanted.head);
    if (bad === null || bad.keep) kept.push(made);
    return bad === null ? {status: 201, json: made} : bad.answer;
  };
  return {kept, script};
}

describe("a pull request", () => {
  test("is opened when there is none", async () => {
    const {script} = keeper(() => null, [pull(4, "other-branch")]);
    await using server = await serve(script);
    expect(await server.github.openOrUpdatePullRequest(wanted)).toMatchObject({
      ok: true,
      value: {number: 51, created: true},
    });
    expect(server.of("POST")[0]?.body).toEqual({...wanted, draft: false});
    expect(server.of("GET")[0]?.path).toContain("head=own%3Aassay%2Fissue-3");
  });

  test("gets the new body when it is there, and keeps its title", async () => {
    const {script} = keeper(() => null, [pull(9, wanted.head)]);
    await using server = await serve(script);
    expect(await server.github.openOrUpdatePullRequest(wanted)).toMatchObject({
      ok: true,
      value: {number: 9, created: false},
    });
    expect(server.of("POST")).toHaveLength(0);
    expect(server.of("PATCH")[0]?.body).toEqual({body: "Report"});
  });

  test("is not opened twice when the answer was lost", async () => {
    const {kept, script} = keeper(() => ({keep: true, answer: {raw: (response) => void response.destroy()}}));
    await using server = await serve(script);
    expect(await server.github.openOrUpdatePullRequest(wanted)).toMatchObject({ok: true, value: {number: 51}});
    expect(kept).toHaveLength(1);
    expect(server.of("POST")).toHaveLength(1);
  });

  test("that somebody else opened meanwhile is refreshed", async () => {
    const answer: Answer = {status: 422, json: {message: "Validation Failed", errors: [{message: "already exists"}]}};
    const {script} = keeper(() => ({keep: true, answer}));
    await using server = await serve(script);
    expect(await server.github.openOrUpdatePullRequest(wanted)).toMatchObject({
      ok: true,
      value: {number: 51, created: false},
    });
    expect(server.of("PATCH")).toHaveLength(1);
  }, 15_000);

  test("is opened as a plain one where drafts are not to be had", async () => {
    const answer: Answer = {status: 422, json: {message: "Draft pull requests are not supported in this repository."}};
    const {script} = keeper((count) => (count === 1 ? {keep: false, answer} : null));
    await using server = await serve(script);
    expect(await server.github.openOrUpdatePullRequest({...wanted, draft: true})).toMatchObject({
      ok: true,
      value: {created: true},
    });
    expect(server.of("POST").map(({body}) => body)).toMatchObject([{draft: true}, {draft: false}]);
  }, 15_000);

  test("that GitHub refuses is a failure with GitHub's words", async () => {
    await using server = await serve((request) =>
      request.method === "GET"
        ? {status: 200, json: []}
        : {status: 403, json: {message: "Actions may not open pull requests"}},
    );
    expect(await server.github.openOrUpdatePullRequest(wanted)).toMatchObject({
      ok: false,
      failure: {status: 403, message: "Actions may not open pull requests"},
    });
  });

  test("of a fork, and of a deleted one, is read as such", async () => {
    await using server = await serve((request) => ({
      status: 200,
      json: request.path.endsWith("/1") ? pull(1, "x", "eve/repo") : pull(2, "x", null),
    }));
    expect(await server.github.pullRequest(1)).toMatchObject({
      value: {
        headRepository: "eve/repo",
        headRepositoryPushedAt: "2026-01-01T00:00:00Z",
        headCommit: commit,
        baseBranch: "main",
      },
    });
    expect(await server.github.pullRequest(2)).toMatchObject({value: {headRepository: null}});
  });
});

test("a status is sent again after 502, with a description that fits", async () => {
  await using server = await serve((_, count) =>
    count === 1 ? {status: 502, json: {}} : {status: 201, json: {state: "success"}},
  );
  const status = {
    commit,
    state: "success",
    context: "assay/verified",
    description: "d".repeat(500),
    url: null,
  } as const;
  expect(await server.github.setCommitStatus(status)).toMatchObject({ok: true});
  expect(server.seen.map(({path}) => path)).toEqual(Array(2).fill(`/repos/own/repo/statuses/${commit}`));
  expect(server.seen[1]?.body).toEqual({state: "success", context: "assay/verified", description: "d".repeat(140)});
});

test("a check whose answer was lost is looked for, and made once", async () => {
  const made = {id: 5, external_id: "comment-1-1"};
  await using server = await serve((request, count) => {
    if (request.method === "GET") return {status: 200, json: {total_count: 1, check_runs: [{id: 4}, made]}};
    return count === 1 ? {status: 502, json: {}} : {status: 201, json: made};
  });
  const text = {conclusion: "failure", title: "No", summary: "s", annotations: []} as const;
  const check = {commit, name: "assay/verified", id: "comment-1-1", url: null, text};
  expect(await server.github.createCheck(check)).toEqual({ok: true, value: made});
  expect(server.seen.map(({method}) => method)).toEqual(["POST", "GET"]);
});
