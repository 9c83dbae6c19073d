/** Several pushers on one branch: what arrives was verified as it arrived, nobody's commit is lost, and every try is counted. */
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import type {Repository} from "../../../src/git/repository.ts";
import {makeCommit} from "../../../src/publish/commit.ts";
import {type Delivery, deliver} from "../../../src/publish/deliver.ts";
import type {Rebased} from "../../../src/publish/rebase.ts";
import type {Candidate} from "../../../src/record/verification.ts";
import {git} from "../../rig/git.ts";
import {makePlace, type Place, value, write} from "../changes/place.ts";

const MAIN = "refs/heads/main";
const ISSUE = "refs/heads/assay/issue-7";
const facts = {request: "Add b", issue: 7, run: "r1", verified: true, requester: null};
const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

let place: Place;
beforeEach(async () => {
  place = await makePlace({files: {"a.txt": LINES, "old.txt": "old\n"}});
});
afterEach(() => place[Symbol.asyncDispose]());

async function candidateOf(files: Readonly<Record<string, string | null>>): Promise<Candidate> {
  const {repository, base} = place;
  const folder = join(place.folder, "work");
  value(await repository.checkOut({commit: base, folder}));
  await write(folder, files);
  return value(await makeCandidate({repository, folder, base})).candidate;
}

/** A gate that reads the very tree from the objects and remembers it: what is pushed must be among `seen`. */
function gate(repository: Repository, seen: string[]) {
  return async ({candidate}: Rebased) => {
    const {tree} = value(await repository.fetch(candidate.commit));
    const names = value(await repository.git(["ls-tree", "-r", "--name-only", tree]));
    seen.push(tree);
    return !names.includes("bad.txt");
  };
}

function delivery(candidate: Candidate, more: Partial<Delivery> = {}): Delivery {
  const {repository, base} = place;
  return {
    repository,
    candidate,
    target: {ref: MAIN, expect: base},
    baseRef: MAIN,
    otherNames: [],
    make: (newest) => makeCommit({repository, candidate: newest, facts}),
    again: gate(repository, []),
    pausesMs: [10],
    ...more,
  };
}

