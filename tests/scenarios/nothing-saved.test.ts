/** `/approve`, `/continue` and `/undo` where nothing is saved are answered, and no job is red. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {someOf} from "../sweep.ts";

test.each(someOf(MODES))("an issue without saved work, in $mode", async ({how}) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const on = await rig.openIssue({title: "Products"});
  for (const text of someOf(["/approve", "/continue", "/undo"])) {
    const outcome = await rig.comment(text, {...how, by: "will", on, noModel: true});
    await assertPromises(rig, outcome);
    expect([text, outcome.exitCode, outcome.record?.failures, outcome.record?.verdict]).toEqual([
      ...[text, 0, []],
      {kind: "nothing-to-verify", why: "nothing-saved", detail: ""},
    ]);
    const body = outcome.comments.at(-1)?.body ?? "";
    expect(body).toContain("Nothing is saved here");
    expect(body).not.toMatch(/cancelled|comment `\/|To try again/);
    expect(outcome.refs).toEqual(outcome.refsBefore);
  }
});
