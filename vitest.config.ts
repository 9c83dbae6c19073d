/** How the tests run: the unit tests share their workers; all others start programs, which they mostly wait for. */
import {availableParallelism} from "node:os";
import {defineConfig} from "vitest/config";

const FOLDERS = ["contract", "ecosystems", "integration", "mutations", "scenarios", "sweeps"];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // GitHub's parser imports JSON in a way that Node refuses; vitest reads it
    server: {deps: {inline: ["@actions/workflow-parser", "@actions/expressions"]}},
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts"],
          // They are pure, so that they can share what a worker has loaded.
          isolate: false,
          maxWorkers: availableParallelism(),
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: FOLDERS.map((folder) => `tests/${folder}/**/*.test.ts`),
          maxWorkers: 2 * availableParallelism(),
          sequence: {groupOrder: 1},
        },
      },
    ],
  },
});
