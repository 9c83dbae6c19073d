/** Comments and reactions: written once, found again, read in bounds. */
import {describe, expect, test} from "vitest";
import {z} from "zod";
import {BODY_LIMIT, cutBody} from "../../../src/github/comments.ts";
import {type Answer, type Script, type Seen, serve} from "./server.ts";

const MARKER = "<!-- assay:run 1 -->";
const bot = {login: "assay-bot", id: 70, type: "User"};
const eve = {login: "eve", id: 66, type: "User"};
const comment = (id: number, body: string, user: object | null = bot) => ({
  id,
  body,
  user,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  author_association: "OWNER",
  html_url: `https://example.test/${id}`,
});
const viewer = ({login, id}: {login: string; id: number}): Answer => ({
  status: 200,
  json: {data: {viewer: {login, databaseId: id}}},
});
const bodyOf = (request: Seen | undefined) => z.object({body: z.string()}).parse(request?.body).body;

/** A server that keeps comments; `fault` may take over the answer to a POST after or instead of keeping it. */
function keeper(
  fault: (count: number) => {keep: boolean; answer: Answer} | null,
  existing: object[] = [],
  me: Answer = viewer(bot),
) {
  const kept: object[] = [...existing];
  let posts = 0;
  const script: Script = (request) => {
    if (request.path === "/graphql") return me;
    if (request.method === "GET") return {status: 200, json: kept};
    posts += 1;
    const bad = fault(posts);
    const made = comment(1_000 + posts, bodyOf(request));
    if (bad === null || bad.keep) kept.push(made);
    return bad === null ? {status: 201, json: made} : bad.answer;
  };
  return {kept, script};
}

const lost: Answer = {raw: (response) => void response.destroy()};
const gateway: Answer = {status: 502, html: "<html>"};
const half: Answer = {
  raw: (response) => {
    response.writeHead(201, {"content-type": "application/json"});
    response.end('{"id": 1');
  },
};
const marked = (marker: string) => (body: string) => body.startsWith(marker);
const isIt = marked(MARKER);
const post = {number: 3, isIt, body: `${MARKER}\nWorking`};

