/** The tests that mutation testing runs: pure and fast, so that each mutant costs milliseconds. */
import {defineConfig} from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "tests/unit/run/budget.test.ts",
      "tests/unit/run/fix-loop.test.ts",
      "tests/unit/changes/trigger.test.ts",
      "tests/unit/diagnostics/{compare,signature}*.test.ts",
      "tests/unit/detect/config/*.test.ts",
      "tests/unit/request/admission.test.ts",
      "tests/unit/integrity/{corpus,honest-changes,equal-assertions,line-checks,deleted-tests}.test.ts",
      "tests/unit/{engine,proof,verify}/{verdict,second-witness,passed-over,order,schedule}*.test.ts",
    ],
    pool: "forks",
  },
});
