/** Which shell lines always end with 0: said only where it is certain. */
import {expect, test} from "vitest";
import {cannotFail} from "../../../src/plan/cannot-fail.ts";

const scripts = {
  test: "vitest run || true",
  sequence: "vitest run; exit 0",
  last: "vitest run; echo done",
  real: "vitest run",
  pipe: "vitest run | cat",
  around: "echo ok",
  prearound: "tsc",
};

test.each([
  ["npm test || true"],
  ["npm test || :"],
  ["npm test || echo failed"],
  ["npm test || exit 0"],
  ["echo ok"],
  ["true"],
  ["exit 0"],
  ["true; exit 0"],
  ["echo a && echo b"],
  ["pytest &"],
  ["set +e; pytest; true"],
  ["set +e; pytest; exit 0"],
  ["npm test"],
  ["npm run sequence"],
  ["pnpm run last"],
  ["vitest run || npm run last"],
])("%s always ends with 0", (line) => {
  expect(cannotFail(line, scripts)).toBe(true);
});

test.each([
  ["npm run real"],
  ["npm run around"],
  ["pytest; true"],
  ["pytest; exit 0"],
  ["pytest | cat"],
  ["pytest | tee log.txt"],
  ["true && pytest"],
  ["pytest && true"],
  ["pytest || exit 1"],
  ["pytest || vitest run"],
  ["exit 1"],
  ["exit $CODE"],
  ["pytest & vitest run"],
  ["if pytest; then true; fi"],
  ["! pytest"],
  ["(pytest || true)"],
  ["pytest <<X\nX"],
  [""],
  ["npm run nothing"],
])("%s may fail, or is not understood", (line) => {
  expect(cannotFail(line, scripts)).toBe(false);
});
