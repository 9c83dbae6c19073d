/** Nobody but the job with the key can read the conversation: it is in no artifact, object, log or file that a run leaves. */
import {expect, onTestFailed, test} from "vitest";
import {git} from "../rig/git.ts";
import {BOT, OWNER} from "../rig/github/people.ts";
import {placesOfConversation, talkative} from "../rig/plain-text.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const REF = "refs/assay/session/issue-1";

// In separate jobs, `separated-honest.test.ts` looks for the sentences in each run of the tests.
test.each(isSweep ? MODES : MODES.filter(({mode}) => mode === "one job"))(
  "in $mode, and another issue cannot use it",
  async ({how}) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([
      {when: "multiply", ...talkative("src/product.js", PRODUCT_FILES.right), say: "Products are there."},
      {when: "the other issue", ...talkative("src/quotient.js", "export const quotient = 1;\n"), say: "Quotients too."},
    ]);
    const former = await rig.origin.commit({branch: "scratch", files: {"session.jsonl": "in plain text\n"}});
    await rig.origin.setRef("refs/assay/session/issue-99", former);
    const first = await rig.comment("/assay multiply", how);
    await assertPromises(rig, first);
    expect(first.refs).not.toHaveProperty(["refs/assay/session/issue-99"]);
    expect(first.comments.at(-1)?.body).toContain("refs/assay/session/issue-99");
    expect(await placesOfConversation(rig, first, 1)).toEqual([]);
    expect(first.record?.session).toMatchObject({resumed: false, ref: REF});
    const saved = first.refs[REF] ?? "";
    expect(first.comments.at(-1)?.body).toContain(` session=${saved} `);

    // Somebody moves the ciphertext to another issue, and has a comment of Assay name it there.
    const on = await rig.openIssue({title: "Another one"});
    await rig.origin.setRef(`refs/assay/session/issue-${on}`, saved);
    const body = `<!-- assay:run=comment-1 session=${saved} -->\nDone.`;
    await rig.github.as(BOT, "POST", `/repos/${OWNER}/demo/issues/${on}/comments`, {body});
    const second = await rig.comment("/assay divide in the other issue", {...how, on});
    await assertPromises(rig, second);
    expect(await placesOfConversation(rig, second, 2)).toEqual([]);
    expect(rig.model.history).toEqual([0, 0]);
    expect(second.record?.session).toMatchObject({resumed: false});
    expect(second.comments.at(-1)?.body).toContain(
      "The saved conversation is of another repository or issue, so the agent started a new one",
    );
    // the one commit that is there now is the run's own
    const ref = `refs/assay/session/issue-${on}`;
    expect(second.refs[ref]).not.toBe(saved);
    expect(await git(rig.origin.folder, ["rev-list", "--count", ref])).toBe("1");
  },
);

test.each(
  someOf([
    [
      "a secret that can be guessed",
      {},
      {"session-key": "guessable"},
      "The agent's conversation was not saved (it is only",
    ],
    ["a verify.json that wants none", {sessions: "off"}, {}, null],
  ] as const),
)("%s: none is saved, and the report says so", async (_, verify, inputs, words) => {
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  rig.model.script([{when: "what does", say: "It adds two numbers."}]);
  const outcome = await rig.comment("/assay what does sum do?", {inputs});
  await assertPromises(rig, outcome);
  expect(outcome.record?.session).toBeNull();
  expect(Object.keys(outcome.refs).filter((ref) => ref.includes("session"))).toEqual([]);
  const {body = ""} = outcome.comments.at(-1) ?? {};
  if (words === null) expect(body).not.toContain("conversation");
  else expect(body).toContain(words);
  expect(outcome.log).not.toContain("guessable");
});
