/** Who gets a run: roles, kinds of account and every answer of the permission API. */
import {describe, expect, test} from "vitest";
import {ok} from "../../../src/record/words.ts";
import {canWrite, type Refusal} from "../../../src/request/admission.ts";
import {ada, broken, decide, eventWith, writer} from "./decided.ts";

describe("roles", () => {
  const roles: [string, string | null, boolean][] = [
    ["admin", "admin", true],
    ["write", "maintain", true],
    ["write", "write", true],
    ["write", null, true],
    ["write", "custom-release-team", true],
    ["push", "write", true],
    ["push", "maintain", true],
    ["push", null, false],
    ["push", "custom", false],
    ["read", "triage", false],
    ["read", "read", false],
    ["read", "admin", false],
    ["read", "custom", false],
    ["none", "none", false],
    ["none", null, false],
    ["write", "read", false],
    ["write", "triage", false],
    ["admin", "none", false],
    ["WRITE", null, false],
    ["", null, false],
    ["owner", "owner", false],
    ["__proto__", null, false],
  ];
  test.each(roles)("permission %j, role %j: %j", (permission, role, expected) => {
    expect(canWrite({permission, role})).toBe(expected);
    const admission = decide(eventWith({}), {access: ok({permission, role, userId: 7})});
    expect(admission.kind).toBe(expected ? "admitted" : "refused");
    if (admission.kind === "refused") expect(admission.line).toMatch(/write access/);
  });
});

test.each([
  [{enabled: false}, "admin", "admin", "switched-off"],
  [{requesters: "maintain"}, "write", "write", "role-too-low"],
  [{requesters: "maintain"}, "write", null, "role-too-low"],
  [{requesters: "maintain"}, "write", "custom", "role-too-low"],
  [{requesters: "maintain"}, "write", "maintain", null],
  [{requesters: "maintain"}, "admin", "admin", null],
  [{requesters: "admin"}, "write", "maintain", "role-too-low"],
  [{requesters: "admin"}, "admin", "admin", null],
  [{requesters: "admin"}, "admin", null, null],
  [{requesters: "write"}, "write", "write", null],
  [{}, "write", "write", null],
] as const)("with the policy %j, permission %s and role %j: %j", (policy, permission, role, why) => {
  const facts = {policy: ok(policy), access: ok({permission, role, userId: 7})};
  const admission = decide(eventWith({}), facts);
  expect(admission.kind === "refused" ? admission.why : null).toBe(why);
  // Whoever may write can still end a run, or ask about it.
  for (const text of ["/stop", "/status", "/help"])
    expect(decide(eventWith({text}), facts)).toMatchObject({kind: "admitted"});
});

test("a policy that cannot be read starts nothing", () => {
  expect(decide(eventWith({}), {policy: broken(500)})).toMatchObject({kind: "refused", why: "policy-unreadable"});
});

test("separate jobs on a server without artifacts are refused by name, to people who may ask; one job is not", () => {
  const server = {lacksArtifacts: true};
  expect(decide(eventWith({}), {...server, runsApart: true})).toMatchObject({
    why: "no-separate-jobs",
    line: expect.stringContaining("--mode single"),
  });
  expect(decide(eventWith({text: "/help"}), {...server, runsApart: true}).kind).toBe("admitted");
  expect(decide(eventWith({}), server).kind).toBe("admitted");
  const reader = ok({permission: "read", role: "read", userId: 7});
  expect(decide(eventWith({}), {...server, runsApart: true, access: reader})).toMatchObject({why: "no-write-access"});
});

test("a proposal of the checks is refused in one job, and for people without write access", () => {
  const setup = eventWith({text: "/setup"});
  expect(decide(setup, {runsApart: true})).toMatchObject({kind: "admitted", request: {kind: "setup"}});
  expect(decide(setup, {runsApart: false})).toMatchObject({why: "no-setup-here"});
  const reader = ok({permission: "read", role: "read", userId: 7});
  expect(decide(setup, {runsApart: true, access: reader})).toMatchObject({why: "no-write-access"});
});

test("a text that only begins like a command is no request of an outsider", () => {
  const access = ok({permission: "read", role: "read", userId: 7});
  expect(decide(eventWith({text: "/plan.md is missing"}), {access})).toMatchObject({
    why: "no-write-access",
    line: null,
  });
  expect(decide(eventWith({text: "/plan. is it missing?"}), {access})).toMatchObject({
    line: expect.stringContaining("Sorry"),
  });
});

describe("accounts", () => {
  test.each([
    {...ada, type: "Bot"},
    {...ada, type: "Organization"},
    {...ada, type: "Mannequin"},
    {...ada, type: "user"},
    {...ada, type: ""},
    {...ada, login: "dependabot[bot]"},
    null,
  ])("%j is refused in silence, even with write access", (author) => {
    expect(decide(eventWith({author}))).toEqual({kind: "refused", why: "not-a-person", line: null});
  });

  test("the answer must be about the same account", () => {
    expect(decide(eventWith({}), {access: ok({...writer, userId: 8})})).toMatchObject({why: "no-write-access"});
    expect(decide(eventWith({}), {access: ok({...writer, userId: null})}).kind).toBe("admitted");
  });
});

