/** Two independent findings about the same tests block; one finding, or the same fact twice, does not. */
import {describe, expect, it} from "vitest";
import {withSecondWitness} from "../../../src/proof/gate-runs/second-witness.ts";
import type {IntegrityFinding} from "../../../src/record/finding.ts";
import {INTEGRITY_CHECK_NAMES} from "../../../src/record/words.ts";
import "../integrity/all-grammars.ts";

const PATH = "tests/a.test.ts";
const sums = {file: PATH, name: "sums"};
const finding = (given: Partial<IntegrityFinding>): IntegrityFinding => ({
  ...{check: "weakened-tests", level: "flag", path: PATH, line: 4, message: "It asserts less", fix: "Restore it."},
  ...given,
});
const replay = (given: Partial<IntegrityFinding> = {}): IntegrityFinding =>
  finding({check: "base-replay", message: "Tests fail: `sums`", tests: [sums], files: [PATH], ...given});
const levels = (findings: readonly IntegrityFinding[], ...others: IntegrityFinding[]) =>
  withSecondWitness(findings, others).map(({check, level}) => `${level} ${check}`);

describe("a second witness", () => {
  it("blocks, and the message names both", () => {
    const [blocked] = withSecondWitness([replay()], [finding({tests: [sums]})]);
    expect(blocked).toMatchObject({
      level: "block",
      message: "Tests fail: `sums`; `weakened-tests` names the same tests (tests/a.test.ts:4)",
    });
    const [alsoBlocked] = withSecondWitness([replay({level: "note"})], [finding({line: null})]);
    expect(alsoBlocked?.message).toBe("Tests fail: `sums`; `weakened-tests` names the same file (tests/a.test.ts)");
  });

  it("may come from the same run: these tests are not run any more", () => {
    const lost = finding({check: "lost-tests", tests: [sums]});
    expect(levels([replay({level: "note"}), lost])).toEqual(["block base-replay", "flag lost-tests"]);
  });

  it("is missing if one check alone is there, whatever it is", () => {
    expect(levels([replay()])).toEqual(["flag base-replay"]);
    expect(levels([replay(), replay()])).toEqual(["flag base-replay", "flag base-replay"]);
    expect(levels([finding({check: "lost-tests", tests: [sums]})], finding({tests: [sums]}))).toEqual([
      "flag lost-tests",
    ]);
  });

  it("must be more than a note", () => {
    expect(levels([replay()], finding({tests: [sums], level: "note"}))).toEqual(["flag base-replay"]);
  });

  it("is not the same fact again: a changed expected value names no test that is weaker", () => {
    expect(levels([replay()], finding({tests: []}))).toEqual(["flag base-replay"]);
  });

  it("names the same test; another test of the file is none", () => {
    expect(levels([replay()], finding({tests: [{file: PATH, name: "counts"}]}))).toEqual(["flag base-replay"]);
    expect(levels([replay()], finding({tests: [{file: "tests/b.test.ts", name: "sums"}]}))).toEqual([
      "flag base-replay",
    ]);
    // A runner may report no file, or a package.
    const unplaced = replay({tests: [{file: null, name: "sums"}], files: []});
    expect(levels([unplaced], finding({tests: [sums]}))).toEqual(["block base-replay"]);
    expect(levels([replay()], finding({tests: [{file: null, name: "sums"}]}))).toEqual(["block base-replay"]);
  });

  it("about a whole file is one if the replay names that file", () => {
    const helper = finding({path: "tests/helper.ts"});
    expect(levels([replay()], helper)).toEqual(["flag base-replay"]);
    expect(levels([replay({files: ["tests/helper.ts"]})], helper)).toEqual(["block base-replay"]);
    expect(levels([finding({check: "base-replay", tests: [sums]})], helper)).toEqual(["flag base-replay"]);
    expect(levels([finding({check: "base-replay", files: [PATH]})], finding({tests: [sums]}))).toEqual([
      "flag base-replay",
    ]);
  });

  it("comes from a check that is about what tests notice", () => {
    const witnesses = INTEGRITY_CHECK_NAMES.filter((check) =>
      levels([replay()], finding({check, tests: [sums]})).includes("block base-replay"),
    );
    expect(witnesses).toEqual([
      ...["removed-tests", "disabled-tests", "weakened-tests", "mocked-subject", "runner-tricks"],
      ...["scripts", "settings", "replaced-tools", "lost-tests"],
    ]);
  });
});
