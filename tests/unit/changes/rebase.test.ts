/** A candidate moves to another base by plumbing, with or without conflicts, and without any history. */
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {rebase} from "../../../src/changes/rebase.ts";
import type {Candidate} from "../../../src/record/verification.ts";
import {makePlace, type Place, value, write} from "./place.ts";

let place: Place;
let candidate: Candidate;

beforeAll(async () => {
  place = await makePlace({files: {"a.ts": "1\n2\n3\n4\n5\n", "b.ts": "b\n", "c.ts": "c\n"}});
  const folder = join(place.folder, "work");
  value(await place.repository.checkOut({commit: place.base, folder}));
  await write(folder, {"a.ts": "1\n2\n3\n4\nfive\n", "c.ts": null, "new.ts": "new\n"});
  candidate = value(await makeCandidate({repository: place.repository, folder, base: place.base})).candidate;
});
afterAll(() => place[Symbol.asyncDispose]());

async function onto(files: Record<string, string | null>) {
  const {repository, origin, base} = place;
  await origin.setRef("refs/heads/other", base);
  const commit = await origin.commit({branch: "other", files});
  value(await repository.fetch(commit));
  return {commit, rebased: value(await rebase({repository, candidate, onto: commit}))};
}

test("what others changed and what the candidate changed are both there", async () => {
  const {commit, rebased} = await onto({"a.ts": "one\n2\n3\n4\n5\n", "d.ts": "d\n"});
  expect(rebased.conflicts).toEqual([]);
  expect(rebased.candidate.base).toBe(commit);
  const {repository} = place;
  const read = async (path: string) =>
    value(await repository.readText(rebased.candidate.commit, path, {maxBytes: 1_000}));
  expect(await read("a.ts")).toBe("one\n2\n3\n4\nfive\n");
  expect(await read("c.ts")).toBeNull();
  expect(await read("d.ts")).toBe("d\n");
  const changes = value(await repository.changes(commit, rebased.candidate.commit));
  expect(changes.map(({path}) => path)).toEqual(["a.ts", "c.ts", "new.ts"]);
});

test("files in conflict are named, and have markers", async () => {
  const {rebased} = await onto({"a.ts": "1\n2\n3\n4\nFIVE\n"});
  expect(rebased.conflicts).toEqual(["a.ts"]);
  const text = await place.repository.readText(rebased.candidate.commit, "a.ts", {maxBytes: 1_000});
  expect(value(text)).toMatch(/<<<<<<< .*\nFIVE\n=======\nfive\n>>>>>>> /);
});

test("the same base is no move, and an unknown one is refused", async () => {
  const {repository, base} = place;
  expect(value(await rebase({repository, candidate, onto: base})).candidate).toEqual(candidate);
  expect(await rebase({repository, candidate, onto: "1".repeat(40)})).toMatchObject({ok: false});
});
