/** P3: tracked files that a stage rewrote are found and put back; a check that cannot be done is no pass. */
import {expect, test} from "vitest";
import {failIfRewritten, rewrittenFiles} from "../../../src/engine/checkout/rewritten-files.ts";
import type {Failure} from "../../../src/record/failure.ts";
import {ok, refused} from "../../../src/record/words.ts";
import {stage} from "../report/records.ts";

const FULL: Failure = {kind: "git-refused", message: "no space left on device"};
const place = {folder: "/checkout", commit: "c".repeat(40)};

function repositoryWith(changed: string[], options: {compares?: boolean; restores?: boolean} = {}) {
  const restored: string[] = [];
  const repository = {
    trackedChanges: async () => (options.compares === false ? refused(FULL) : ok(changed)),
    restore: async ({paths}: {paths: readonly string[]}) => {
      if (options.restores === false) return refused(FULL);
      restored.push(...paths);
      return ok(null);
    },
  };
  return {repository, restored};
}

test("what differs is named and put back, except in folders that are spared", async () => {
  const {repository, restored} = repositoryWith(["src/a.ts", "target/debug/x"]);
  expect(await rewrittenFiles({repository, ...place, except: ["target"]})).toEqual(["src/a.ts"]);
  expect(restored).toEqual(["src/a.ts"]);
});

test("nothing differs, nothing is put back", async () => {
  const {repository, restored} = repositoryWith([]);
  expect(await rewrittenFiles({repository, ...place})).toEqual([]);
  expect(restored).toEqual([]);
});

test("files that could not be put back are reported so, and the stage fails", async () => {
  const {repository} = repositoryWith(["src/a.ts"], {restores: false});
  const paths = await rewrittenFiles({repository, ...place});
  expect(paths).toEqual(["src/a.ts", "(and could not be put back)"]);
  expect(failIfRewritten(stage(), paths)).toMatchObject({
    outcome: "failed",
    failureKind: "code",
    reason: expect.stringContaining("src/a.ts, (and could not be put back)"),
  });
});

test("a checkout that cannot be compared is no pass, and not the fault of the code", async () => {
  const {repository} = repositoryWith([], {compares: false});
  const paths = await rewrittenFiles({repository, ...place});
  const reason = "its files could not be compared with the change: no space left on device";
  expect(failIfRewritten(stage(), paths)).toMatchObject({outcome: "failed", failureKind: "environment", reason});
  expect(failIfRewritten(stage(), [])).toMatchObject({outcome: "passed"});
  expect(failIfRewritten(stage({outcome: "timed-out"}), paths)).toMatchObject({outcome: "timed-out"});
});
