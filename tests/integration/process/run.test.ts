/** `run` tells faithfully how a program ended and what it printed, in bounded time. */
import {spawn} from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {fileURLToPath} from "node:url";
import {describe, expect, onTestFinished, test} from "vitest";
import {hideFolders} from "../../../src/process/hide-folders.ts";
import {probeIsolation, workingWrappers} from "../../../src/process/isolation.ts";
import {run, runInWrapper} from "../../../src/process/run.ts";
import {someOf} from "../../sweep.ts";
import {alive, aliveAfter, levels, PATH, shell, uniqueSleep} from "./shell.ts";

/** Far more than any of these takes, far less than what they would wait for. */
const BUSY_MS = 30_000;
const LEVELS = await levels();
const LIMITS = {timeoutMs: 5000, isolation: "degraded"} as const;

const FENCES = (await workingWrappers()).map((wrapper) => ({wrapper, name: wrapper.join(" ")}));

describe.each(FENCES)("$name", ({wrapper}) => {
  test("what is hidden cannot be seen, written or brought back, and nothing gains rights", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-hidden-"));
    writeFileSync(join(folder, "set_env"), "");
    const line = `cd /; echo PATH=/evil >> ${folder}/set_env; umount ${folder}; umount -l ${folder}; mount -t tmpfs none /mnt
      unshare --user --map-root-user --mount sh -c 'umount ${folder}; cat ${folder}/set_env && echo FOUND'
      ls ${folder}; echo done; grep NoNewPrivs /proc/self/status`;
    const ran = await shell(`{ ${line}; } 2>/dev/null`, {wrapper: hideFolders(wrapper, [folder, "/no/such/folder"])});
    expect(ran.output.head).toMatch(/^done\nNoNewPrivs:\s1\n$/);
    expect(readFileSync(join(folder, "set_env"), "utf8")).toBe("");
    rmSync(folder, {recursive: true});
  });
});

describe.each(FENCES)("$name", ({wrapper}) => {
  test("what lies above it keeps its name, also for who began below it", async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "assay-hidden-")));
    const own = join(top, "bot/own");
    mkdirSync(own, {recursive: true});
    mkdirSync(join(top, "work"));
    writeFileSync(join(own, "secret"), "");
    const line = `cat ../bot/own/secret && echo FOUND; mv ../bot ../moved && echo MOVED; mv ${top} ${top}-moved && echo MOVED
      touch ../bot/own/new && echo WROTE; rm -rf ../bot && echo DELETED; touch here && echo done`;
    const ran = await shell(`{ ${line}; } 2>/dev/null`, {wrapper: hideFolders(wrapper, [own]), cwd: join(top, "work")});
    expect(ran.output.head).toBe("done\n");
    expect(readdirSync(top).sort()).toEqual(["bot", "work"]);
    expect(existsSync(join(own, "secret"))).toBe(true);
    rmSync(top, {recursive: true});
  });
});

