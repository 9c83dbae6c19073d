/** P11, P12: at each step of each job the job's token is in Assay's main process, and in git while git talks to the server; nowhere else. */
// In each run: `separated-honest.test.ts`, `sweeps/attacks.test.ts` and `integration/verify/memory-hunt.test.ts`.
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempDisposable, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {DEFAULT_PHRASE} from "../../../src/request/default-phrase.ts";
import {buildBroken, type Edit} from "../../mutations/broken-bot.ts";
import {huntAlong, isMain, isRunning, type Look, strangersIn} from "../../rig/hunt-along.ts";
import {asOrdinaryUser, hasBubblewrap, isAble, LEVELS, NEEDS_BUBBLEWRAP} from "../../rig/levels.ts";
import {assertPromises} from "../../rig/promises.ts";
import {huntFor} from "../../rig/runner/token-hunt.ts";
import {oneJob, SEPARATED} from "../../rig/separated.ts";

const AGENTS = ["agent", "set-up", "stage", "fetch", "after main"];
const MODES = [
  {mode: "one job", text: oneJob(DEFAULT_PHRASE), places: [...AGENTS, "push"].map((at) => `assay: ${at}`)},
  {
    mode: "separate jobs",
    text: SEPARATED,
    places: [
      ...["fetch", "after main"].map((at) => `admit: ${at}`),
      ...AGENTS.map((at) => `work: ${at}`),
      ...["set-up", "stage", "fetch", "after main"].map((at) => `verify: ${at}`),
      ...["fetch", "push", "after main"].map((at) => `publish: ${at}`),
    ],
  },
] as const;
const [ONE_JOB, SEPARATE_JOBS] = MODES;
const USERS = [
  {user: "this user", isOrdinary: false},
  {user: "an ordinary user", isOrdinary: true},
] as const;

const CASES = MODES.flatMap((mode) =>
  LEVELS.flatMap((level) => USERS.map((user) => ({...mode, ...level, ...user}))),
).map((one) => ({...one, isThere: one.isThere && (isAble || !one.isOrdinary)}));

test("the hunt finds a token that another process holds in its memory alone, and those in files", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "rig-hunt-"));
  const token = `ghs_${"h".repeat(36)}`;
  const keeps = "let kept = ''; process.stdin.on('data', (text) => { kept += text; console.log('kept'); });";
  // Only its parent shows where it belongs.
  const starts = `require("node:child_process").spawn(process.execPath, ["-e", process.argv[1]], {cwd: "/", env: {}, stdio: "inherit"})`;
  const child = spawn(process.execPath, ["-e", starts, keeps], {cwd: folder.path, stdio: ["pipe", "pipe", "ignore"]});
  child.stdin.write(token);
  await once(child.stdout, "data");
  await writeFile(join(folder.path, "notes"), `token = ${token}\n`);
  await writeFile(join(folder.path, "wide"), `token → ${token}`, "utf16le");
  const {holders, processes} = huntFor({wanted: token, other: `ghs_${"n".repeat(36)}`}, folder.path);
  child.stdin.end();
  await once(child, "exit");
  expect(holders.map(({secret, where}) => `${secret}: ${where}`)).toEqual(
    ["memory", "file", "file"].map((where) => `wanted: ${where}`),
  );
  expect(processes).toHaveLength(2);
});

for (const {text, under, isOrdinary, isolation, places, ...one} of CASES) {
  const needs = isAble || !isOrdinary || one.name.endsWith("(needs root)") ? "" : " (needs root)";
  test.skipIf(!one.isThere)(`${one.mode}, ${one.name}, ${one.user}${needs}`, async () => {
    const hunted = await huntAlong({
      text,
      under: (world) => [...under, ...(isOrdinary ? asOrdinaryUser(world) : [])],
      isLong: true,
      onFailed: onTestFailed,
    });
    await using rig = hunted.rig;
    const {outcome, looks, changedOnMachines} = hunted;
    await assertPromises(rig, outcome);
    expect(outcome.record?.verdict.kind).toBe("verified");
    expect(outcome.record?.attempts[0]?.verification?.isolation).toBe(isolation);
    expect(new Set(looks.map(({job, at}) => `${job}: ${at}`))).toEqual(new Set([...places, "whole run: the end"]));
    expect(looks.flatMap(strangersIn)).toEqual([]);
    // a hunt that does not find it where it is by right has shown nothing
    const hasMain = ({job, holders}: Look) =>
      holders.some(({secret, name, where}) => secret === job && where === "memory" && isMain(name));
    expect(looks.filter((look) => isRunning(look) && !hasMain(look))).toEqual([]);
    if (isAble) expect(looks.flatMap(({closed}) => closed)).toEqual([]);
    // programs, home configuration, event file and command files
    expect(changedOnMachines).toEqual([]);
    console.log(figuresOf(looks));
  });
}

