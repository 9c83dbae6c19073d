/** The final commit and its push to a real server: to the id, or not at all. */
import {existsSync} from "node:fs";
import {chmod, mkdir, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {push, pushFailure} from "../../../src/git/push.ts";
import {makeCommit} from "../../../src/publish/commit.ts";
import {isParkedWork, park, parkedRefs} from "../../../src/publish/park.ts";
import type {Candidate} from "../../../src/record/verification.ts";
import {findParkedCommit} from "../../../src/run/find-published.ts";
import {git} from "../../rig/git.ts";
import {someOf} from "../../sweep.ts";
import {filesWith, makePlace, openBot, type Place, TOKEN, value, write} from "../changes/place.ts";

const REF = "refs/heads/assay/issue-7";
const pausesMs = [10, 10];
const facts = {request: "Add b", issue: 7, run: "r1", verified: true, requester: null};

let place: Place;
let candidate: Candidate;

beforeEach(async () => {
  place = await makePlace({files: {"a.ts": "a\n", ".github/workflows/ci.yml": "on: push\n"}});
  candidate = await nextCandidate("b\n");
});
afterEach(() => place[Symbol.asyncDispose]());

async function nextCandidate(text: string): Promise<Candidate> {
  const {repository, base} = place;
  const folder = join(place.folder, "work");
  if (!existsSync(folder)) value(await repository.checkOut({commit: base, folder}));
  await write(folder, {"b.ts": text});
  return value(await makeCandidate({repository, folder, base})).candidate;
}

describe("makeCommit", () => {
  it("pushes the candidate's tree on the candidate's base, to the id (P1)", async () => {
    const {repository, origin, base} = place;
    const final = value(await makeCommit({repository, candidate, facts}));
    expect(await push({repository, commit: final.commit, ref: REF, expect: null})).toEqual({kind: "pushed"});
    const seen = await origin.facts(REF);
    expect(seen).toMatchObject({commit: final.commit, tree: candidate.tree, parents: [base]});
    expect(seen.message).toContain(`Assay-Verified-Tree: ${candidate.tree}`);
    expect(seen.author).toBe(seen.committer);
  });

  it("refuses a candidate that is not the one in the repository", async () => {
    const {repository, base} = place;
    const other = (await place.origin.facts(base)).tree;
    for (const wrong of [{tree: other}, {base: candidate.commit}, {commit: base}]) {
      const made = await makeCommit({repository, candidate: {...candidate, ...wrong}, facts});
      expect(made).toMatchObject({ok: false, failure: {kind: "internal"}});
    }
  });
});

describe("push", () => {
  it("creates a ref only where there is none", async () => {
    const {repository, origin, base} = place;
    const theirs = await origin.commit({branch: "assay/issue-7", from: base, files: {"c.ts": "c\n"}});
    const pushed = await push({repository, commit: candidate.commit, ref: REF, expect: null, pausesMs});
    expect(pushed).toEqual({kind: "lost", at: theirs});
    expect(await origin.resolve(REF)).toBe(theirs);
    expect(pushFailure(REF, pushed)).toMatchObject({kind: "push-lost", ref: REF});
  });

  it("moves a ref forward from where it was expected, and loses the race otherwise", async () => {
    const {repository, origin, base} = place;
    expect(await push({repository, commit: candidate.commit, ref: "refs/heads/main", expect: base})).toEqual({
      kind: "pushed",
    });
    await origin.setRef("refs/heads/main", base);
    let theirs = "";
    place.server.beforeNextPush(async () => {
      theirs = await origin.commit({files: {"faster.ts": "f\n"}});
    });
    const pushed = await push({repository, commit: candidate.commit, ref: "refs/heads/main", expect: base, pausesMs});
    expect(pushed).toEqual({kind: "lost", at: theirs});
    expect(await origin.resolve("refs/heads/main")).toBe(theirs);
  });

  it("says that the ref is gone when somebody deleted it", async () => {
    const {repository, origin, base} = place;
    await origin.setRef(REF, base);
    await git(origin.folder, ["update-ref", "-d", REF]);
    const pushed = await push({repository, commit: candidate.commit, ref: REF, expect: base, pausesMs});
    expect(pushed).toEqual({kind: "lost", at: null});
  });

  it("never forces, even where the lease would hold", async () => {
    const {repository, origin, base} = place;
    const theirs = await origin.commit({branch: "assay/issue-7", from: base, files: {"c.ts": "c\n"}});
    value(await repository.fetch(theirs));
    const pushed = await push({repository, commit: candidate.commit, ref: REF, expect: theirs, pausesMs});
    expect(pushed).toMatchObject({kind: "refused", message: expect.stringContaining("forced")});
    expect(await origin.resolve(REF)).toBe(theirs);
    expect(place.server.updates).toEqual([]);
  });

  it("carries the words of a server that refuses, cleaned", async () => {
    const {repository, origin} = place;
    await origin.refusePushes("*", "Changes must be made\u001b[31m through a pull request.");
    const pushed = await push({repository, commit: candidate.commit, ref: REF, expect: null, pausesMs});
    expect(pushed).toMatchObject({kind: "refused", message: expect.stringContaining("through a pull request.")});
    expect(JSON.stringify(pushed)).not.toContain("\\u001b");
    expect(pushFailure(REF, pushed)).toMatchObject({kind: "push-refused", ref: REF});
    const posts = place.server.requests.filter(({method, path}) => method === "POST" && path.endsWith("receive-pack"));
    expect(posts).toHaveLength(1);
  });

  it("takes a token that may only read for a refusal, and shows nothing of it", async () => {
    const bot = value(await openBot({folder: join(place.folder, "reader"), url: place.url, token: "readOnly"}));
    value(await bot.fetch(place.base));
    const pushed = await push({repository: bot, commit: place.base, ref: REF, expect: null, pausesMs});
    expect(pushed.kind).toBe("refused");
    expect(JSON.stringify(pushed)).not.toContain("readOnly");
  });

  it("is pushed when only the answer was lost", async () => {
    const {repository, origin} = place;
    const hook = join(origin.folder, "hooks", "post-receive");
    await mkdir(join(origin.folder, "hooks"), {recursive: true});
    await writeFile(hook, "#!/bin/sh\nkill -9 $PPID\n");
    await chmod(hook, 0o755);
    const pushed = await push({repository, commit: candidate.commit, ref: REF, expect: null, pausesMs});
    expect(pushed).toEqual({kind: "pushed"});
    expect(await origin.resolve(REF)).toBe(candidate.commit);
  });

  it("is pushed a second time without harm", async () => {
    const {repository} = place;
    const once = await push({repository, commit: candidate.commit, ref: REF, expect: null, pausesMs});
    expect([once, await push({repository, commit: candidate.commit, ref: REF, expect: null, pausesMs})]).toEqual([
      {kind: "pushed"},
      {kind: "pushed"},
    ]);
    expect(place.server.updates).toHaveLength(1);
  });

  it("gives up on a server that is not there", async () => {
    const {repository} = place;
    await place.server[Symbol.asyncDispose]();
    const pushed = await push({repository, commit: candidate.commit, ref: REF, expect: null, pausesMs});
    expect(pushed.kind).toBe("unreachable");
    expect(pushFailure(REF, pushed)).toMatchObject({kind: "git-refused"});
  });

  it("refuses what is no name of a ref", async () => {
    const {repository, server} = place;
    for (const ref of ["main", "refs/heads/a b", "refs/heads/-x..y", "--mirror", "refs/heads/a:refs/heads/main"]) {
      const pushed = await push({repository, commit: candidate.commit, ref, expect: null, pausesMs});
      expect([ref, pushed.kind]).toEqual([ref, "refused"]);
    }
    expect(server.updates).toEqual([]);
  });
});

describe("park", () => {
  const parkIt = (commit: Candidate) =>
    park({
      repository: place.repository,
      commit: commit.commit,
      tree: commit.tree,
      issue: 7,
      folder: join(place.folder, "kept"),
      pausesMs,
    });

  it("takes the next free name and never moves a parked branch", async () => {
    const {origin} = place;
    expect(await parkIt(candidate)).toMatchObject({
      publication: {ref: "refs/heads/assay/parked/issue-7"},
      problem: null,
    });
    expect((await parkIt(candidate)).publication?.ref).toBe("refs/heads/assay/parked/issue-7");
    const second = await nextCandidate("other\n");
    expect((await parkIt(second)).publication).toEqual({
      kind: "parked",
      ref: "refs/heads/assay/parked/issue-7-2",
      commit: second.commit,
      tree: second.tree,
    });
    expect(await origin.resolve("refs/heads/assay/parked/issue-7")).toBe(candidate.commit);
  });

  it("takes the commit's own id for a name when all numbers are taken", async () => {
    const {origin, base} = place;
    const first = "refs/heads/assay/parked/issue-7";
    for (let number = 1; number <= 20; number += 1) {
      await origin.setRef(number === 1 ? first : `${first}-${number}`, base);
    }
    const ref = `${first}-${candidate.commit}`;
    expect(await parkIt(candidate)).toMatchObject({publication: {kind: "parked", ref}, problem: null});
  });

  it.each(
    someOf([
      ["a ruleset", "GH013: Repository rule violations found for refs/heads/assay/parked/issue-7."],
      ["branch protection", "GH006: Protected branch update failed."],
      ["a hook of the server", "Branches are called feature/NAME here."],
    ]),
  )("parks on a hidden ref where %s refuses the branch, and finds it there", async (_, words) => {
    const {origin, repository} = place;
    const made = value(await makeCommit({repository, candidate, facts}));
    const first = "refs/assay/parked/issue-7";
    await origin.setRef(first, place.base);
    await origin.refusePushes("refs/heads/*", words);
    const {publication, problem} = await parkIt({...candidate, commit: made.commit});
    expect({publication, problem}).toMatchObject({publication: {kind: "parked", ref: `${first}-2`}, problem: null});
    expect(await isParkedWork({repository, commit: made.commit, issue: 7})).toMatchObject({value: true});
    expect(await isParkedWork({repository, commit: made.commit, issue: 77})).toMatchObject({value: false});
    expect(await isParkedWork({repository, commit: place.base, issue: 7})).toMatchObject({value: false});
    const refs = value(await parkedRefs({repository, issue: 7})).map(({ref}) => ref);
    expect(refs.sort()).toEqual([first, `${first}-2`]);
  });

  it.each(["*/main", "refs/heads/*"])(
    "parks on a copy of a base that no ref reaches, also where %s is refused",
    async (refused) => {
      const {origin, repository, base} = place;
      const mistake = await origin.commit({files: {"customers.csv": "name\n"}});
      value(await repository.fetch(mistake));
      const folder = join(place.folder, "on-mistake");
      value(await repository.checkOut({commit: mistake, folder}));
      await write(folder, {"b.ts": "b\n"});
      const onMistake = value(await makeCandidate({repository, folder, base: mistake})).candidate;
      const made = value(await makeCommit({repository, candidate: onMistake, facts}));
      await origin.setRef("refs/heads/main", base);
      await origin.refusePushes(refused);
      const {publication, problem} = await parkIt({...onMistake, commit: made.commit});
      expect({publication, problem}).toMatchObject({
        publication: {kind: "parked", tree: onMistake.tree},
        problem: null,
      });
      if (publication?.kind !== "parked") return;
      const {parents, message, tree} = await origin.facts(publication.ref);
      expect(tree).toBe(onMistake.tree);
      expect(message).toContain(`\nAssay-Base: ${mistake}\n`);
      // the difference is the change, and nothing else
      const diff = await git(origin.folder, ["diff", "--name-status", `${parents[0]}`, publication.commit]);
      expect(diff.trim()).toBe("A\tb.ts");
      expect((await origin.facts(`${parents[0]}`)).message).toContain(mistake);
      expect(await isParkedWork({repository, commit: publication.commit, issue: 7})).toMatchObject({value: true});
      // a process that comes after a crash finds it and does not park it again
      expect(await findParkedCommit({repository, candidate: onMistake, issue: 7})).toEqual(publication);
      expect(await findParkedCommit({repository, candidate: {...onMistake, base}, issue: 7})).toBeNull();
    },
  );

  it("tries no hidden ref where the token may not write", async () => {
    await place.origin.refusePushes("refs/heads/*", "Permission to ada/shop denied to ada, 403");
    expect((await parkIt(candidate)).publication?.kind).toBe("parked-locally");
  });

  it("keeps the work on this machine when the server takes nothing", async () => {
    await place.origin.refusePushes("*");
    const {publication, problem} = await parkIt(candidate);
    expect(publication).toMatchObject({kind: "parked-locally", commit: candidate.commit});
    expect(problem).toMatchObject({kind: "push-refused"});
    await place.origin.refusePushes(null);
    const clone = join(place.folder, "clone");
    await git(place.folder, ["clone", "-q", place.origin.folder, clone]);
    const bundle = join(place.folder, "kept", "assay-parked-issue-7.bundle");
    await git(clone, ["fetch", "-q", bundle, "refs/assay/parked/issue-7:refs/heads/found"]);
    expect(await git(clone, ["rev-parse", "found", "found^{tree}"])).toBe(`${candidate.commit}\n${candidate.tree}`);
  });

  it("says so when even that failed", async () => {
    await place.origin.refusePushes("*");
    await writeFile(join(place.folder, "kept"), "in the way");
    const {publication, problem} = await parkIt(candidate);
    expect(publication).toMatchObject({kind: "parked-locally", folder: place.repository.folder});
    expect(problem).not.toBeNull();
    await rm(place.repository.folder, {recursive: true});
    expect((await parkIt(candidate)).publication).toBeNull();
  });
});

it("leaves the token in no file after all of this", async () => {
  await push({repository: place.repository, commit: candidate.commit, ref: REF, expect: null});
  expect(await filesWith(place.folder, TOKEN)).toEqual([]);
  expect(await filesWith(place.folder, Buffer.from(`x-access-token:${TOKEN}`).toString("base64"))).toEqual([]);
});
