/** What starting a command costs at each level of isolation, over a bare spawn of the same command with pipes. */
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {workingWrappers} from "../src/process/isolation.ts";
import {confineInNamespace} from "../src/process/namespace-view.ts";
import {probeSandbox} from "../src/process/probes.ts";
import {runInWrapper} from "../src/process/run.ts";
import {confineWithBubblewrap, NOTHING_WRITABLE} from "../src/process/sandbox.ts";
import {median} from "./median.mjs";

const ROUNDS = 60;
/** @type {import("../src/process/child.ts").Command} */
const COMMAND = {argv: ["/bin/true"], cwd: "/", env: {PATH: "/usr/bin:/bin"}};
/** @type {import("../src/process/run.ts").RunLimits} */
const LIMITS = {timeoutMs: 10_000, isolation: "degraded"};

export async function measure() {
  const levels = {bare, degraded: behind(null)};
  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  for (const wrapper of await workingWrappers()) {
    levels[fenceName(wrapper)] = behind(wrapper);
    if (wrapper[0].endsWith("bwrap")) continue;
    levels[`confined by ${fenceName(wrapper)}`] = behind(
      confineInNamespace(wrapper, {...NOTHING_WRITABLE, writable: [tmpdir()], scratch}),
    );
  }
  for (const network of [true, false]) {
    const probe = await probeSandbox({network});
    const sandbox = {...NOTHING_WRITABLE, writable: [tmpdir()], network};
    if (probe.ok)
      levels[network ? "sandbox" : "sandbox without a network"] = behind(confineWithBubblewrap(probe.value, sandbox));
  }
  const rounds = [];
  for (let round = -3; round < ROUNDS; round++) {
    const times = {};
    // Every eighth command waits for new pipes: another one in each round, or one level would pay for all.
    const order = Object.entries(levels);
    for (const [name, start] of [...order.slice(turn(round, order)), ...order.slice(0, turn(round, order))]) {
      const from = performance.now();
      await start();
      times[name] = performance.now() - from;
    }
    if (round >= 0) rounds.push(times);
  }
  rmSync(scratch, {recursive: true});
  const ms = Object.fromEntries(Object.keys(levels).map((name) => [name, median(rounds.map((round) => round[name]))]));
  const bounds = Object.keys(levels)
    .filter((name) => name !== "bare")
    .map((name) => ({
      what: `${name}, over a bare spawn of ${ms.bare.toFixed(1)} ms`,
      value: median(rounds.map((round) => round[name] - round.bare)),
      bound: 15,
      unit: "ms",
    }));
  if (ms.sandbox !== undefined) {
    const value = median(rounds.map((round) => (round.sandbox - round.bare) / round.bare));
    bounds.push({what: "sandbox, over a bare spawn", value, bound: 0.8, unit: "× of it"});
  }
  return {medians: ms, rounds, bounds};
}

const turn = (round, order) => (round + order.length) % order.length;

function bare() {
  return new Promise((resolve, reject) => {
    const [program, ...argv] = COMMAND.argv;
    const child = spawn(program, argv, {...COMMAND, stdio: ["ignore", "pipe", "pipe"]});
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(code) : reject(new Error(`exit code ${code}`))));
  });
}

function behind(wrapper) {
  return async () => {
    const {exit} = await runInWrapper(wrapper, COMMAND, LIMITS);
    if (exit.kind !== "exited" || exit.code !== 0) throw new Error(`it did not run: ${JSON.stringify(exit)}`);
  };
}

function fenceName(wrapper) {
  const line = wrapper.join(" ");
  if (line.includes("bwrap")) return "process namespace (bwrap)";
  return `process namespace (unshare${line.includes("--user") ? " --user" : ""})`;
}
