/** The session that is kept on a hidden ref of a real server, without secrets and without losing a race. */
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {loadSession, MAX_SESSION_BYTES, saveSession} from "../../../src/agent/store.ts";
import type {Files} from "../../rig/origin.ts";
import {everyNth} from "../../sweep.ts";
import {makePlace, openBot, type Place, TOKEN, value} from "../changes/place.ts";

const REF = "refs/assay/session/issue-7";
const meta = {agent: "pi", issue: 7, run: "r1"};
const redact = (text: string) => text.replaceAll("sk-secret", "[redacted]");

describe("the agent's session on its ref", () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace({files: {"a.ts": "a\n"}});
  });
  afterEach(() => place[Symbol.asyncDispose]());
  const save = (text: string, run = "r1") =>
    saveSession({repository: place.repository, text, meta: {...meta, run}, redact});
  /** As somebody else's push would leave it. */
  async function commitOnRef(files: Files): Promise<string> {
    const from = (await place.origin.resolve(REF)) ?? place.base;
    const commit = await place.origin.commit({branch: "scratch", from, files});
    await place.origin.setRef(REF, commit);
    return commit;
  }
  const elsewhere = async () =>
    value(await openBot({folder: join(place.folder, "another-runner"), url: place.url, token: TOKEN}));

  it("is found again on another runner by its commit, redacted, and only where that is the tip of the issue's ref", async () => {
    const commit = value(await save('{"key":"sk-secret"}\n')) ?? "";
    expect(await place.origin.resolve(REF)).toBe(commit);
    const other = await elsewhere();
    expect(value(await loadSession({repository: other, issue: 7, commit, agent: "pi"}))).toBe('{"key":"[redacted]"}\n');
    expect(value(await loadSession({repository: other, issue: 7, commit, agent: "claude"}))).toBeNull();
    expect(value(await loadSession({repository: other, issue: 8, commit, agent: "pi"}))).toBeNull();
    expect(value(await loadSession({repository: other, issue: 7, commit: place.base, agent: "pi"}))).toBeNull();
    await save("newer\n", "r2");
    expect(value(await loadSession({repository: other, issue: 7, commit, agent: "pi"}))).toBeNull();
  });

  it("goes on from the former tip", async () => {
    value(await save("one\n"));
    const first = await place.origin.resolve(REF);
    value(await save("one\ntwo\n", "r2"));
    expect((await place.origin.facts(REF)).parents).toEqual([first]);
    const commit = (await place.origin.resolve(REF)) ?? "";
    expect(value(await loadSession({repository: await elsewhere(), issue: 7, commit, agent: "pi"}))).toBe("one\ntwo\n");
  });

  it("takes up what somebody else saved in the same moment", async () => {
    value(await save("one\n"));
    let theirs = "";
    place.server.beforeNextPush(async () => {
      theirs = await commitOnRef({"session.jsonl": "theirs\n"});
    });
    value(await save("mine\n", "r2"));
    expect((await place.origin.facts(REF)).parents).toEqual([theirs]);
  });

  it("gives up after three races, and says so", async () => {
    let races = 0;
    const race = async () => {
      races += 1;
      await commitOnRef({"session.jsonl": `theirs ${races}\n`});
      place.server.beforeNextPush(race);
    };
    place.server.beforeNextPush(race);
    expect(await save("mine\n")).toMatchObject({ok: false, failure: {kind: "push-lost", ref: REF}});
    expect(races).toBe(3);
  });

  it("finds what a former version kept on a branch, and goes on with it on the ref", async () => {
    const former = value(await save("one\n")) ?? "";
    await place.origin.setRef("refs/heads/assay/session/issue-7", former);
    await place.origin.deleteRef(REF);
    expect(value(await loadSession({repository: await elsewhere(), issue: 7, commit: former, agent: "pi"}))).toBe(
      "one\n",
    );
    value(await save("two\n", "r2"));
    expect((await place.origin.facts(REF)).parents).toEqual([former]);
    expect(await place.origin.resolve("refs/heads/assay/session/issue-7")).toBeNull();
  });

  it("loses neither of two conversations where the branch went on next to the ref", async () => {
    value(await save("one\n"));
    const ours = await place.origin.resolve(REF);
    const theirs = await place.origin.commit({branch: "assay/session/issue-7", files: {"session.jsonl": "theirs\n"}});
    value(await save("two\n", "r2"));
    expect((await place.origin.facts(REF)).parents).toEqual([ours, theirs]);
    expect(Object.keys(await place.origin.refs())).not.toContain("refs/heads/assay/session/issue-7");
  });

  it("drops a session that is too large", async () => {
    expect(value(await save("x".repeat(MAX_SESSION_BYTES + 1)))).toBeNull();
    expect(place.server.updates).toEqual([]);
  });

  it.each(
    everyNth(
      [
        ["no such file", {"session.jsonl": "x\n"}],
        ["broken JSON", {"session.jsonl": "x\n", "meta.json": "{"}],
        [
          "another schema",
          {"session.jsonl": "x\n", "meta.json": '{"schema":"assay.session/2","agent":"pi","issue":7,"run":"r"}'},
        ],
        ["a link", {"session.jsonl": {mode: "120000", content: "/etc/passwd"} as const, "meta.json": "{}"}],
      ],
      2,
    ),
  )("starts anew where the ref holds %s", async (_, files) => {
    const commit = await commitOnRef(files);
    expect(value(await loadSession({repository: place.repository, issue: 7, commit, agent: "pi"}))).toBeNull();
  });

  it("says so when the server refuses", async () => {
    await place.origin.refusePushes("*");
    expect(await save("x\n")).toMatchObject({ok: false, failure: {kind: "push-refused"}});
  });
});
