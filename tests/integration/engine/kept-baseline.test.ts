/** What the base's stages gave is found again by the next run, on any runner, and only where nothing has changed since. */
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {openKeptBaseline, readEarlierBaselines, toolVersions} from "../../../src/engine/baseline/kept-baseline.ts";
import type {Plan, Stage} from "../../../src/record/plan.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {stage as result} from "../../unit/report/records.ts";
import {makePlace, openBot, type Place, TOKEN, value} from "../changes/place.ts";

const REF = "refs/assay/baseline";
let place: Place;
beforeEach(async () => {
  place = await makePlace({files: {"a.ts": "a\n"}});
});
afterEach(() => place[Symbol.asyncDispose]());

const stage = (more: Partial<Stage> = {}) => plannedStage({tools: [{name: "tool", hint: "install it"}], ...more});
const red = result({
  ...{kind: "test", outcome: "failed", failureKind: "code", reason: "exit code 1", exit: {kind: "exited", code: 1}},
  output: {head: "not ok: sk-secret\n", tail: "", droppedBytes: 0},
});
const NOON = "2026-05-04T12:00:00.000Z";

let runners = 0;
async function runner(options: {base?: string; plan?: Plan; circumstances?: readonly string[]; now?: string} = {}) {
  runners += 1;
  const repository = value(await openBot({folder: join(place.folder, `r${runners}`), url: place.url, token: TOKEN}));
  const base = options.base ?? place.base;
  value(await repository.fetch(base));
  const {plan = planWith(stage()), circumstances = ["tool 1"], now = NOON} = options;
  const redact = (text: string) => text.replaceAll("sk-secret", "***");
  const earlier = await readEarlierBaselines({repository, base, now: () => now, signal: new AbortController().signal});
  return openKeptBaseline({repository, plan, earlier, circumstances, redact, now: () => now});
}
async function keepOne(): Promise<void> {
  const first = await runner();
  first.keep(stage(), red);
  expect(value(await first.save())).toMatch(/^[0-9a-f]{40}$/);
}

test("the next run finds it, redacted, and has nothing new to save", async () => {
  expect((await runner()).find(stage())).toBeNull();
  await keepOne();
  const next = await runner();
  expect(next.find(stage())).toEqual({...red, output: {...red.output, head: "not ok: ***\n"}});
  expect(value(await next.save())).toBeNull();
  expect(place.server.updates).toHaveLength(1);
});

test("nothing is found once anything has changed that a result depends on", async () => {
  await keepOne();
  const other = await place.origin.commit({branch: "other", files: {"a.ts": "b\n"}});
  const build = stage({name: "build", kind: "build", command: "make"});
  const withSetup = {...planWith(stage()), setup: [{...stage(), inputs: [], provides: [], command: "npm ci"}]};
  for (const [changed, asked] of [
    [{base: other}, stage()],
    [{circumstances: ["tool 2"]}, stage()],
    [{plan: withSetup}, stage()],
    [{plan: planWith(build, stage())}, stage()],
    [{plan: planWith(stage({command: "npm test --all"}))}, stage({command: "npm test --all"})],
    [{now: "2026-05-12T12:00:00.000Z"}, stage()],
  ] as const) {
    expect((await runner(changed)).find(asked), JSON.stringify(changed)).toBeNull();
  }
  // The same files in another commit are the same base.
  await place.origin.commit({branch: "other", files: {"a.ts": "a\n"}});
  const again = (await place.origin.resolve("refs/heads/other")) ?? "";
  expect((await runner({base: again})).find(stage())).not.toBeNull();
});

test("two runs that save at once both find their place", async () => {
  const [one, other] = [await runner(), await runner({plan: planWith(stage({name: "unit"}))})];
  one.keep(stage(), red);
  other.keep(stage({name: "unit"}), red);
  place.server.beforeNextPush(async () => void value(await other.save()));
  value(await one.save());
  expect((await runner()).find(stage())).not.toBeNull();
  expect((await runner({plan: planWith(stage({name: "unit"}))})).find(stage({name: "unit"}))).not.toBeNull();
});

