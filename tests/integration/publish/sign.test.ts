/** Commits that GitHub makes: the same tree, parent and message as the bot's own, or none, and nothing left on the server. */
import {afterAll, beforeAll, expect, it} from "vitest";
import {push} from "../../../src/git/push.ts";
import {connect} from "../../../src/github/client.ts";
import {type FinalCommit, makeCommit} from "../../../src/publish/commit.ts";
import {clearSigning, signCommit, signingRef} from "../../../src/publish/sign.ts";
import {git, gitBytes} from "../../rig/git.ts";
import {BOT} from "../../rig/github/people.ts";
import {type GitHub, startGitHub} from "../../rig/github.ts";
import type {Files} from "../../rig/origin.ts";
import {everyNth} from "../../sweep.ts";
import {makePlace, type Place, value} from "../changes/place.ts";

const REF = signingRef("comment-1:2");
const BYTES = Buffer.from([0, 255, 10, 13, 10, 128, 0, 10]);
const facts = {request: "Change it", issue: 7, run: "r1", verified: true, requester: {login: "will", id: 5}};

let place: Place;
let github: GitHub;
let count = 0;
beforeAll(async () => {
  const program = {mode: "100755", content: "run\n"} as const;
  place = await makePlace({
    files: {"a.txt": "a\n", "old/gone.txt": "gone\n", "run.sh": program, ".gitattributes": "*.txt eol=crlf\n"},
  });
  github = await startGitHub({origin: place.origin});
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** What the bot would push without a signature: other people's way to make the tree, the product's way to make the commit. */
async function unsignedOf(files: Files): Promise<FinalCommit> {
  const {repository, origin, base} = place;
  count += 1;
  const branch = `tree-${count}`;
  await git(origin.folder, ["branch", branch, base]);
  const {commit, tree} = value(await repository.fetch(await origin.commit({branch, files})));
  return value(await makeCommit({repository, candidate: {commit, tree, base}, facts}));
}

async function sign(unsigned: FinalCommit) {
  const {repository, origin} = place;
  const quick = {tryMs: 2_000, callMs: 4_000, backoffMs: 10};
  const connection = {token: github.tokenOf(BOT), apiUrl: github.url, repository: origin.name, log: () => {}};
  const {createSignedCommit: createCommit} = connect({...connection, patience: quick});
  const signed = await signCommit({repository, unsigned, ref: REF, createCommit});
  expect(Object.keys(await origin.refs())).not.toContain(REF);
  expect(github.invalid).toEqual([]);
  return signed;
}

it("has the very tree, bytes and all, and goes where the bot's own would", async () => {
  const unsigned = await unsignedOf({
    "a.txt": "a\r\nb\n",
    "old/gone.txt": null,
    'new ü/it\'s "here".bin': BYTES,
    "empty.txt": "",
    "copy.txt": "a\r\nb\n",
  });
  const signed = value(await sign(unsigned));
  expect(signed).toEqual({...unsigned, commit: signed.commit, signed: true});
  expect(signed.commit).not.toBe(unsigned.commit);
  const {origin, repository, base} = place;
  const ref = `refs/heads/signed-${count}`;
  await origin.setRef(ref, base);
  expect(await push({repository, commit: signed.commit, ref, expect: base})).toEqual({kind: "pushed"});
  expect(await gitBytes(origin.folder, ["cat-file", "blob", `${ref}:new ü/it's "here".bin`])).toEqual(BYTES);
  const told = await origin.facts(ref);
  expect(told).toMatchObject({tree: unsigned.tree, parents: [base], committer: "GitHub <noreply@github.com>"});
  expect(told.message.trim()).toBe(
    (await git(repository.folder, ["show", "-s", "--format=%B", unsigned.commit])).trim(),
  );
});

it.each([
  {name: "another tree", lie: "other-tree", message: "was verified"},
  {name: "no signature, though GitHub says so", lie: "unsigned", message: "not signed"},
] as const)("is none where GitHub gives $name", async ({lie, message}) => {
  github.fault({path: /^\/graphql$/, does: {kind: "lie", lie}});
  const signed = await sign(await unsignedOf({"a.txt": `${lie}\n`}));
  expect(signed).toMatchObject({failure: {kind: "signing-refused", message: expect.stringContaining(message)}});
});

it.each<{name: string; files: Files}>(
  everyNth(
    [
      {name: "a new program", files: {"odd.sh": {mode: "100755", content: "x\n"}}},
      {name: "a program that was none", files: {"a.txt": {mode: "100755", content: "a\n"}}},
      {name: "a program that is none any more", files: {"run.sh": "run\n"}},
      {name: "a link", files: {"odd.txt": {mode: "120000", content: "a.txt"}}},
    ],
    2,
  ),
)("is not asked for where GitHub could not make it: $name", async ({files}) => {
  const before = github.requests.length;
  const message = expect.stringContaining(Object.keys(files)[0] ?? "");
  expect(await sign(await unsignedOf(files))).toMatchObject({failure: {kind: "signing-refused", message}});
  expect(github.requests).toHaveLength(before);
});

it("is none where GitHub changes the mode of a program that is only edited", async () => {
  const signed = await sign(await unsignedOf({"run.sh": {mode: "100755", content: "run faster\n"}}));
  expect(signed).toMatchObject({failure: {kind: "signing-refused", message: expect.stringContaining("tree")}});
});

it("is found where only the answer was lost: asked for again, it is refused, as its head is another one now", async () => {
  github.fault({path: /^\/graphql$/, does: {kind: "answer-lost"}});
  const before = github.requests.length;
  expect(value(await sign(await unsignedOf({"a.txt": "lost\n"}))).signed).toBe(true);
  expect(github.requests.slice(before).map(({status}) => status)).toEqual([502, 200]);
});

it("is asked for again where the request was lost", async () => {
  github.fault({path: /^\/graphql$/, does: {kind: "drop"}});
  expect(value(await sign(await unsignedOf({"a.txt": "again\n"}))).signed).toBe(true);
});

it("is GitHub's refusal where it says no, or does not answer", async () => {
  github.fault({path: /^\/graphql$/, does: {kind: "status", status: 403}});
  const unsigned = await unsignedOf({"a.txt": "no\n"});
  expect(await sign(unsigned)).toMatchObject({failure: {kind: "github-refused", status: 403}});
  const data = {data: {createCommitOnBranch: null}, errors: [{message: "A rule says no\nat length", type: "X"}]};
  github.fault({path: /^\/graphql$/, does: {kind: "status", status: 200, body: JSON.stringify(data)}});
  expect(await sign(unsigned)).toMatchObject({failure: {kind: "github-refused", message: "A rule says no"}});
  const end = github.fault({path: /^\/graphql$/, times: 9, does: {kind: "drop"}});
  expect(await sign(unsigned)).toMatchObject({failure: {kind: "github-refused", status: 0}});
  end();
});

it("begins anew on the branch that a killed run has left", async () => {
  const {origin, repository, base} = place;
  await origin.setRef(REF, await origin.commit({branch: "left", from: base, files: {"left.txt": "x\n"}}));
  expect(value(await sign(await unsignedOf({"a.txt": "anew\n"}))).signed).toBe(true);
  await origin.setRef(REF, base);
  value(await clearSigning({repository, ref: REF}));
  expect(Object.keys(await origin.refs())).not.toContain(REF);
});

it("is none where no branch can be made for it", async () => {
  const {origin} = place;
  const unsigned = await unsignedOf({"a.txt": "refused\n"});
  await origin.refusePushes("refs/heads/assay/signing/*", "no such branches here");
  const signed = await sign(unsigned).finally(() => origin.refusePushes(null));
  const message = expect.stringContaining("no such branches");
  expect(signed).toMatchObject({failure: {kind: "push-refused", ref: REF, message}});
});

it("stands on the base also where no branch has that for its tip any more", async () => {
  const {origin, base} = place;
  expect(await origin.commit({files: {"b.txt": "moved\n"}})).not.toBe(base);
  expect(value(await sign(await unsignedOf({"a.txt": "older\n"}))).parent).toBe(base);
});
