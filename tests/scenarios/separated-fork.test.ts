/** `/verify` on a fork's pull request: in separate jobs its code runs, here on two machines, where nothing is to be found; in one job it does not run. */
import {expect, onTestFailed, test} from "vitest";
import {hasBubblewrap, NEEDS_BUBBLEWRAP} from "../rig/levels.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED, SHARED} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";

/** Prints what a stranger's code would like to find; the checker of the promises looks for secrets in all that is shown. */
const HUNT = `import {execSync} from "node:child_process";
import {test} from "node:test";
test("hunts", () => {
  const found = execSync("env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\\\0' '\\\\n'; true");
  console.log(found.toString());
});
`;
// the name of a branch that is here too
const pull = {title: "Faster", fork: "eve/demo", branch: "main", files: {"tests/hunt.test.js": HUNT}};

test.skipIf(!hasBubblewrap)(
  `separate jobs verify the head of a fork, in the sandbox whatever verify.json says${NEEDS_BUBBLEWRAP}`,
  async () => {
    await using rig = await createRig({files: plain({verify: {sandbox: "off"}}), onFailed: onTestFailed});
    const number = await rig.openForkPullRequest(pull);
    const outcome = await rig.comment("/verify", {by: "will", on: number, separated: {text: SHARED}});
    await assertPromises(rig, outcome);
    expect(outcome.jobs).toMatchObject({work: {result: "skipped"}, verify: {result: "success"}});
    const [attempt] = outcome.record?.attempts ?? [];
    const head = outcome.refs[`refs/pull/${number}/head`];
    expect(attempt?.candidate?.commit).toBe(head);
    expect(attempt?.changes).toEqual([{path: "tests/hunt.test.js", status: "added"}]);
    expect(attempt?.verification).toMatchObject({isolation: "sandbox", job: "own", verdict: {kind: "verified"}});
    // one stage on each machine, and one report of both
    expect(outcome.log.match(/^✅ \w+ \(/gm)).toHaveLength(2);
    expect(outcome.log.match(/^--- verify: 0 ---/gm)).toHaveLength(2);
    expect(attempt?.verification?.stages.map(({output}) => output?.head).join("")).toContain("HOME=");
    expect(outcome.marks).toEqual([{commit: head, name: "assay/verified", conclusion: "success"}]);
    expect(outcome.refs).toEqual(outcome.refsBefore);

    const asked = await rig.comment("/verify", {by: "will", on: number, noModel: true});
    await assertPromises(rig, asked, {nothingAsked: true});
    expect(asked.comments.at(-1)?.body).toContain("only in separate jobs");

    if (!isSweep) return;
    rig.github.cameFrom(number, {repository: pull.fork, branch: pull.branch, pushedAt: "2999-01-01T00:00:00Z"});
    const moved = await rig.comment("/verify", {by: "will", on: number, separated: {text: SEPARATED}});
    await assertPromises(rig, moved, {nothingAsked: true});
    expect(moved.comments.at(-1)?.body).toContain("new commits after your comment");
  },
);