describe("a branch that moved", () => {
  it("gets the change on top, verified again, and keeps what others pushed", async () => {
    const candidate = await candidateOf({"a.txt": LINES.replace("one", "ONE"), "old.txt": null});
    const theirs = await place.origin.commit({files: {"a.txt": LINES.replace("seven", "SEVEN"), "new.txt": "n\n"}});
    const seen: string[] = [];
    const done = await deliver(delivery(candidate, {again: gate(place.repository, seen)}));
    expect(done.kind).toBe("pushed");
    const facts = await place.origin.facts(MAIN);
    expect(facts.parents).toEqual([theirs]);
    expect(seen).toEqual([facts.tree]);
    expect(facts.message).toContain(`Assay-Base: ${theirs}`);
    expect(await place.origin.read(MAIN, "a.txt")).toBe(LINES.replace("one", "ONE").replace("seven", "SEVEN"));
    expect(Object.keys(await place.origin.tree(MAIN)).sort()).toEqual(["a.txt", "new.txt"]);
  });

  it("gets it also where the branch was rewritten", async () => {
    const candidate = await candidateOf({"b.txt": "b\n"});
    const other = await place.origin.commit({branch: "other", files: {"rewritten.txt": "r\n"}});
    await place.origin.setRef(MAIN, other);
    expect((await deliver(delivery(candidate))).kind).toBe("pushed");
    expect((await place.origin.facts(MAIN)).parents).toEqual([other]);
  });

  it("is the base of a new branch, and has left the server: the change is verified again on its newest commit", async () => {
    const {repository, origin, base} = place;
    const mistake = await origin.commit({files: {"customers.csv": "name\n"}});
    value(await repository.fetch(mistake));
    const folder = join(place.folder, "on-mistake");
    value(await repository.checkOut({commit: mistake, folder}));
    await write(folder, {"b.txt": "b\n"});
    const {candidate} = value(await makeCandidate({repository, folder, base: mistake}));
    await origin.setRef(MAIN, base);
    const wanted = {target: {ref: ISSUE, expect: null}, otherNames: [ISSUE]};
    const refused = await deliver(delivery(candidate, {...wanted, again: null}));
    expect(refused).toMatchObject({
      kind: "refused",
      failure: {kind: "push-lost", message: expect.stringContaining("force-pushed")},
    });
    const seen: string[] = [];
    const done = await deliver(delivery(candidate, {...wanted, again: gate(repository, seen)}));
    expect(done).toMatchObject({kind: "pushed", ref: ISSUE, final: {parent: base}});
    expect(seen).toEqual([(await origin.facts(ISSUE)).tree]);
    expect(Object.keys(await origin.tree(ISSUE)).sort()).toEqual(["a.txt", "b.txt", "old.txt"]);
  });

  it("is left alone where the gate says no to the two together", async () => {
    const candidate = await candidateOf({"b.txt": "b\n"});
    const theirs = await place.origin.commit({files: {"bad.txt": "b\n"}});
    const done = await deliver(delivery(candidate));
    expect(done).toMatchObject({kind: "kept-back", candidate: {base: theirs}});
    expect(await place.origin.resolve(MAIN)).toBe(theirs);
  });

  it("is left alone where nothing can be verified again", async () => {
    const candidate = await candidateOf({"b.txt": "b\n"});
    const theirs = await place.origin.commit({files: {"c.txt": "c\n"}});
    const done = await deliver(delivery(candidate, {again: null}));
    expect(done).toMatchObject({kind: "refused", failure: {kind: "push-lost"}, candidate});
    expect(await place.origin.resolve(MAIN)).toBe(theirs);
  });

  it("names the files where both changed the same lines", async () => {
    const candidate = await candidateOf({"a.txt": LINES.replace("one", "ONE")});
    const theirs = await place.origin.commit({files: {"a.txt": LINES.replace("one", "uno")}});
    const done = await deliver(delivery(candidate));
    expect(done).toMatchObject({
      kind: "refused",
      failure: {kind: "push-lost", message: expect.stringContaining("a.txt")},
    });
    expect(await place.origin.resolve(MAIN)).toBe(theirs);
  });

  it("needs no second commit where it has the same already", async () => {
    const candidate = await candidateOf({"b.txt": "b\n"});
    await place.origin.commit({files: {"b.txt": "b\n"}});
    const done = await deliver(delivery(candidate));
    expect(done).toMatchObject({
      kind: "refused",
      failure: {message: expect.stringContaining("already has the same changes")},
    });
  });

  it("is tried three times, no more, and then left to the others", async () => {
    const candidate = await candidateOf({"b.txt": "b\n"});
    let count = 0;
    const faster = async () => {
      count += 1;
      await place.origin.commit({files: {[`faster-${count}.txt`]: "f\n"}});
      place.server.beforeNextPush(faster);
    };
    place.server.beforeNextPush(faster);
    const seen: string[] = [];
    const done = await deliver(delivery(candidate, {again: gate(place.repository, seen)}));
    expect(done).toMatchObject({kind: "refused", failure: {message: expect.stringContaining("3 times in a row")}});
    expect([count, seen.length]).toEqual([3, 2]);
    expect(Object.keys(await place.origin.tree(MAIN))).toContain("faster-3.txt");
  });

  it("that was deleted is not made again", async () => {
    await place.origin.setRef(ISSUE, place.base);
    const candidate = await candidateOf({"b.txt": "b\n"});
    await git(place.origin.folder, ["update-ref", "-d", ISSUE]);
    const done = await deliver(delivery(candidate, {target: {ref: ISSUE, expect: place.base}}));
    expect(done).toMatchObject({kind: "refused", failure: {message: expect.stringContaining("it is gone")}});
    expect(await place.origin.resolve(ISSUE)).toBeNull();
  });

  it("that is not the target does not matter", async () => {
    const candidate = await candidateOf({"b.txt": "b\n"});
    await place.origin.commit({files: {"c.txt": "c\n"}});
    const seen: string[] = [];
    const target = {ref: ISSUE, expect: null};
    expect((await deliver(delivery(candidate, {target, again: gate(place.repository, seen)}))).kind).toBe("pushed");
    expect(seen).toEqual([]);
  });
});

it("leaves a name that somebody took, and pushes the verified commit under the next", async () => {
  const candidate = await candidateOf({"b.txt": "b\n"});
  const theirs = await place.origin.commit({branch: "assay/issue-7", from: MAIN, files: {"c.txt": "c\n"}});
  const done = await deliver(
    delivery(candidate, {target: {ref: ISSUE, expect: null}, otherNames: [ISSUE, `${ISSUE}-2`]}),
  );
  expect(done).toMatchObject({kind: "pushed", ref: `${ISSUE}-2`, final: {tree: candidate.tree}});
  expect(await place.origin.resolve(ISSUE)).toBe(theirs);
});

const REFUSALS = [
  ["GH006: Protected branch update failed", "the branch is protected"],
  ["GH013: Repository rule violations found", "the branch is protected"],
  ["GH001: Large files detected. File big.bin is 120 MB", "larger than the server takes"],
  [
    "refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without `workflows` permission",
    "may not change workflow files",
  ],
  ["Permission to ada/shop.git denied to github-actions[bot]", "may only read"],
  ["This repository is archived", "may only read"],
] as const;

it("asks a server that refuses once, and gives its reason a sentence", async () => {
  const candidate = await candidateOf({"b.txt": "b\n"});
  for (const [words, sentence] of REFUSALS) {
    await place.origin.refusePushes("*", words);
    const before = place.server.requests.length;
    const done = await deliver(delivery(candidate));
    const message = expect.stringContaining(sentence);
    expect(done).toMatchObject({kind: "refused", failure: {kind: "push-refused", message}, candidate});
    const posts = place.server.requests
      .slice(before)
      .filter(({method, path}) => method === "POST" && path.endsWith("receive-pack"));
    expect(posts, words).toHaveLength(1);
  }
});
