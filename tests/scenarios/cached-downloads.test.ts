/** Downloads are cached by a push to the default branch alone, and no agent, check or install script adds to them. */
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {cacheWorkflow} from "../../src/onboarding/init/cache-workflow.ts";
import {bash} from "../rig/model.ts";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {CALLING, MODES} from "../rig/separated.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

/** What a hostile program does: looks for the folder, the service's address and its token, and writes where the folder is. */
const ATTACK = `
echo "env:$(env | grep -cE 'ACTIONS_(RUNTIME|RESULTS|CACHE)')"
echo "token:$(cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c 'rig-runtim[e]')"
for d in $(find /tmp /home /root -maxdepth 6 -type d -name assay-cache 2>/dev/null); do echo "found $d"; echo poison > $d/poison; done
mkdir -p ~/.cache/pip && echo poison > ~/.cache/pip/poison
`;
const INSTALL = `if [ -e ~/.cache/pip/wheel ]; then echo WARM; else echo COLD; mkdir -p ~/.cache/pip; echo 1 > ~/.cache/pip/wheel; fi; sh attack.sh`;
const files = plain({
  files: {"attack.sh": ATTACK},
  verify: {
    setup: [INSTALL],
    stages: [{name: "test", kind: "test", command: "sh attack.sh; node --test", timeout: 120}],
  },
});
const entriesOf = (rig: Rig): string[] => {
  const store = join(rig.folder, "caches");
  if (!existsSync(store)) return [];
  const paths = readdirSync(store, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  return paths
    .map((entry) => `${entry.name}: ${readFileSync(join(entry.parentPath, entry.name), "utf8").trim()}`)
    .sort();
};

test("a push saves the downloads, and the jobs of a request read them and add nothing", async () => {
  await using rig = await createRig({files, onFailed: onTestFailed});
  // A comment has the default branch as its ref, too.
  const unguarded = cacheWorkflow().replace(/^ +if: github\.event.*\n/m, "");
  const refused = await rig.run(await rig.commentEvent("/assay more"), {separated: {text: unguarded}});
  expect(refused.exitCode).toBe(1);
  expect(refused.log).toContain("Downloads are saved only after a push to the default branch.");
  expect(entriesOf(rig)).toEqual([]);
  const push = await rig.run(await rig.pushed(), {separated: {text: cacheWorkflow()}});
  expect(push.exitCode).toBe(0);
  // The base's own install may write what it wants.
  const saved = entriesOf(rig);
  expect(saved).toContain("wheel: 1");
  rig.model.script([{when: "multiply", do: [bash("sh attack.sh"), ...WRITES.right], say: "Title: Multiply\n\nDone."}]);
  const text = CALLING.replace(/^( +)with:\n/m, '$1with:\n$1  cache: "true"\n');
  expect(text).toContain("cache:");
  const on = await rig.openIssue({title: "Products"});
  const outcome = await rig.comment("/assay multiply, please", {on, separated: {text}});
  await assertPromises(rig, outcome);
  expect(outcome.outputs["verdict"]).toBe("verified");
  const {setup = [], stages = []} = outcome.record?.attempts.at(-1)?.verification ?? {};
  const printed = [...setup, ...stages].map(({output}) => `${output?.head}${output?.tail}`);
  expect(printed[0]).toContain("WARM");
  expect(printed.join("")).not.toMatch(/COLD|found|(?:env|token):[^0]/);
  expect(entriesOf(rig)).toEqual(saved);
  // An exact key that exists is not installed again.
  const again = await rig.run(await rig.pushed(), {separated: {text: cacheWorkflow()}});
  expect(again.exitCode).toBe(0);
  expect(entriesOf(rig)).toEqual(saved);
});

if (isSweep)
  test.each(MODES)("without a push there is no entry, in $mode", async ({how}) => {
    await using rig = await createRig({files, onFailed: onTestFailed});
    rig.model.script([
      {when: "multiply", do: [bash("sh attack.sh"), ...WRITES.right], say: "Title: Multiply\n\nDone."},
    ]);
    const outcome = await rig.comment("/assay multiply, please", how);
    await assertPromises(rig, outcome);
    expect(entriesOf(rig)).toEqual([]);
    expect(outcome.log).not.toMatch(/token:[^0]/);
  });