test("what somebody else wrote there is passed over, entry by entry", async () => {
  await keepOne();
  const good = JSON.parse((await place.origin.read(REF, "baseline.json")) ?? "");
  const write = async (text: string) =>
    place.origin.setRef(REF, await place.origin.commit({branch: "scratch", from: REF, files: {"baseline.json": text}}));
  const entries = [1, null, {key: "x"}, {...good[0], result: {outcome: "passed"}}, ...good];
  await write(JSON.stringify(entries));
  expect((await runner()).find(stage())).not.toBeNull();
  for (const text of ["{", '"x"', ""]) {
    await write(text);
    expect((await runner()).find(stage())).toBeNull();
  }
});

test("what a former version kept on a branch is found, and goes on on the ref", async () => {
  await keepOne();
  const former = (await place.origin.resolve(REF)) ?? "";
  await place.origin.setRef("refs/heads/assay/baseline", former);
  await place.origin.deleteRef(REF);
  expect((await runner()).find(stage())).not.toBeNull();
  const unit = stage({name: "unit"});
  const next = await runner({plan: planWith(unit)});
  next.keep(unit, red);
  value(await next.save());
  expect(await place.origin.resolve("refs/heads/assay/baseline")).toBeNull();
  expect((await place.origin.facts(REF)).parents).toEqual([former]);
  expect((await runner()).find(stage())).not.toBeNull();
  expect((await runner({plan: planWith(unit)})).find(unit)).not.toBeNull();
  // a branch that comes back does not stand in for the ref
  await place.origin.commit({branch: "assay/baseline", files: {"baseline.json": "[]"}});
  expect((await runner()).find(stage())).not.toBeNull();
});

test("a pass is kept without its output, and the file does not grow without end", async () => {
  const stages = Array.from({length: 40}, (_, index) => stage({name: `test ${index}`}));
  const one = await runner({plan: planWith(...stages)});
  for (const each of stages) one.keep(each, result({output: {head: "x".repeat(60_000), tail: "", droppedBytes: 0}}));
  one.keep(stage({name: "huge"}), {...red, excerpt: "x".repeat(600_000)});
  value(await one.save());
  const text = (await place.origin.read(REF, "baseline.json")) ?? "";
  expect(JSON.parse(text)).toHaveLength(30);
  expect(text.length).toBeLessThan(60_000);
});

test("another build of Assay is another circumstance, because it may read an output in another way", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-build-"));
  const circumstances = () => toolVersions({plan: planWith(stage()), variables: {PATH: ""}, ownFolder: folder});
  writeFileSync(join(folder, "compare.js"), "sub_test.go");
  const [one, again] = [circumstances(), circumstances()];
  writeFileSync(join(folder, "compare.js"), "sub/sub_test.go");
  const other = circumstances();
  rmSync(folder, {recursive: true});
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test("another version of a tool is another circumstance", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-tools-"));
  const install = (version: string) => {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, "tool"), `#!/bin/sh\necho ${version}\n`);
    chmodSync(join(folder, version, "tool"), 0o755);
    return toolVersions({plan: planWith(stage()), variables: {PATH: join(folder, version), ImageVersion: "20260101"}});
  };
  const [one, two] = [install("1.9"), install("1.10")];
  const again = toolVersions({
    plan: planWith(stage()),
    variables: {PATH: join(folder, "1.9"), ImageVersion: "20260101"},
  });
  const image = toolVersions({
    plan: planWith(stage()),
    variables: {PATH: join(folder, "1.9"), ImageVersion: "20260202"},
  });
  rmSync(folder, {recursive: true});
  expect(again).toEqual(one);
  expect(two).not.toEqual(one);
  expect(image).not.toEqual(one);
});