describe.each(LEVELS)("$name", ({wrapper}) => {
  test.each(someOf([0, 7, 137, 1, 126, 127, 129, 143, 255], 2))("passes on exit code %i", async (code) => {
    expect((await shell(`exit ${code}`, {wrapper})).exit).toEqual({kind: "exited", code});
  });

  test.each(someOf(["SIGTERM", "SIGKILL", "SIGSEGV", "SIGABRT", "SIGINT", "SIGPIPE", "SIGHUP", "SIGUSR1"]))(
    "says that %s ended it",
    async (signal) => {
      const ran = await shell(`kill -${signal.slice(3)} $$; sleep 1`, {wrapper});
      expect(ran.exit).toEqual({kind: "signaled", signal});
      expect(ran.output.head).toBe("");
    },
  );

  test("merges both streams, and keeps stderr apart as well", async () => {
    // each line waits until the one before it has arrived
    const arrived = mkdtempSync(join(tmpdir(), "assay-arrived-"));
    onTestFinished(() => rmSync(arrived, {recursive: true}));
    const delayed = (line: string) => `until test -e ${arrived}/${line}; do sleep 0.01; done`;
    const onLine = (line: string) => writeFileSync(join(arrived, line), "");
    const lines = `echo one; ${delayed("one")}; echo two >&2; ${delayed("two")}; echo three`;
    const ran = await shell(lines, {wrapper, onLine});
    expect(ran.output).toEqual({head: "one\ntwo\nthree\n", tail: "", droppedBytes: 0});
    expect(ran.stderr).toEqual({head: "two\n", tail: "", droppedBytes: 0});
  });

  test("gives the program real pipes: /dev/stdout and /dev/stderr can be opened", async () => {
    const ran = await shell("set -e; echo out > /dev/stdout; echo err > /dev/stderr", {wrapper});
    expect(ran.exit).toEqual({kind: "exited", code: 0});
    expect(ran.stderr.head).toBe("err\n");
  });

  test("writes and closes stdin; without one it is empty", async () => {
    expect((await shell("cat", {wrapper, stdin: "hello"})).output.head).toBe("hello");
    expect((await shell("cat; echo done", {wrapper})).output.head).toBe("done\n");
  });

  test("does not mind a program that never reads a large stdin", async () => {
    const ran = await shell("exec 0<&-; exit 3", {wrapper, stdin: "x".repeat(1_000_000)});
    expect(ran.exit).toEqual({kind: "exited", code: 3});
  });

  test("hands on the environment that it was given, its marker, and nothing of ours", async () => {
    const env = {PATH, GREETING: "good morning"};
    const ran = await runInWrapper(wrapper, {argv: ["env"], cwd: "/", env}, LIMITS);
    const names = ran.output.head.split("\n").map((line) => line.split("=")[0] ?? "");
    const byTheShell = ["", "_", "PWD", "OLDPWD", "SHLVL"];
    expect(names.filter((name) => !byTheShell.includes(name)).sort()).toEqual(["ASSAY_PROCESS", "GREETING", "PATH"]);
    expect(ran.output.head).toContain("GREETING=good morning\n");
  });

  test("hands on variables that a shell could not assign", async () => {
    const env = {PATH, "spring.profile": "a b", "x-y": "2"};
    const ran = await runInWrapper(wrapper, {argv: ["env"], cwd: "/", env}, LIMITS);
    expect(ran.output.head).toContain("spring.profile=a b\n");
    expect(ran.output.head).toContain("x-y=2\n");
  });

  test("behind a fence it sees no process of ours, nor the environment of one", async () => {
    const foreign = readFileSync("/proc/self/environ", "utf8")
      .split("\0")
      .find((variable) => /^(?!PATH=)[A-Z_]+=.{3}/.test(variable));
    expect(foreign).toBeDefined();
    const ran = await shell("cat /proc/[0-9]*/environ | tr '\\0' '\\n'", {wrapper, headBytes: 5_000_000});
    expect(ran.output.head).toContain(`PATH=${PATH}`);
    expect(ran.output.head.includes(`${foreign}\n`)).toBe(wrapper === null);
  });

  test("TERM reaches the program and it may clean up; its exit code does not count", async () => {
    const runFor = (timeoutMs: number) =>
      shell(`trap "echo cleaned; exit 0" TERM; echo ready; sleep 300 & wait`, {wrapper, timeoutMs});
    let timeoutMs = 400;
    let ran = await runFor(timeoutMs);
    // on a busy machine the shell may not have started in time
    while (ran.output.head === "" && timeoutMs < 20_000) {
      timeoutMs *= 3;
      ran = await runFor(timeoutMs);
    }
    expect(ran.exit).toEqual({kind: "timed-out", afterMs: timeoutMs, running: ["sleep 300"]});
    expect(ran.output.head).toBe("ready\ncleaned\n");
    expect(ran.durationMs).toBeLessThan(BUSY_MS + timeoutMs);
  });

  test("at the time limit it is seen which part of a line runs", async () => {
    const rows = [
      {line: "echo a && sleep 300 && echo b", running: ["sleep 300"]},
      {line: "true; sh -c 'sleep 301; true'; true", running: ["sleep 301"]},
      {line: "sleep 302 | cat; true", running: ["sleep 302", "cat"]},
      {line: "true && exec sleep 303", running: ["sleep 303"]},
    ];
    // They only wait.
    const ran = await Promise.all(rows.map(({line}) => shell(line, {wrapper, timeoutMs: 2000})));
    const exits = ran.map(({exit}) => exit);
    expect(exits).toEqual(rows.map(({running}) => ({kind: "timed-out", afterMs: 2000, running})));
  });

  test("what ignores TERM is killed after the grace period", async () => {
    const ran = await shell(`trap "" TERM; while :; do sleep 0.1; done`, {wrapper, timeoutMs: 300});
    expect(ran.exit.kind).toBe("timed-out");
    expect(ran.durationMs).toBeGreaterThanOrEqual(600);
    expect(ran.durationMs).toBeLessThan(BUSY_MS);
  });

  test("a stopped program is ended too", async () => {
    const ran = await shell("kill -STOP $$", {wrapper, timeoutMs: 300});
    expect(ran.exit.kind).toBe("timed-out");
    expect(ran.durationMs).toBeLessThan(BUSY_MS);
  });

  test("an abort ends it in the same way", async () => {
    const sleep = uniqueSleep();
    const abort = new AbortController();
    const running = shell(`sleep ${sleep}`, {wrapper, signal: abort.signal});
    setTimeout(() => abort.abort(), 250);
    const ran = await running;
    expect(ran.exit).toEqual({kind: "cancelled"});
    expect(ran.durationMs).toBeLessThan(BUSY_MS);
    expect(alive(sleep)).toEqual([]);
  });

  test("answers at the exit, though a daemon keeps the pipe", async () => {
    const sleep = uniqueSleep();
    const ran = await shell(`env -i /usr/bin/setsid sleep ${sleep} & sleep 0.1; echo done`, {
      wrapper,
      timeoutMs: 60_000,
    });
    for (const pid of alive(sleep)) process.kill(pid, "SIGKILL");
    expect(ran.exit).toEqual({kind: "exited", code: 0});
    expect(ran.output.head).toBe("done\n");
    expect(ran.durationMs).toBeLessThan(BUSY_MS); // the daemon sleeps longer
  });

  test("loses nothing that was printed just before the exit", async () => {
    const ran = await shell("head -c 60000 /dev/zero | tr '\\0' 'x' | fold -w 99; echo end", {wrapper});
    expect(ran.output.head.endsWith("end\n")).toBe(true);
    expect(ran.output.head.length).toBe(60_000 + 606 + "\nend\n".length - 1);
  });

  test("a missing program or folder, or an impossible argument, is not started", async () => {
    const missing = await runInWrapper(wrapper, {argv: ["no-such-program"], cwd: "/", env: {PATH}}, LIMITS);
    expect(missing.exit).toEqual({kind: "not-started", message: expect.stringContaining("no-such-program")});
    const folder = await runInWrapper(wrapper, {argv: ["true"], cwd: "/no/such/folder", env: {PATH}}, LIMITS);
    expect(folder.exit).toEqual({kind: "not-started", message: expect.stringContaining("/no/such/folder")});
    const nul = await runInWrapper(wrapper, {argv: ["echo", "a\0b"], cwd: "/", env: {PATH}}, LIMITS);
    expect(nul.exit.kind).toBe("not-started");
    const long = await runInWrapper(wrapper, {argv: ["echo", "x".repeat(3_000_000)], cwd: "/", env: {PATH}}, LIMITS);
    expect(long.exit.kind).toBe("not-started");
    const notExecutable = await runInWrapper(wrapper, {argv: ["/etc/passwd"], cwd: "/", env: {PATH}}, LIMITS);
    expect(notExecutable.exit.kind).toBe("not-started");
  });
});