test.each([0, 401, 403, 429, 500, 502])("a permission API that answers %d refuses, and says to try again", (status) => {
  const admission = decide(eventWith({}), {access: broken(status)});
  const failure = {kind: "github-refused", status};
  const line = expect.stringContaining("try again");
  expect(admission).toMatchObject({kind: "refused", why: "access-unknown", line, failure});
});

test("a request has one run: a payload that comes twice is ignored, and a re-run starts it again", () => {
  const answered = {thread: ok({earlierId: 5, times: ["2026-01-01T00:00:00Z"]}), runsPerHour: 1};
  expect(decide(eventWith({}), answered)).toEqual({kind: "repeated"});
  expect(decide(eventWith({}), {...answered, isRerun: true}).kind).toBe("admitted");
  const outsider = ok({...writer, permission: "read", role: "read"});
  expect(decide(eventWith({}), {...answered, access: outsider})).toMatchObject({why: "no-write-access"});
});

test("a thread that cannot be read admits nobody", () => {
  expect(decide(eventWith({}), {thread: broken(502)})).toMatchObject({kind: "unknown", failure: {status: 502}});
  expect(decide(eventWith({}), {thread: broken(502), isRerun: true}).kind).toBe("unknown");
});

test("an admitted run carries the request", () => {
  expect(decide(eventWith({}))).toEqual({kind: "admitted", request: {kind: "work", text: "fix it"}});
  expect(decide(eventWith({closed: true})).kind).toBe("admitted");
});

describe("pull requests", () => {
  const here = ok({headRepository: "own/repo", pushedAt: "2026-01-01T00:00:00Z"});
  const gone = ok({headRepository: "own/repo", pushedAt: null});
  const pushed = (pushedAt: string) => ok({headRepository: "own/repo", pushedAt});
  const cases: [string, Parameters<typeof eventWith>[0], Parameters<typeof decide>[1], Refusal | "admitted"][] = [
    ["of this repository", {pull: true}, {head: here}, "admitted"],
    ["/setup", {pull: true, text: "/setup"}, {head: here, runsApart: true}, "no-setup-here"],
    ["of a fork", {pull: true}, {head: ok({headRepository: "eve/repo", pushedAt: null})}, "fork"],
    ["of a deleted fork", {pull: true}, {head: ok({headRepository: null, pushedAt: null})}, "fork"],
    [
      "/verify on a fork",
      {pull: true, text: "/verify"},
      {head: ok({headRepository: "eve/repo", pushedAt: null})},
      "fork-in-one-job",
    ],
    [
      "of a fork, in separate jobs",
      {pull: true},
      {head: ok({headRepository: "eve/repo", pushedAt: null}), runsApart: true},
      "fork",
    ],
    [
      "/continue on a fork, in separate jobs",
      {pull: true, text: "/continue"},
      {head: ok({headRepository: "eve/repo", pushedAt: null}), runsApart: true},
      "fork",
    ],
    [
      "/verify on a fork, in separate jobs",
      {pull: true, text: "/verify"},
      {head: ok({headRepository: "eve/repo", pushedAt: "2026-01-01T00:00:00Z"}), runsApart: true},
      "admitted",
    ],
    [
      "/verify on a deleted fork, in separate jobs",
      {pull: true, text: "/verify"},
      {head: ok({headRepository: null, pushedAt: null}), runsApart: true},
      "admitted",
    ],
    [
      "/verify on a fork whose last push is unknown",
      {pull: true, text: "/verify"},
      {head: ok({headRepository: "eve/repo", pushedAt: null}), runsApart: true},
      "push-time-unknown",
    ],
    [
      "/verify on a fork that was pushed to after the comment",
      {pull: true, text: "/verify"},
      {head: ok({headRepository: "eve/repo", pushedAt: "2026-01-01T00:00:01Z"}), runsApart: true},
      "head-moved",
    ],
    [
      "/verify on a fork by an outsider, in separate jobs",
      {pull: true, text: "/verify"},
      {
        head: ok({headRepository: "eve/repo", pushedAt: null}),
        access: ok({...writer, permission: "read", role: "read"}),
        runsApart: true,
      },
      "no-write-access",
    ],
    [
      "/help on a fork",
      {pull: true, text: "/help"},
      {head: ok({headRepository: "eve/repo", pushedAt: null})},
      "admitted",
    ],
    ["with an unreadable head", {pull: true}, {head: broken(500)}, "head-unknown"],
    ["whose head nobody read", {pull: true}, {head: null}, "head-unknown"],
    ["pushed to after the comment", {pull: true}, {head: pushed("2026-01-01T00:00:01Z")}, "head-moved"],
    ["/verify after such a push", {pull: true, text: "/verify"}, {head: pushed("2026-01-02T00:00:00Z")}, "head-moved"],
    ["pushed to before", {pull: true}, {head: pushed("2025-12-31T23:59:59Z")}, "admitted"],
    [
      "pushed to at a time unknown",
      {pull: true},
      {head: ok({headRepository: "own/repo", pushedAt: null})},
      "push-time-unknown",
    ],
    ["pushed to at no time", {pull: true}, {head: pushed("yesterday")}, "head-moved"],
    ["that is closed", {pull: true, closed: true}, {head: here}, "closed-pull-request"],
    ["/continue on a closed one", {pull: true, closed: true, text: "/continue"}, {head: here}, "closed-pull-request"],
    ["closed, whose branch is gone", {pull: true, closed: true}, {head: gone}, "closed-pull-request"],
    ["closed after the comment", {pull: true}, {head: ok({...gone.value, isClosed: true})}, "closed-pull-request"],
    ["closed, gone, /verify", {pull: true, closed: true, text: "/verify"}, {head: gone}, "closed-pull-request"],
    ["/verify on a closed one", {pull: true, closed: true, text: "/verify"}, {head: here}, "admitted"],
    [
      "of a fork, by an outsider",
      {pull: true},
      {head: null, access: ok({...writer, permission: "read", role: "read"})},
      "no-write-access",
    ],
  ];
  test.each(cases)("%s", (_, changes, options, expected) => {
    const admission = decide(eventWith(changes), options);
    expect(admission.kind === "refused" ? admission.why : admission.kind).toBe(expected);
    if (admission.kind === "refused") expect(admission.line).toMatch(/^[A-Z][^\n]+\.$/);
  });
});

