/** The base's stages run in the background, stop at once when they are to, and are not run again. */
import {existsSync} from "node:fs";
import {mkdtemp, readFile, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openBaseline} from "../../../src/engine/baseline/baseline.ts";
import type {KeptBaseline} from "../../../src/engine/baseline/kept-baseline.ts";
import {openCheckouts} from "../../../src/engine/checkout/checkout.ts";
import {openRepository} from "../../../src/git/repository.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Stage} from "../../../src/record/plan.ts";
import {git} from "../../rig/git.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {stage as result} from "../../unit/report/records.ts";
import {PLAIN_HOME} from "../verify/workshop.ts";

let folder: string;
let commit: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-baseline-"));
  await git(folder, ["init", "-q", "origin"]);
  const origin = join(folder, "origin");
  await git(origin, ["commit", "-q", "--allow-empty", "-m", "First"]);
  commit = await git(origin, ["rev-parse", "HEAD"]);
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));

async function open(
  name: string,
  command: string,
  options: {kept?: KeptBaseline; build?: string; timeout?: number} = {},
) {
  const source = {kind: "local", folder: join(folder, "origin")} as const;
  const opened = await openRepository({folder: join(folder, `${name}.git`), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  const repository = opened.value;
  if (!(await repository.fetch(commit)).ok) throw new Error("no commit");
  const signal = new AbortController().signal;
  const checkouts = openCheckouts({
    folder: join(folder, name),
    repository,
    base: commit,
    setup: [],
    dependencies: {kind: "install"},
    home: PLAIN_HOME,
    isolation: {level: "degraded", network: "all", refusal: null, confines: false, overlays: false, warning: null},
    signal,
    onEvent: () => undefined,
  });
  const stage = plannedStage({command, kind: "typecheck", timeout: options.timeout ?? 60});
  const ground: Stage[] =
    options.build === undefined ? [] : [{...stage, name: "build", kind: "build", command: options.build}];
  const baseline = openBaseline({
    checkouts,
    repository,
    base: commit,
    plan: planWith(...ground, stage),
    changes: [],
    kept: options.kept ?? null,
    signal,
  });
  return {baseline, stage, checkouts};
}
const log = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
async function until(name: string, text: string): Promise<void> {
  for (let tries = 0; tries < 1200 && !(await log(name)).includes(text); tries++) await wait(100);
  expect(await log(name)).toContain(text);
}
/** Until the process whose id is in the file has ended. */
async function untilEnded(name: string): Promise<void> {
  await until(name, "\n");
  const pid = Number(await log(name));
  for (let tries = 0; tries < 1200 && isAlive(pid); tries++) await wait(100);
  expect(isAlive(pid)).toBe(false);
}
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
const failing = "a.ts(1,1): error TS2322: No.";
const keptOf = (known: Record<string, StageResult>, seen: string[] = []): KeptBaseline => ({
  find: ({name}) => known[name] ?? null,
  keep: ({name}) => void seen.push(name),
  save: async () => ({ok: true, value: null}),
});
const red = result({
  kind: "typecheck",
  ...{outcome: "failed", failureKind: "code", reason: "exit code 1", exit: {kind: "exited", code: 1}},
  output: {head: failing, tail: "", droppedBytes: 0},
  diagnostics: [{tool: "tsc", file: "a.ts", line: 9, column: 1, code: "TS2322", message: "No.", severity: "error"}],
});

/** What the scheduler goes by: the process's value, and that of its session where the kernel groups by sessions. */
const PRIORITY = 'echo "$(nice)$(grep -so " nice .*" /proc/self/autogroup)"';

test("a background run is used for a pass and for a failure, and the stage runs once", async () => {
  const {baseline, stage} = await open("once", `${PRIORITY} >> ${folder}/once.log; echo '${failing}'; exit 1`);
  baseline.begin();
  const pass = () => baseline.compare(stage, result()).then((compared) => compared.baseline);
  for (let tries = 0; tries < 1200 && (await pass()) === null; tries++) await wait(100);
  await baseline.pause();
  expect(await pass()).toMatchObject({outcome: "fixed", fixed: 1});
  expect((await baseline.compare(stage, red)).baseline).toMatchObject({outcome: "pre-existing"});
  const group = existsSync("/proc/self/autogroup") ? " nice 19" : "";
  expect(await log("once.log")).toBe(`19${group}\n`);
});

test("a pause ends the stage that runs, and nothing is concluded from it", async () => {
  const {baseline, stage} = await open("paused", `trap '' TERM; echo on >> ${folder}/paused.log; sleep 60`);
  baseline.begin();
  await until("paused.log", "on");
  const began = performance.now();
  await baseline.pause();
  expect(performance.now() - began).toBeLessThan(30_000);
  expect((await baseline.compare(stage, result())).baseline).toBeNull();
});

test.each([
  {ends: "failed", begin: ":", end: "exit 1", found: "built"},
  {ends: "timed-out", begin: "echo $$ > $LOG", end: "sleep 60", found: ""},
])(
  "what a stage that has $ends built of dependencies is in the next checkout: '$found'",
  async ({ends, begin, end, found}) => {
    const unit = "dep-0123456789abcdef";
    const built = `mkdir -p target/debug/.fingerprint target/debug/deps
    printf '[[package]]\nname = "dep"\nsource = "registry+x"\n' > Cargo.lock
    echo 'dep.rlib: /elsewhere/lib.rs' > target/debug/deps/${unit}.d; echo built > target/debug/deps/lib${unit}.rlib`;
    const command = `LOG=${folder}/${ends}.log; ${begin}; ${built}; ${end}`;
    const {baseline, checkouts} = await open(ends, command, {timeout: 5});
    const find = async () => {
      const opened = await checkouts.open({commit, changes: []});
      if (!opened.ok) throw new Error("no checkout");
      const file = join(opened.value.environment.folder, "target/debug/deps", `lib${unit}.rlib`);
      return (await readFile(file, "utf8").catch(() => "")).trim();
    };
    baseline.begin();
    if (found === "") await untilEnded(`${ends}.log`);
    // Where there is nothing to come, some time in which it could have come.
    for (let tries = 0; tries < (found === "" ? 10 : 100) && (await find()) === ""; tries++) await wait(100);
    await baseline.pause();
    expect(await find()).toBe(found);
  },
);

test("a failure that a busy machine may have caused is run again when it is needed", async () => {
  const command = `echo run >> ${folder}/again.log; echo 'Error: test timed out in 5000ms'; exit 1`;
  const {baseline, stage} = await open("again", command);
  baseline.begin();
  await until("again.log", "run");
  // Long enough for the run to end, or there would be nothing to be wary of.
  await wait(2_000);
  await baseline.pause();
  const unread = result({outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 1}});
  expect((await baseline.compare(stage, unread)).baseline?.outcome).toBe("not-comparable");
  expect(await log("again.log")).toBe("run\nrun\n");
});

test("what an earlier run saw is believed, and the stage does not run", async () => {
  const kept = keptOf({test: red});
  const {baseline, stage} = await open("kept", `echo run >> ${folder}/kept.log; exit 1`, {kept});
  expect((await baseline.compare(stage, red)).baseline).toMatchObject({outcome: "pre-existing"});
  expect(await log("kept.log")).toBe("");
});

test("a build that an earlier run saw pass is run all the same for the stage that reads it", async () => {
  const seen: string[] = [];
  const kept = keptOf({build: result({name: "build", kind: "build"})}, seen);
  const {baseline, stage} = await open("ground", `cat built && echo '${failing}'; exit 1`, {
    kept,
    build: "echo x > built",
  });
  baseline.begin();
  for (let tries = 0; tries < 1200 && !seen.includes("test"); tries++) await wait(100);
  expect((await baseline.compare(stage, red)).baseline).toMatchObject({outcome: "pre-existing"});
  expect(seen).toEqual(["build", "test"]);
});