for (const cancelsAt of ["agent", "stage"] as const)
  test.skipIf(!hasBubblewrap)(`cancelled during the ${cancelsAt}${NEEDS_BUBBLEWRAP}`, async () => {
    const under = () => [];
    const hunted = await huntAlong({text: ONE_JOB.text, under, isLong: true, cancelsAt, onFailed: onTestFailed});
    await using rig = hunted.rig;
    const {outcome, looks} = hunted;
    await assertPromises(rig, outcome);
    expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "cancelled"});
    expect(looks.map(({at}) => at)).toContain("after main");
    expect(looks.flatMap(strangersIn)).toEqual([]);
    console.log(figuresOf(looks));
  });

function figuresOf(looks: readonly Look[]): string {
  const processes = looks.reduce((sum, {processes}) => sum + processes.length, 0);
  const places = Object.entries(Object.groupBy(looks, ({job, at}) => `${job}: ${at}`));
  return `${looks.length} looks at ${processes} processes: ${places.map(([place, at = []]) => `${place} ${at.length}`).join(", ")}`;
}

const TOKEN = `context.value.inputs["github-token"]`;
const END = {file: "lifecycle/main.ts", text: "process.exitCode = isGreen ? 0 : 1;"};
/** Each is a broken bot, and what the looks must see of it. */
const BROKEN: readonly {breaks: string; mode: (typeof MODES)[number]; edit: Edit; seen: readonly RegExp[]}[] = [
  {
    breaks: "gives the token to the agent, the set-up and the stages",
    mode: SEPARATE_JOBS,
    edit: {
      file: "src/engine/isolation/stage-variables.ts",
      text: `CI: "true",\n    ...o.extra,`,
      by: `CI: "true", KEPT: o.source["INPUT_GITHUB-TOKEN"] ?? "", ...o.extra,`,
    },
    seen: ["work, agent", "work, set-up", "work, stage", "verify, set-up", "verify, stage"].map(
      (place) => new RegExp(`^${place}: environment of `),
    ),
  },
  {
    breaks: "writes the token to the agent",
    mode: ONE_JOB,
    edit: {
      file: "src/agent/session.ts",
      text: "stdin: prompt}",
      by: `stdin: prompt + options.variables["INPUT_GITHUB-TOKEN"]}`,
    },
    seen: [/^assay, agent: memory of /, /^assay, after main: file of /],
  },
  {
    breaks: "asks the server while the agent works",
    mode: ONE_JOB,
    edit: {
      file: "src/engine/baseline/baseline.ts",
      text: "await runInTurn(state, () => runOnBase(state, stage, checkout));",
      by: `await repository.remoteRef("refs/heads/main"); await runInTurn(state, () => runOnBase(state, stage, checkout));`,
    },
    seen: ["git", "git-remote-http"].flatMap((name) =>
      ["environment", "memory"].map((where) => new RegExp(`^assay, agent: ${where} of \\S*${name} `)),
    ),
  },
  {
    breaks: "leaves a file",
    mode: SEPARATE_JOBS,
    edit: {
      ...END,
      by: `${END.text} await (await import("node:fs/promises")).writeFile(process.env.RUNNER_TEMP + "/left", ${TOKEN});`,
    },
    seen: ["admit", "work", "verify", "publish"].map((job) => new RegExp(`^${job}, after main: file of .*/left`)),
  },
  {
    breaks: "leaves a process",
    mode: ONE_JOB,
    edit: {
      ...END,
      by: `${END.text} (await import("node:child_process")).spawn("/bin/sleep", ["60"], {detached: true, stdio: "ignore", env: {KEPT: ${TOKEN}}}).unref();`,
    },
    seen: [/^assay, after main: environment of .*sleep 60/, /^assay, after main: \S*sleep 60 is left$/],
  },
  {
    breaks: "hands the token on to the next job",
    mode: SEPARATE_JOBS,
    edit: {
      file: "src/run/jobs/hand-over-admission.ts",
      text: "startedAt: about.startedAt,",
      by: `startedAt: run.context.inputs["github-token"],`,
    },
    seen: [
      /^work, agent: memory of .* has the token of admit$/,
      /^verify, stage: memory of .* has the token of admit$/,
    ],
  },
];

for (const {breaks, mode, edit, seen} of BROKEN)
  test.skipIf(!hasBubblewrap)(`a bot is noticed that ${breaks}${NEEDS_BUBBLEWRAP}`, async () => {
    await using broken = await buildBroken([edit]);
    const {rig, looks} = await huntAlong({text: mode.text, under: () => [], isLong: false, product: broken.folder});
    await using _ = rig;
    const strangers = looks.flatMap(strangersIn);
    expect(seen.filter((one) => !strangers.some((line) => one.test(line)))).toEqual([]);
  });