describe("creating a comment", () => {
  test.each([
    ["a reset", lost],
    ["502", gateway],
    ["half an answer", half],
    ["a page of HTML", {status: 200, html: "<html>"}],
  ])("after %s GitHub has it: it is found, not written again", async (_, answer) => {
    const {kept, script} = keeper(() => ({keep: true, answer}));
    await using server = await serve(script);
    expect(await server.github.createComment(post)).toMatchObject({ok: true, value: {id: 1_001}});
    expect(server.of("POST")).toHaveLength(1);
    expect(kept).toHaveLength(1);
  });

  test("after 502 GitHub does not have it: it is written again, once", async () => {
    const {kept, script} = keeper((count) => (count === 1 ? {keep: false, answer: gateway} : null));
    await using server = await serve(script);
    expect(await server.github.createComment(post)).toMatchObject({ok: true, value: {id: 1_002}});
    expect(server.of("POST")).toHaveLength(2);
    expect(kept).toHaveLength(1);
  }, 15_000);

  test("502 for ever: three tries, then a failure", async () => {
    const {script} = keeper(() => ({keep: false, answer: gateway}));
    await using server = await serve(script, {callMs: 20_000});
    expect(await server.github.createComment(post)).toMatchObject({ok: false, failure: {status: 502}});
    expect(server.of("POST")).toHaveLength(3);
  }, 30_000);

  test("when the look-up fails too, nothing is written again", async () => {
    await using server = await serve((request) => (request.path === "/graphql" ? viewer(bot) : gateway));
    expect(await server.github.createComment(post)).toMatchObject({
      ok: false,
      failure: {request: "comment on #3", status: 502},
    });
    expect(server.of("POST")).toHaveLength(1);
  });

  test.each([403, 404, 410, 422])("%d is an answer: one request, no look-up", async (status) => {
    await using server = await serve(() => ({status, json: {message: "locked"}}));
    expect(await server.github.createComment(post)).toMatchObject({ok: false, failure: {status}});
    expect(server.seen).toHaveLength(1);
  });

  test("somebody else's comment with the same marker is not taken for ours, though it is newer", async () => {
    const copies = [comment(9_001, `${MARKER}\nme too`, eve), comment(9_002, `${MARKER}\n`, null)];
    await using server = await serve((request) => {
      if (request.path === "/graphql") return viewer(bot);
      return request.method === "POST" ? lost : {status: 200, json: [comment(1_001, MARKER), ...copies]};
    });
    expect(await server.github.createComment(post)).toMatchObject({ok: true, value: {id: 1_001}});
  });

  test("a body that is too long is made to fit", async () => {
    const {script} = keeper(() => null);
    await using server = await serve(script);
    await server.github.createComment({...post, body: `${MARKER}\n${"🧪".repeat(BODY_LIMIT)}`});
    const sent = bodyOf(server.seen[0]);
    expect(sent.startsWith(`${MARKER}\n🧪`)).toBe(true);
    expect(sent.length).toBeLessThanOrEqual(BODY_LIMIT);
    // throws on half a character
    expect(() => encodeURIComponent(sent)).not.toThrow();
  });

  test("a body that could not be found again is a bug, and is not sent", async () => {
    await using server = await serve(() => ({status: 500}));
    expect(() => server.github.createComment({...post, body: "no marker"})).toThrow("no marker");
    expect(server.seen).toHaveLength(0);
  });

  // https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
  test("writes of all kinds are at least a second apart, whoever asks for them at once", async () => {
    const made = (request: Seen) => (request.path.endsWith("/reactions") ? {id: 8} : comment(5, MARKER));
    await using server = await serve((request) => ({status: 201, json: made(request)}), {
      tryMs: 20_000,
      callMs: 20_000,
    });
    const {github} = server;
    const trigger = {kind: "comment", id: 55} as const;
    const commit = "0".repeat(40);
    const start = performance.now();
    await Promise.all([
      github.react({trigger, content: "eyes"}),
      github.updateComment(5, "done"),
      github.createComment(post),
      github.unreact({trigger, reaction: 8}),
      github.setCommitStatus({commit, state: "success", context: "c", description: "d", url: null}),
    ]);
    // A busy machine can bring a request later, but none before its second; a timer may be a few milliseconds early.
    const early = server.seen.filter(({at}, index) => at - start < index * 1_000 - 10);
    expect([server.seen.length, early]).toEqual([5, []]);
  }, 30_000);
});

test("a body is cut only when it must be", () => {
  expect(cutBody("x".repeat(BODY_LIMIT))).toBe("x".repeat(BODY_LIMIT));
  const cut = cutBody(`x${"🧪".repeat(BODY_LIMIT)}`);
  expect(cut.length).toBeLessThanOrEqual(BODY_LIMIT);
  expect(() => encodeURIComponent(cut)).not.toThrow();
  expect(cut).toContain("cut here");
});

describe("finding", () => {
  test("only the exact account's comments are its own: no other bot's, no other login, no other id", async () => {
    const robot = {login: "github-actions[bot]", id: 41, type: "Bot"};
    const others = [
      eve,
      {...robot, login: "renovate[bot]", id: 29},
      {...robot, id: 42},
      {...robot, login: "r[bot]"},
      null,
    ];
    const {script} = keeper(
      () => null,
      [
        comment(2, MARKER, robot),
        comment(3, `x ${MARKER}`, robot),
        ...others.map((other, index) => comment(5 + index, MARKER, other)),
      ],
      viewer(robot),
    );
    await using server = await serve(script);
    expect(await server.github.whoami()).toEqual({ok: true, value: {login: "github-actions[bot]", id: 41}});
    expect(await server.github.findComment(3, isIt)).toMatchObject({ok: true, value: {id: 2}});
    expect(await server.github.findComment(3, marked("<!-- other -->"))).toEqual({ok: true, value: null});
    expect(server.seen.filter((one) => one.path === "/graphql")).toHaveLength(1);
  });

  test.each([
    ["a bad token", {status: 401, json: {message: "Bad credentials"}}, 401],
    ["an error of GraphQL", {status: 200, json: {errors: [{message: "no"}]}}, 200],
    ["an account without an id", {status: 200, json: {data: {viewer: {login: "x", databaseId: null}}}}, 0],
  ])("%s: no comment is known to be its own", async (_, answer, status) => {
    const {script} = keeper(() => null, [comment(2, MARKER)], answer);
    await using server = await serve(script);
    expect(await server.github.whoami()).toMatchObject({ok: false, failure: {status}});
    expect(await server.github.findComment(3, isIt)).toMatchObject({ok: false, failure: {status}});
  });
});

