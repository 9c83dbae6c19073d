/** Permissions as GitHub answers them, and the bound on asking. */
import {expect, test} from "vitest";
import {type Answer, serve} from "./server.ts";

const account = (id: number, type = "User") => ({login: `u${id}`, id, type});
const answer = (id: number, permission: string, role: string): Answer => ({
  status: 200,
  json: {permission, role_name: role, user: {login: `u${id}`, id}},
});

test("the answer is handed on as it is, and an unknown collaborator has none", async () => {
  await using server = await serve((request) => {
    if (request.path.includes("/u1/")) return answer(1, "write", "maintain");
    if (request.path.includes("/u2/")) return {status: 200, json: {permission: "read", user: null}};
    if (request.path.includes("/u3/")) return {status: 404, json: {message: "Not Found"}};
    return {status: 403, json: {message: "Resource not accessible by integration"}};
  });
  const {permission} = server.github;
  expect(await permission("u1")).toEqual({ok: true, value: {permission: "write", role: "maintain", userId: 1}});
  expect(await permission("u2")).toEqual({ok: true, value: {permission: "read", role: null, userId: null}});
  expect(await permission("u3")).toEqual({ok: true, value: {permission: "none", role: null, userId: null}});
  expect(await permission("u4")).toMatchObject({ok: false, failure: {status: 403}});
  expect(server.seen.map(({path}) => path)[0]).toBe("/repos/own/repo/collaborators/u1/permission");
});

test("a login cannot leave its place in the address", async () => {
  await using server = await serve(() => ({status: 404, json: {message: "Not Found"}}));
  await server.github.permission("../../user?x=/");
  expect(server.seen[0]?.path).toBe("/repos/own/repo/collaborators/..%2F..%2Fuser%3Fx%3D%2F/permission");
});

test("who writes is asked once each, and unknown is no", async () => {
  await using server = await serve((request) => {
    if (request.path.includes("/u1/")) return answer(1, "write", "write");
    if (request.path.includes("/u2/")) return answer(2, "read", "triage");
    if (request.path.includes("/u3/")) return answer(999, "admin", "admin");
    return {status: 403, json: {message: "no"}};
  });
  const {writes} = server.github;
  const asked = [account(1), account(1), account(2), account(3), account(4), account(1, "Bot")];
  expect(await Promise.all(asked.map(writes))).toEqual([true, true, false, false, false, false]);
  expect(await writes(account(1))).toBe(true);
  expect(server.seen).toHaveLength(4);
});

test("after fifty people nobody is asked about any more", async () => {
  await using server = await serve(() => ({status: 200, json: {permission: "admin", role_name: "admin", user: null}}));
  const found = await Promise.all(Array.from({length: 80}, (_, index) => server.github.writes(account(index + 1))));
  expect(found.filter(Boolean)).toHaveLength(50);
  expect(server.seen).toHaveLength(50);
});
