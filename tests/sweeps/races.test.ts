/** Three bots and one human on one branch, in random order: what arrives was verified, and nobody's commit is lost. */
import {join} from "node:path";
import {setTimeout as pause} from "node:timers/promises";
import {expect, test} from "vitest";
import {makeCandidate} from "../../src/changes/candidate.ts";
import {makeCommit} from "../../src/publish/commit.ts";
import {deliver, MAX_PUSH_ATTEMPTS} from "../../src/publish/deliver.ts";
import {park} from "../../src/publish/park.ts";
import {makePlace, openBot, type Place, TOKEN, value, write} from "../integration/changes/place.ts";
import {git} from "../rig/git.ts";
import {isSweep} from "../sweep.ts";
import {randomFrom} from "./random.ts";

const MANY = Number(process.env["ASSAY_RACES"] ?? 1);
const BRANCH = "refs/heads/work";
const BOTS = [1, 2, 3];

/** One bot: works on what the branch was, verifies what it pushes, and parks what it cannot. Gives what was broken. */
async function bot({
  place,
  number,
  round,
  random,
  isLazy,
}: {
  place: Place;
  number: number;
  round: number;
  random: () => number;
  isLazy: boolean;
}) {
  const name = `${round}-${number}`;
  const repository = value(await openBot({folder: join(place.folder, `bot-${name}`), url: place.url, token: TOKEN}));
  const {commit: base} = value(await repository.fetch(BRANCH));
  const folder = join(place.folder, `work-${name}`);
  value(await repository.checkOut({commit: base, folder}));
  // now and then two bots write to the same file, and one has to give way
  await write(folder, {[random() < 0.2 ? `shared-${round}.txt` : `bot-${name}.txt`]: `${name}\n`});
  const {candidate} = value(await makeCandidate({repository, folder, base}));
  await pause(random() * 200);

  const verified = new Set([candidate.tree]);
  let tries = 0;
  const done = await deliver({
    repository,
    candidate,
    target: {ref: BRANCH, expect: base},
    baseRef: BRANCH,
    otherNames: [],
    make: (newest) => {
      tries += 1;
      const facts = {request: "Add a file", issue: number, run: name, verified: true, requester: null};
      return makeCommit({repository, candidate: newest, facts});
    },
    again: async (rebased) => {
      await pause(random() * 100);
      const listed = value(await repository.git(["ls-tree", "-r", "--name-only", rebased.candidate.tree]));
      if (!isLazy) verified.add(rebased.candidate.tree);
      return listed.includes(".txt");
    },
    pausesMs: [10],
  });
  const found = tries > MAX_PUSH_ATTEMPTS ? [`${name} tried ${tries} times`] : [];
  if (done.kind === "pushed") {
    const {commit, tree, parent} = done.final;
    const facts = await place.origin.facts(commit);
    if (!verified.has(facts.tree) || facts.tree !== tree) found.push(`P1: ${name} pushed a tree that was not verified`);
    if (facts.parents.join() !== parent) found.push(`P1: ${name} pushed onto ${facts.parents}`);
    return {found, commit};
  }
  const kept = await park({
    repository,
    commit: done.candidate.commit,
    tree: done.candidate.tree,
    issue: number,
    folder,
  });
  if (kept.publication?.kind !== "parked") found.push(`P8: ${name} lost its work`);
  return {found, commit: done.candidate.commit};
}

async function round({
  place,
  number,
  random,
  isLazy = false,
}: {
  place: Place;
  number: number;
  random: () => number;
  isLazy?: boolean;
}): Promise<string[]> {
  const {origin} = place;
  const theirs: string[] = [];
  const human = async () => {
    for (const count of [1, 2]) {
      await pause(random() * 250);
      const [path = ""] = random() < 0.3 ? [`shared-${number}.txt`] : [`human-${number}-${count}.txt`];
      theirs.push(await origin.commit({branch: "work", files: {[path]: `human ${number} ${count}\n`}}));
    }
  };
  const [bots] = await Promise.all([
    Promise.all(BOTS.map((one) => bot({place, number: one, round: number, random, isLazy}))),
    human(),
  ]);
  const found = bots.flatMap((one) => one.found);
  const reachable = await origin.reachable();
  for (const {commit} of bots) if (!reachable.has(commit)) found.push(`${commit} of a bot is on no branch`);
  const onBranch = (await git(origin.folder, ["rev-list", BRANCH])).split("\n");
  for (const commit of theirs) if (!onBranch.includes(commit)) found.push(`${commit} of the human is lost`);
  return found;
}

test("nothing is lost, and nothing unverified arrives", async () => {
  await using place = await makePlace({files: {"a.txt": "a\n"}});
  await place.origin.commit({branch: "work", from: "refs/heads/main", files: {"b.txt": "b\n"}});
  const random = randomFrom(Number(process.env["ASSAY_SEED"] ?? 1));
  const found: string[] = [];
  for (let number = 1; number <= MANY; number += 1) found.push(...(await round({place, number, random})));
  expect(found).toEqual([]);
  const moved = place.server.updates.filter(({ref}) => ref === BRANCH);
  expect(moved.length).toBeGreaterThan(0);
}, 3_600_000);

if (isSweep)
  test("a bot that only says that it has verified again is caught", async () => {
    await using place = await makePlace({files: {"a.txt": "a\n"}});
    await place.origin.commit({branch: "work", from: "refs/heads/main", files: {"b.txt": "b\n"}});
    const random = randomFrom(7);
    const found: string[] = [];
    for (let number = 1; number <= 5 && found.length === 0; number += 1) {
      found.push(...(await round({place, number, random, isLazy: true})));
    }
    expect(found.join("\n")).toContain("P1: ");
  });