describe("reading a thread", () => {
  const paged =
    (pages: number): Script =>
    (request) => {
      const page = Number(new URL(request.path, "http://x").searchParams.get("page"));
      const link =
        page < pages
          ? {link: `<http://x/?page=${page + 1}>; rel="next", <http://x/?a=1&page=${pages}>; rel="last"`}
          : {};
      return {status: 200, json: [comment(page, `page ${page}`)], headers: link};
    };

  test("one page is one request", async () => {
    await using server = await serve(paged(1));
    expect(await server.github.comments(3)).toMatchObject({
      ok: true,
      value: [{id: 1, author: bot}],
    });
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.path).toContain("per_page=100");
  });

  test("ten pages are read in order", async () => {
    await using server = await serve(paged(10));
    const thread = await server.github.comments(3);
    expect(thread.ok && thread.value.map(({id}) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("of five thousand pages the newest ten are read", async () => {
    await using server = await serve(paged(5_000));
    const thread = await server.github.comments(3);
    expect(thread.ok && [thread.value[0]?.id, thread.value.at(-1)?.id]).toEqual([4_991, 5_000]);
    expect(server.seen).toHaveLength(11);
  });

  test("a page that fails fails the thread: half a thread is not the thread", async () => {
    await using server = await serve((request, count) =>
      request.path.includes("page=2") && !request.path.includes("page=1&")
        ? {status: 404, json: {message: "gone"}}
        : paged(3)(request, count),
    );
    expect(await server.github.comments(3)).toMatchObject({ok: false, failure: {status: 404}});
  });

  test("deleted people and empty texts are data", async () => {
    const odd = {...comment(4, ""), body: null, user: null};
    await using server = await serve(() => ({status: 200, json: [odd]}));
    expect(await server.github.comments(3)).toMatchObject({
      value: [{author: null, body: ""}],
    });
  });
});

describe("reactions", () => {
  test("go to the comment or to the issue, and a lost answer is asked for again", async () => {
    await using server = await serve((request, count) => {
      if (request.method === "DELETE") return {status: 204};
      return count === 1 ? lost : {status: 201, json: {id: 8, content: "eyes"}};
    });
    const onComment = {kind: "comment", id: 55} as const;
    expect(await server.github.react({trigger: onComment, content: "eyes"})).toEqual({ok: true, value: 8});
    expect(await server.github.unreact({trigger: onComment, reaction: 8})).toEqual({ok: true, value: null});
    expect(await server.github.react({trigger: {kind: "issue", id: 3}, content: "rocket"})).toMatchObject({ok: true});
    expect(server.seen.map(({method, path}) => `${method} ${path}`)).toEqual([
      "POST /repos/own/repo/issues/comments/55/reactions",
      "POST /repos/own/repo/issues/comments/55/reactions",
      "DELETE /repos/own/repo/issues/comments/55/reactions/8",
      "POST /repos/own/repo/issues/3/reactions",
      "POST /repos/own/repo/issues/3/reactions",
    ]);
  }, 15_000);

  test("one that is gone already is fine", async () => {
    await using server = await serve(() => ({status: 404, json: {message: "Not Found"}}));
    expect(await server.github.unreact({trigger: {kind: "issue", id: 1}, reaction: 2})).toEqual({
      ok: true,
      value: null,
    });
  });
});

test("an update is sent again, and a deleted comment shows as 404", async () => {
  await using server = await serve((request, count) => {
    if (request.path.endsWith("/6")) return {status: 404, json: {message: "Not Found"}};
    return count === 1 ? gateway : {status: 200, json: comment(5, bodyOf(request))};
  });
  expect(await server.github.updateComment(5, "done")).toMatchObject({ok: true, value: {body: "done"}});
  expect(await server.github.updateComment(6, "done")).toMatchObject({ok: false, failure: {status: 404}});
  expect(server.of("PATCH")).toHaveLength(3);
});