test("a broken fence is no exit code of the program", async () => {
  const ran = await runInWrapper(
    ["/usr/bin/unshare", "--no-such-option"],
    {argv: ["true"], cwd: "/", env: {PATH}},
    LIMITS,
  );
  expect(ran.exit.kind).toBe("not-started");
});

test.each(someOf([0, 2, 8, 1, 3, 5, 13], 2))(
  "an abort in the middle of the start is not lost (%i ms after)",
  async (ms) => {
    const abort = new AbortController();
    const running = shell("sleep 300", {signal: abort.signal, timeoutMs: 60_000});
    setTimeout(() => abort.abort(), ms);
    const ran = await running;
    expect(ran.exit).toEqual({kind: "cancelled"});
    expect(ran.durationMs).toBeLessThan(BUSY_MS);
  },
);

test("what was aborted before is not started", async () => {
  const ran = await shell("echo hi", {signal: AbortSignal.abort()});
  expect(ran.exit).toEqual({kind: "cancelled"});
  expect(ran.output.head).toBe("");
});

test("counts what it had to kill, and not the last of a pipeline", async () => {
  expect((await shell("setsid sleep 300 & setsid sleep 300 & sleep 0.1; exit 0")).survivors).toBe(2);
  // On a busy machine it may take longer than it is given, but not each time.
  const counts: number[] = [];
  for (let tries = 0; tries < 20 && counts.at(-1) !== 0; tries++)
    counts.push((await shell("(sleep 0.02; :) & exit 0")).survivors);
  expect(counts).toContain(0);
});

