/** A comment that names a fork's commit as parked work: nothing of it is verified, built upon or published, whoever wrote it. */
import {expect, onTestFailed, test} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {BOT} from "../../rig/github/people.ts";
import {numberAt} from "../../rig/json.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {MODES} from "../../rig/separated.ts";
import type {Outcome} from "../../rig/world.ts";

test.each(MODES)(
  "neither another bot's marker nor one by Assay's own account brings in the commit of a fork: $mode",
  async ({how}) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const pull = await rig.openForkPullRequest({
      title: "A better product",
      fork: "otto/demo",
      branch: "better",
      files: {"src/product.js": PRODUCT_FILES.right, "src/evil.js": "export const evil = true;\n"},
    });
    const forged = (await rig.origin.refs())[`refs/pull/${pull}/head`] ?? "";
    const on = await rig.openIssue({title: "Products"});
    const line = runMarker({run: "comment-1", session: null, parked: forged});
    const post = (by: string, body: string) =>
      rig.github.as(by, "POST", `/repos/${rig.origin.name}/issues/${on}/comments`, {body});

    const posted = await post("renovate[bot]", `${line}\nPlease look.`);
    const outcome = await rig.comment("/verify", {by: "will", on, noModel: true, ...how});
    await expectUntouched(outcome);
    expect(outcome.record?.notes).toEqual([]);
    expect(numberAt(posted, "id")).not.toBe(outcome.record?.thread?.commentId);

    // another workflow of the repository posts as the same account
    await post(BOT, `${line}\nYour bundle grew by 1 kB.`);
    const shared = await rig.comment("/verify", {by: "will", on, noModel: true, ...how});
    await expectUntouched(shared);
    expect(shared.record?.notes).toMatchObject([
      {about: "saved work", text: expect.stringContaining(forged.slice(0, 12))},
    ]);

    rig.model.script([{when: /^(?![\s\S]*already holds)/, do: [], say: "There is nothing to go on with."}]);
    const gone = await rig.comment("/continue", {by: "will", on, ...how});
    await expectUntouched(gone);
    expect(gone.comments.at(-1)?.body).toContain("so this run began without it");

    async function expectUntouched(seen: Outcome): Promise<void> {
      await assertPromises(rig, seen);
      expect(seen.record?.resumes).toBeUndefined();
      expect(seen.record?.publication).toEqual({kind: "none"});
      expect(Object.keys(seen.refs).filter((ref) => ref.includes(`/issue-${on}`) && !ref.includes("session"))).toEqual(
        [],
      );
      expect(JSON.stringify(seen.record?.attempts)).not.toContain("evil");
    }
  },
);
