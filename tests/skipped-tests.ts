/** Names each skipped test at the end of a run. On CI a skip without an allowed reason is a failure. */
import type {Reporter, TestModule, Vitest} from "vitest/node";

/** What a runner of GitHub cannot have. */
const ALLOWED: readonly {readonly test: RegExp; readonly why: string}[] = [
  {test: /terraform/, why: "no package registry has Terraform"},
  {test: /'nextest' .*cargo-nextest/, why: "no package registry has it built, and building it takes minutes"},
  {
    test: /(?:nothing-outside-is-written|token-hunt|attacks|made-machine)\.test\.ts .*needs root/,
    why: "only root can hide bubblewrap",
  },
  {test: /^tests\/scenarios\/act\.test\.ts > act \(/, why: "its actions come from GitHub itself"},
];

export const isAllowed = (test: string): boolean => ALLOWED.some((allowed) => allowed.test.test(test));

/** Put after vitest's own reporter. A run of some tests by name (`-t`) skips all others, and is not judged. */
export function skippedTests(options: {isCI: boolean; print: (line: string) => void}): Reporter {
  let isSelection = false;
  return {
    onInit(vitest: Vitest) {
      isSelection = vitest.config.testNamePattern !== undefined;
    },
    onTestRunEnd(modules: readonly TestModule[]) {
      if (isSelection) return;
      const skipped = modules.flatMap((module) =>
        [...module.children.allTests("skipped")].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
      );
      if (skipped.length === 0) return;
      options.print(`\nSkipped (${skipped.length}):`);
      for (const name of skipped) options.print(`  ${name}`);
      const refused = options.isCI ? skipped.filter((name) => !isAllowed(name)) : [];
      if (refused.length === 0) return;
      options.print(`\nOn CI these must not be skipped (tests/skipped-tests.ts):`);
      for (const name of refused) options.print(`  ${name}`);
      process.exitCode = 1;
    },
  };
}
