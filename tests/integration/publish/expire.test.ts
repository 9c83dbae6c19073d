/** Which parked branches go after 7 or 30 days, and which never do. */
import {afterAll, beforeAll, expect, test} from "vitest";
import {expireRefs} from "../../../src/publish/expire.ts";
import {makePlace, type Place, value} from "../changes/place.ts";

const BOT = "bot@example.com";
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const trailer = "Parked\n\nAssay-Run: comment-1\n";
let place: Place;

beforeAll(async () => {
  place = await makePlace({files: {"a.ts": "a\n"}});
  const {origin} = place;
  const made = (branch: string, author: string, message: string) =>
    origin.commit({branch, from: "refs/heads/main", files: {"a.ts": `${branch}\n`}, message, author});
  await made("assay/parked/issue-7", `Bot <${BOT}>`, trailer);
  await made("assay/parked/issue-7-2", `Bot <${BOT}>`, trailer);
  await made("assay/parked/issue-8", `Bot <${BOT}>`, trailer);
  await made("assay/parked/issue-8", "Ada <ada@example.com>", "On top of it\n");
  await made("assay/parked/issue-9", "Ada <ada@example.com>", trailer);
  await made("assay/parked/issue-10", `Bot <${BOT}>`, "No trailer\n");
  await made("assay/parked/mine", `Bot <${BOT}>`, trailer);
  await made("assay/issue-7", `Bot <${BOT}>`, trailer);
  await origin.setRef("refs/assay/parked/issue-12", await made("scratch", `Bot <${BOT}>`, trailer));
  const ofTry = await made("scratch-2", `Bot <${BOT}>`, `${trailer}Assay-Try: 2\n`);
  await origin.setRef("refs/assay/parked/issue-12-2", ofTry);
  const claimed = await made("scratch-3", `Bot <${BOT}>`, `Assay-Try: 2\n\n${trailer}`);
  await origin.setRef("refs/assay/parked/issue-13", claimed);
});
afterAll(() => place[Symbol.asyncDispose]());

async function expired(now: Date, spare: string | null = null, used = ""): Promise<string[]> {
  const isInUse = async (branch: string) => {
    expect(branch).not.toMatch(/^refs/);
    return branch === used;
  };
  const before = Object.keys(await place.origin.refs());
  const said = Object.values(
    value(await expireRefs({repository: place.repository, botEmail: BOT, now, spare, isInUse})),
  ).flat();
  const after = Object.keys(await place.origin.refs());
  expect(before.filter((ref) => !after.includes(ref)).sort()).toEqual([...said].sort());
  return said;
}

test("tries that were not chosen go after a week, and no other work whose subject says so", async () => {
  expect(await expired(inDays(6))).toEqual([]);
  expect(await expired(inDays(8))).toEqual(["refs/assay/parked/issue-12-2"]);
});

test("only old ones, only the bot's, and not what is in use", async () => {
  expect(await expired(inDays(29))).toEqual([]);
  const spare = await place.origin.resolve("refs/heads/assay/parked/issue-7");
  const first = ["refs/assay/parked/issue-12", "refs/assay/parked/issue-13", "refs/heads/assay/parked/issue-7-2"];
  expect((await expired(inDays(31), spare)).sort()).toEqual(first);
  expect(await expired(inDays(31), null, "assay/parked/issue-7")).toEqual([]);
  expect(await expired(inDays(31))).toEqual(["refs/heads/assay/parked/issue-7"]);
  expect(await expired(inDays(400))).toEqual([]);
});

test("conversations go when they are old, and at any age where they are not encrypted", async () => {
  const {origin} = place;
  const made = async (ref: string, name: string) => {
    const commit = await origin.commit({
      branch: `made/${ref}`,
      from: "refs/heads/main",
      files: {[name]: `${ref}\n`},
    });
    await origin.setRef(ref, commit);
    return ref;
  };
  const plain = await made("refs/assay/session/issue-1", "session.jsonl");
  const branch = await made("refs/heads/assay/session/issue-2", "session.jsonl");
  const sealed = await made("refs/assay/session/issue-3", "session.json");
  await made("refs/heads/assay/session/issue-4", "work-of-a-person.ts");
  await made("refs/assay/session/mine", "session.jsonl");
  expect((await expired(inDays(29))).sort()).toEqual([plain, branch]);
  expect(await expired(inDays(31))).toEqual([sealed]);
});

test("a server that does not let go is no deletion", async () => {
  const {origin} = place;
  await origin.commit({
    branch: "assay/parked/issue-11",
    files: {"a.ts": "x\n"},
    message: trailer,
    author: `B <${BOT}>`,
  });
  await origin.refusePushes("refs/heads/assay/*");
  expect(await expired(inDays(31))).toEqual([]);
});
