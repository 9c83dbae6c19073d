/** The session that is kept on a hidden ref of a real server: encrypted, alone, and without losing a race. */
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {
  isSessionOf,
  loadSession,
  MAX_SESSION_BYTES,
  saveSession,
  sealSession,
  unsealSession,
} from "../../../src/agent/store.ts";
import type {Files} from "../../rig/origin.ts";
import {sentencesIn} from "../../rig/plain-text.ts";
import {makePlace, openBot, type Place, TOKEN, value} from "../changes/place.ts";

const REF = "refs/assay/session/issue-7";
const NOW = new Date("2026-11-28T12:00:00.000Z");
const DAY_MS = 86_400_000;
const key = {name: "session-key", secret: "a-secret-of-the-owner"};
const about = {repository: "ada/shop", issue: 7, agent: "pi", run: "comment-1", savedAt: NOW.toISOString()};
const expected = {repository: "ada/shop", issue: 7, agent: "pi"};
const documentWith = (text: string, more: Partial<typeof about> = {}) =>
  sealSession({text, about: {...about, ...more}, key}) ?? "";
const read = (document: string, more: object = {}) =>
  unsealSession({document, expected, keys: [key], now: NOW, ...more});

describe("a conversation as a document", () => {
  const text = '{"say":"Nineteen owls"}\n';
  const document = documentWith(text);

  it("is read with the same key, and has none of its words", () => {
    expect(read(document)).toEqual({ok: true, value: text});
    expect(sentencesIn(Buffer.from(document), ["owls"])).toEqual([]);
    expect(sentencesIn(Buffer.from(JSON.parse(document).sealed, "base64"), ["owls"])).toEqual([]);
    expect(documentWith(text)).not.toBe(document);
  });

  it.each([
    ["other-thread", {expected: {...expected, issue: 8}}],
    ["other-thread", {expected: {...expected, repository: "eve/shop"}}],
    ["other-agent", {expected: {...expected, agent: "claude"}}],
    ["no-key", {keys: [{...key, name: "OPENAI_API_KEY"}]}],
    ["locked", {keys: [{...key, secret: "another-secret-of-the-owner"}]}],
    ["expired", {now: new Date(NOW.getTime() + 31 * DAY_MS)}],
  ])("is %s where %j", (failure, more) => {
    expect(read(document, more)).toEqual({ok: false, failure});
  });

  it("is locked when anything of it was changed, and also where what it says of itself then fits", () => {
    const parsed = JSON.parse(document);
    for (const [field, changed] of Object.entries({
      issue: 8,
      repository: "eve/shop",
      agent: "claude",
      run: "comment-2",
    })) {
      const moved = JSON.stringify({...parsed, about: {...parsed.about, [field]: changed}});
      expect(read(moved, {expected: {...expected, [field]: changed}})).toEqual({ok: false, failure: "locked"});
    }
    const later = {...parsed.about, savedAt: new Date(NOW.getTime() + DAY_MS).toISOString()};
    expect(read(JSON.stringify({...parsed, about: later}))).toEqual({ok: false, failure: "locked"});
    const bytes = Buffer.from(parsed.sealed, "base64");
    for (const at of [0, 32, 44, 60, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
      expect(read(JSON.stringify({...parsed, sealed: flipped.toString("base64")}))).toEqual({
        ok: false,
        failure: "locked",
      });
    }
    for (const length of [0, 10, 60]) {
      const cut = bytes.subarray(0, length).toString("base64");
      expect(read(JSON.stringify({...parsed, sealed: cut}))).toEqual({ok: false, failure: "locked"});
    }
  });

  it.each([
    ["nothing", ""],
    ["another version", document.replace("session/2", "session/3")],
    ["a further entry", document.replace('{"about"', '{"more":1,"about"')],
    ["no base64", JSON.stringify({...JSON.parse(document), sealed: "ä"})],
  ])("is of an unknown form: %s", (_, changed) => {
    expect(read(changed)).toEqual({ok: false, failure: "unknown-form"});
  });

  it("is of one run, and within its limit", () => {
    const run = {repository: "ada/shop", issue: 7, run: "comment-1"};
    expect(isSessionOf(document, run)).toBe(true);
    expect(isSessionOf(document, {...run, run: "comment-2"})).toBe(false);
    expect(isSessionOf('{"say":"Nineteen owls"}\n', run)).toBe(false);
    expect(sealSession({text: "x".repeat(MAX_SESSION_BYTES + 1), about, key})).toBeNull();
    const longest = "x".repeat(MAX_SESSION_BYTES);
    expect(read(documentWith(longest))).toEqual({ok: true, value: longest});
  });
});

describe("the agent's session on its ref", () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace({files: {"a.ts": "a\n"}});
  });
  afterEach(() => place[Symbol.asyncDispose]());
  const save = (text: string) => saveSession({repository: place.repository, issue: 7, document: documentWith(text)});
  /** As somebody else's push would leave it. */
  async function commitOnRef(files: Files): Promise<string> {
    const from = (await place.origin.resolve(REF)) ?? place.base;
    const commit = await place.origin.commit({branch: "scratch", from, files});
    await place.origin.setRef(REF, commit);
    return commit;
  }
  const elsewhere = async () =>
    value(await openBot({folder: join(place.folder, "another-runner"), url: place.url, token: TOKEN}));

  it("is found again on another runner by its commit, only where that is the tip of the issue's ref", async () => {
    const commit = value(await save("one\n"));
    expect(await place.origin.resolve(REF)).toBe(commit);
    const other = await elsewhere();
    expect(read(value(await loadSession({repository: other, issue: 7, commit})) ?? "")).toEqual({
      ok: true,
      value: "one\n",
    });
    expect(value(await loadSession({repository: other, issue: 8, commit}))).toBeNull();
    expect(value(await loadSession({repository: other, issue: 7, commit: place.base}))).toBeNull();
    await save("newer\n");
    expect(value(await loadSession({repository: other, issue: 7, commit}))).toBeNull();
  });

  it("replaces what was there, so that the ref has one commit, and removes a former version's branch", async () => {
    await place.origin.commit({branch: "assay/session/issue-7", files: {"session.jsonl": "theirs\n"}});
    value(await save("one\n"));
    expect(Object.keys(await place.origin.refs())).not.toContain("refs/heads/assay/session/issue-7");
    await commitOnRef({"session.jsonl": "plain\n"});
    value(await save("two\n"));
    expect((await place.origin.facts(REF)).parents).toEqual([]);
  });

  it("replaces what somebody else saved in the same moment, at most three times", async () => {
    value(await save("one\n"));
    place.server.beforeNextPush(async () => void (await commitOnRef({"session.json": "theirs\n"})));
    value(await save("mine\n"));
    expect((await place.origin.facts(REF)).parents).toEqual([]);
    let races = 0;
    const race = async () => {
      races += 1;
      await commitOnRef({"session.json": `theirs ${races}\n`});
      place.server.beforeNextPush(race);
    };
    place.server.beforeNextPush(race);
    expect(await save("mine\n")).toMatchObject({ok: false, failure: {kind: "push-lost", ref: REF}});
    expect(races).toBe(3);
  });

  it.each([
    [
      "no such file",
      {"session.jsonl": "x\n", "meta.json": '{"schema":"assay.session/1","agent":"pi","issue":7,"run":"r"}'},
    ],
    ["a link", {"session.json": {mode: "120000", content: "/etc/passwd"} as const}],
  ])("has an unknown form where the ref holds %s", async (_, files) => {
    const commit = await commitOnRef(files);
    const document = value(await loadSession({repository: place.repository, issue: 7, commit})) ?? "none";
    expect(read(document)).toEqual({ok: false, failure: "unknown-form"});
  });

  it("says so when the server refuses", async () => {
    await place.origin.refusePushes("*");
    expect(await save("x\n")).toMatchObject({ok: false, failure: {kind: "push-refused"}});
  });
});
