/** How the tests run: test files share their workers where nothing of one is left for the next. */
import {availableParallelism} from "node:os";
import {defineConfig} from "vitest/config";
import {LongestFirst} from "./tests/longest-first.ts";
import {bundleAgent} from "./tests/rig/agent.ts";
import {COMPILE_CACHE} from "./tests/rig/compile-cache.ts";
import {skippedTests} from "./tests/skipped-tests.ts";
import {isSweep} from "./tests/sweep.ts";

/** Scenarios whose promise a shorter test keeps in each run, agents other than pi, and pictures: only `npm run sweep` runs them. */
const ONLY_IN_SWEEPS = ["tests/sweeps/scenarios/**", "tests/sweeps/agents.test.ts", "tests/visual/**"];
/** It makes the clock of its process fast. */
const WITH_OWN_CLOCK = "tests/sweeps/interleavings.test.ts";
const tests = (folders: readonly string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

// before a worker asks for it
bundleAgent();

export default defineConfig({
  test: {
    // Far more than any test takes, also where the machine has other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Most of the time of a world is waiting, for GitHub's pace of one write a second.
    maxWorkers: 4 * availableParallelism(),
    pool: "forks",
    // The command line is started hundreds of times, and compiling it is a quarter of the time that a small verification takes.
    env: {NODE_COMPILE_CACHE: COMPILE_CACHE},
    sequence: {sequencer: LongestFirst},
    reporters: [
      "default",
      skippedTests({isCI: process.env["GITHUB_ACTIONS"] !== undefined, print: (line) => console.log(line)}),
    ],
    // GitHub's parser imports JSON in a way that Node refuses; vitest reads it
    server: {deps: {inline: ["@actions/workflow-parser"]}},
    projects: [
      // They are pure, so that they can share what a worker has loaded.
      {extends: true, test: {name: "unit", include: tests(["unit"]), isolate: false}},
      // Each world has its own folder and servers, and the product its own process: the rig is loaded once for a worker.
      {
        extends: true,
        test: {
          name: "worlds",
          include: tests(["scenarios", "sweeps", "mutations", "ecosystems", "visual"]),
          exclude: [WITH_OWN_CLOCK, ...(isSweep ? [] : ONLY_IN_SWEEPS)],
          isolate: false,
        },
      },
      // Parts of the product in the test's own process. What they remember there is about a folder or a program, and each test has its own.
      {extends: true, test: {name: "parts", include: tests(["contract", "integration"]), isolate: false}},
      {extends: true, test: {name: "own clock", include: [WITH_OWN_CLOCK]}},
    ],
  },
});