test("probes the level, and `run` keeps to it", async () => {
  const isolation = await probeIsolation();
  expect(isolation).toBe(LEVELS.length > 1 ? "pid-namespace" : "degraded");
  const see = {argv: ["readlink", "/proc/self/ns/pid"], cwd: "/", env: {PATH}} as const;
  const inside = await run(see, {timeoutMs: 5000, isolation});
  const outside = await run(see, {timeoutMs: 5000, isolation: "degraded"});
  expect(inside.output.head).toMatch(/^pid:/);
  expect(inside.output.head === outside.output.head).toBe(isolation === "degraded");
});

test("leaves none of its own files behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-count-"));
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await Promise.all([shell("true"), shell("exit 1"), shell("sleep 9", {timeoutMs: 100}), shell("kill -9 $$")]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, {recursive: true});
  }
});

const SOURCE = fileURLToPath(new URL("../../../src/process/run.ts", import.meta.url));

/** A bot of its own, that runs `sleep`, and does `later` when it is told to. */
function bot(options: {sleep: string; isolation: string; later: string}): ReturnType<typeof spawn> {
  const code = `import {run} from ${JSON.stringify(SOURCE)};
    void run({argv: ["sh", "-c", "setsid sleep ${options.sleep} & sleep ${options.sleep}"], cwd: "/", env: {PATH: process.env.PATH}},
      {timeoutMs: 60_000, isolation: "${options.isolation}"});
    process.once("SIGUSR2", () => { ${options.later} });`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], {stdio: "ignore"});
}

test("behind a fence, even kill -9 of the bot leaves nothing", async () => {
  const sleep = uniqueSleep();
  const child = bot({sleep, isolation: await probeIsolation(), later: ""});
  while (alive(sleep).length < 2) await wait(20);
  child.kill("SIGKILL");
  expect(await aliveAfter(sleep, 30_000)).toEqual([]);
});

test("without a fence, a bot that ends by itself leaves nothing", async () => {
  const sleep = uniqueSleep();
  const child = bot({sleep, isolation: "degraded", later: "process.exit(0)"});
  while (alive(sleep).length < 2) await wait(20);
  child.kill("SIGUSR2");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(await aliveAfter(sleep, 30_000)).toEqual([]);
});
