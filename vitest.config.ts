/** How the tests run: scenarios drive the built product, so that few of them share the machine at a time. */
import {defineConfig} from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/fixtures/**", "node_modules/**"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
    pool: "forks",
    // GitHub's parser imports JSON in a way that Node refuses; vitest reads it
    server: {deps: {inline: ["@actions/workflow-parser", "@actions/expressions"]}},
  },
});
