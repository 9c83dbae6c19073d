/** Which pull request a push to the default branch updates: one that nothing can update does not keep the others waiting. */
import {expect, test} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {commitMessage} from "../../../src/publish/message.ts";
import {ok} from "../../../src/record/words.ts";
import {completePush} from "../../../src/run/pushed-base.ts";
import type {RunContext} from "../../../src/run/run-context.ts";
import {ada, broken, eventWith} from "../request/decided.ts";

const self = {login: "assay[bot]", id: 41};
const id = (digit: number) => String(digit).repeat(40);
const bot = {...self, type: "Bot"};
const event = {...eventWith({trigger: {kind: "push", id: 9}}), createdAt: "2026-01-02T12:00:00Z"};
const createdAt = "2026-01-02T11:00:00Z";
const comment = (body: string) => ({
  ...{id: 1, body, author: bot, createdAt, updatedAt: createdAt},
});
const round = (run: number) => comment(runMarker({run: `ci-${run}`, session: null, spent: {usd: 1, minutes: 1}}));
const running = (run: string) => comment(`${runMarker({run, session: null})}\n⏳ Working\n`);

/** Pull requests 1 and 2 of Assay, the older one first; both conflict. `first` is what is different about the older one. */
function push(
  first: Partial<Record<"commitOf" | "comments" | "ofIssue" | "writes" | "isConflicting", unknown>>,
  count = 2,
) {
  const answer = (name: keyof typeof first, number: number, usual: unknown) =>
    number === 1 && name in first ? first[name] : usual;
  const message = (number: number) =>
    commitMessage({
      ...{request: "Add", issue: 10 * number, run: `comment-${number}`, base: id(8), tree: id(9), verified: true},
      requester: {login: `p${number}`, id: number},
    });
  const report = (number: number) =>
    comment(`${runMarker({run: `comment-${number}`, session: null})}\n\`${id(number).slice(0, 12)}\``);
  const github = {
    whoami: async () => ok(self),
    openPullRequests: async () =>
      ok(
        [1, 2].slice(0, count).map((number) => ({
          ...{number, url: "", headCommit: id(number), headBranch: `assay/issue-${10 * number}`, isClosed: false},
          ...{headRepository: "Own/Repo", headRepositoryPushedAt: null, baseBranch: "main"},
        })),
      ),
    commitOf: async (commit: string) => {
      const number = Number(commit[0]);
      return answer("commitOf", number, ok({commit, tree: id(9), parents: [id(8)], message: message(number)}));
    },
    comments: async (number: number) =>
      number < 10 ? answer("comments", number, ok([])) : answer("ofIssue", number / 10, ok([report(number / 10)])),
    issue: async () => ok({title: "t", body: "b", state: "open"}),
    isConflicting: async (number: number) => answer("isConflicting", number, ok(true)),
    writes: async (account: {id: number}) => answer("writes", account.id, true),
  };
  return completePush({github: github as unknown as RunContext["github"]}, {...event, author: ada});
}

test.each<[string, Parameters<typeof push>[0], number]>([
  ["nothing", {}, 1],
  ["no conflict", {isConflicting: ok(false)}, 2],
  ["its commit cannot be read", {commitOf: broken(500)}, 2],
  ["its issue was deleted", {ofIssue: broken(410)}, 2],
  ["GitHub does not say whether it conflicts", {isConflicting: broken(502)}, 2],
  ["who asked for it may not write any more", {writes: false}, 2],
  ["it had its rounds", {comments: ok([round(1), round(2)])}, 2],
  ["a run works on it", {comments: ok([round(1), running("ci-2")])}, 2],
  ["this run had died there", {comments: ok([running("push-9")])}, 1],
])("if the older of two has this: %s", async (_, first, number) => {
  expect(await push(first)).toMatchObject({
    ok: true,
    value: {event: {thread: {number}, author: {id: number}, request: {kind: "update"}}},
  });
});

test.each([
  [500, "github-refused"],
  [410, "not-ours"],
])("if none is left, and GitHub has answered %i about one, the result is %s", async (status, kind) => {
  expect(await push({commitOf: broken(status)}, 1)).toMatchObject({ok: false, failure: {kind}});
});
