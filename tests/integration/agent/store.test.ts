/** The session that is kept on a branch of a real server, without secrets and without losing a race. */
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {loadSession, MAX_SESSION_BYTES, saveSession, sessionRef} from "../../../src/agent/store.ts";
import {makePlace, openBot, type Place, TOKEN, value} from "../changes/place.ts";

const meta = {agent: "pi", issue: 7, run: "r1"};
const redact = (text: string) => text.replaceAll("sk-secret", "[redacted]");

describe("the agent's session on its branch", () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace({files: {"a.ts": "a\n"}});
  });
  afterEach(() => place[Symbol.asyncDispose]());
  const save = (text: string, run = "r1") =>
    saveSession({repository: place.repository, text, meta: {...meta, run}, redact});
  const elsewhere = async () =>
    value(await openBot({folder: join(place.folder, "another-runner"), url: place.url, token: TOKEN}));

  it("is found again on another runner, by branch and by commit, redacted", async () => {
    const saved = value(await save('{"key":"sk-secret"}\n'));
    expect(saved).toMatchObject({kind: "saved", ref: "refs/heads/assay/session/issue-7"});
    const commit = saved.kind === "saved" ? saved.commit : "";
    const other = await elsewhere();
    const expected = {commit, text: '{"key":"[redacted]"}\n', meta};
    expect(value(await loadSession({repository: other, from: sessionRef(7)}))).toEqual(expected);
    expect(value(await loadSession({repository: other, from: commit}))).toEqual(expected);
    expect(value(await loadSession({repository: other, from: sessionRef(8)}))).toBeNull();
  });

  it("goes on from the former tip", async () => {
    value(await save("one\n"));
    const first = await place.origin.resolve(sessionRef(7));
    value(await save("one\ntwo\n", "r2"));
    expect((await place.origin.facts(sessionRef(7))).parents).toEqual([first]);
    expect(value(await loadSession({repository: await elsewhere(), from: sessionRef(7)}))?.text).toBe("one\ntwo\n");
  });

  it("takes up what somebody else saved in the same moment", async () => {
    value(await save("one\n"));
    const branch = "assay/session/issue-7";
    let theirs = "";
    place.server.beforeNextPush(async () => {
      theirs = await place.origin.commit({branch, files: {"session.jsonl": "theirs\n"}});
    });
    value(await save("mine\n", "r2"));
    expect((await place.origin.facts(sessionRef(7))).parents).toEqual([theirs]);
  });

  it("gives up after three races, and says so", async () => {
    const branch = "assay/session/issue-7";
    let races = 0;
    const race = async () => {
      races += 1;
      await place.origin.commit({branch, files: {"session.jsonl": `theirs ${races}\n`}});
      place.server.beforeNextPush(race);
    };
    place.server.beforeNextPush(race);
    expect(await save("mine\n")).toMatchObject({ok: false, failure: {kind: "push-lost", ref: sessionRef(7)}});
    expect(races).toBe(3);
  });

  it("drops a session that is too large, with a note", async () => {
    const saved = value(await save("x".repeat(MAX_SESSION_BYTES + 1)));
    expect(saved).toMatchObject({kind: "dropped", note: expect.stringContaining("21 MB")});
    expect(place.server.updates).toEqual([]);
  });

  it.each([
    ["no such file", {"session.jsonl": "x\n"}],
    ["broken JSON", {"session.jsonl": "x\n", "meta.json": "{"}],
    [
      "another schema",
      {"session.jsonl": "x\n", "meta.json": '{"schema":"assay.session/2","agent":"pi","issue":7,"run":"r"}'},
    ],
    ["a link", {"session.jsonl": {mode: "120000", content: "/etc/passwd"} as const, "meta.json": "{}"}],
  ])("starts anew where the branch holds %s", async (_, files) => {
    await place.origin.commit({branch: "assay/session/issue-7", files});
    expect(value(await loadSession({repository: place.repository, from: sessionRef(7)}))).toBeNull();
  });

  it("says so when the server refuses", async () => {
    await place.origin.refusePushes("*");
    expect(await save("x\n")).toMatchObject({ok: false, failure: {kind: "push-refused"}});
  });
});