test("own comments and talk among people are ignored", () => {
  expect(decide(eventWith({text: "<!-- assay:run 1 -->\n/verify"}), {phrase: ""}).kind).toBe("ignored");
  expect(decide(eventWith({text: "\n <!-- assay -->\nReport"}), {phrase: ""}).kind).toBe("ignored");
  expect(decide(eventWith({text: "I agree."})).kind).toBe("ignored");
  expect(decide(eventWith({text: "> /verify"})).kind).toBe("ignored");
});

test("where every comment is a request, an outsider's talk gets no answer, but a command does", () => {
  const outsider = ok({...writer, permission: "read", role: "read"});
  expect(decide(eventWith({text: "nice"}), {phrase: "", access: outsider})).toMatchObject({
    kind: "refused",
    line: null,
  });
  expect(decide(eventWith({text: "/verify"}), {phrase: "", access: outsider})).toMatchObject({
    line: expect.stringContaining("write access"),
  });
});

test("a dry run counts requests instead of answers, and an unknown number is too many", () => {
  const facts = {thread: ok({earlierId: null, times: []}), runsPerHour: 2};
  const decided = (times: string[]) => decide(eventWith({}), {...facts, dryRunTimes: ok(times)});
  expect(decided(["2025-12-31T22:00:00Z", "2025-12-31T23:30:00Z"]).kind).toBe("admitted");
  expect(decided(["2025-12-31T23:30:00Z", "2025-12-31T23:40:00Z"])).toMatchObject({why: "too-often"});
  expect(decide(eventWith({}), {...facts, dryRunTimes: broken(403)})).toMatchObject({
    why: "dry-runs-unknown",
    failure: {status: 403},
  });
});

test("an hour has so many answers, and what is over that is said once", () => {
  const at = "2026-01-01T12:00:00Z";
  const minutesAgo = (...minutes: number[]) =>
    minutes.map((count) => new Date(Date.parse(at) - count * 60_000).toISOString());
  const decided = (times: string[], phrase = "/assay", refusals: {why: Refusal; time: string}[] = []) =>
    decide({...eventWith({}), createdAt: at}, {thread: ok({earlierId: null, times, refusals}), runsPerHour: 2, phrase});
  expect(decided([]).kind).toBe("admitted");
  expect(decided(minutesAgo(59)).kind).toBe("admitted");
  expect(decided(minutesAgo(60, 61, 200, 5)).kind).toBe("admitted");
  expect(decided(minutesAgo(59, 1))).toMatchObject({why: "too-often", line: expect.stringContaining("runs-per-hour")});
  const refused = (why: Refusal, ...minutes: number[]) => minutesAgo(...minutes).map((time) => ({why, time}));
  expect(decided(minutesAgo(59, 1), "/assay", refused("too-often", 0))).toMatchObject({why: "too-often", line: null});
  expect(decided(minutesAgo(59, 1), "/assay", refused("too-often", 60))).toHaveProperty("line", expect.any(String));
  const strangers = refused("no-write-access", 1, 2, 3);
  expect(decided(minutesAgo(59), "/assay", strangers).kind).toBe("admitted");
  expect(decided(minutesAgo(59, 1), "/assay", strangers)).toHaveProperty("line", expect.any(String));
  const access = ok({...writer, permission: "read", role: "read"});
  for (const [count, line] of [
    [1, expect.any(String)],
    [2, null],
  ] as const) {
    const thread = ok({earlierId: null, times: [], refusals: strangers.slice(0, count)});
    const decision = decide({...eventWith({}), createdAt: at}, {access, thread, runsPerHour: 2});
    expect(decision).toMatchObject({why: "no-write-access", line});
  }
  expect(decided(minutesAgo(1, 2), "")).toMatchObject({why: "too-often", line: null});
});
