/** How the tests run: the unit tests share their workers; all others start programs, which they mostly wait for. */
import {availableParallelism} from "node:os";
import {defineConfig} from "vitest/config";
import {LongestFirst} from "./tests/longest-first.ts";
import {skippedTests} from "./tests/skipped-tests.ts";

const FOLDERS = ["contract", "ecosystems", "integration", "mutations", "scenarios", "sweeps"];

export default defineConfig({
  test: {
    // Far more than any test takes, also where the machine has other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2 * availableParallelism(),
    pool: "forks",
    sequence: {sequencer: LongestFirst},
    reporters: [
      "default",
      skippedTests({isCI: process.env["GITHUB_ACTIONS"] !== undefined, print: (line) => console.log(line)}),
    ],
    // GitHub's parser imports JSON in a way that Node refuses; vitest reads it
    server: {deps: {inline: ["@actions/workflow-parser"]}},
    projects: [
      // They are pure, so that they can share what a worker has loaded.
      {extends: true, test: {name: "unit", include: ["tests/unit/**/*.test.ts"], isolate: false}},
      {extends: true, test: {name: "system", include: FOLDERS.map((folder) => `tests/${folder}/**/*.test.ts`)}},
    ],
  },
});
