/** What the rig runs once more writes nothing on the machine that the test is on, and hostile stages never run unconfined. */
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {openReplay} from "../rig/promises/replay.ts";
import {createRig} from "../rig/rig.ts";

const UNCONFINED = {level: "degraded", confines: false, overlays: false} as const;

/** Not below the temporary folder, of which each confined command has its own. */
function outside(): string {
  const folder = mkdtempSync(join(import.meta.dirname, "../../node_modules/.assay-replay-"));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return join(folder, "planted");
}

test("a command that is run once more is confined to its checkout and its home, and its exit code counts", async () => {
  await using rig = await createRig({files: plain(), watches: false});
  await using replay = await openReplay(rig.origin, {commit: rig.base, isHostile: true});
  const planted = outside();
  const command = `(echo x > ${planted}) 2>&1 || true; echo x > "$HOME/x"; echo x > here && ls src; exit 7`;
  const ran = await replay?.run(command, ".");
  expect(ran).toMatchObject({code: 7, text: expect.stringMatching(/Read-only file system\n[\s\S]*sum\.js\n$/)});
  expect(existsSync(planted)).toBe(false);
  expect(existsSync(join(replay?.folder ?? "", "here"))).toBe(true);
});

test("where a machine cannot confine, hostile commands are not run, and others are", async () => {
  await using rig = await createRig({files: plain(), watches: false});
  const commit = rig.base;
  expect(await openReplay(rig.origin, {commit, isHostile: true, fence: UNCONFINED})).toBeNull();
  await using replay = await openReplay(rig.origin, {commit, isHostile: false, fence: UNCONFINED});
  expect(await replay?.run("echo seen && exit 3", ".")).toEqual({code: 3, text: "seen\n"});
});
