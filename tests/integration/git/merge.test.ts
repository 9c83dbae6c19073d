/** Two sides of one base come together by plumbing, with or without conflicts, and without any history. */
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {type Merged, merge} from "../../../src/git/merge.ts";
import type {Candidate} from "../../../src/record/verification.ts";
import {makePlace, type Place, value, write} from "../changes/place.ts";

/** Git quotes it where it does not end names with NUL. */
const NAME = 'say "hi".md';

let place: Place;
let candidate: Candidate;

beforeAll(async () => {
  place = await makePlace({files: {"a.ts": "1\n2\n3\n4\n5\n", "b.ts": "b\n", "c.ts": "c\n"}});
  const folder = join(place.folder, "work");
  value(await place.repository.checkOut({commit: place.base, folder}));
  await write(folder, {"a.ts": "1\n2\n3\n4\nfive\n", "c.ts": null, "new.ts": "new\n", [NAME]: "ours\n"});
  candidate = value(await makeCandidate({repository: place.repository, folder, base: place.base})).candidate;
});
afterAll(() => place[Symbol.asyncDispose]());

/** With a commit of others that has no history here. */
async function mergedWith(files: Record<string, string | null>): Promise<Merged & {theirs: string}> {
  const {repository, origin, base} = place;
  await origin.setRef("refs/heads/other", base);
  const theirs = await origin.commit({branch: "other", files});
  value(await repository.fetch(theirs));
  return {theirs, ...value(await merge({repository, base, theirs, ours: candidate.tree}))};
}

const read = async (tree: string, path: string) =>
  value(await place.repository.readText(tree, path, {maxBytes: 1_000}));

test("what others changed and what the candidate changed are both there", async () => {
  const {theirs, tree, conflicts} = await mergedWith({"a.ts": "one\n2\n3\n4\n5\n", "d.ts": "d\n"});
  expect(conflicts).toEqual([]);
  expect(await read(tree, "a.ts")).toBe("one\n2\n3\n4\nfive\n");
  expect(await read(tree, "c.ts")).toBeNull();
  expect(await read(tree, "d.ts")).toBe("d\n");
  const changes = value(await place.repository.changes(theirs, tree));
  expect(changes.map(({path}) => path)).toEqual(["a.ts", "c.ts", "new.ts", NAME]);
});

test("files in conflict are named, and have markers", async () => {
  const {tree, conflicts} = await mergedWith({"a.ts": "1\n2\n3\n4\nFIVE\n"});
  expect(conflicts).toEqual(["a.ts"]);
  expect(await read(tree, "a.ts")).toMatch(/<<<<<<< .*\nFIVE\n=======\nfive\n>>>>>>> /);
});

test("a file in conflict is named as it is, also one without markers", async () => {
  const {tree, conflicts} = await mergedWith({[NAME]: "theirs\n", "c.ts": "changed\n"});
  expect(conflicts).toEqual(["c.ts", NAME]);
  expect(await read(tree, NAME)).toMatch(/<<<<<<< .*\ntheirs\n=======\nours\n>>>>>>> /);
  expect(await read(tree, "c.ts")).toBe("changed\n");
});

test("a side that is not there is refused", async () => {
  const {repository, base} = place;
  const lost = await merge({repository, base, theirs: "1".repeat(40), ours: candidate.tree});
  expect(lost).toMatchObject({ok: false, failure: {kind: "git-refused"}});
});
