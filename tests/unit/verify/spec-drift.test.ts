/** The comparison of specs with a change never passes without a look at the specs. */
import {expect, test} from "vitest";
import type {Repository} from "../../../src/git/repository.ts";
import {checkSpecDrift, withSpecDrift} from "../../../src/verify/spec-drift.ts";

/** A repository in which git lists no files of one commit, and has no files at the others. */
const repositoryWithout = (commit: string) =>
  ({
    git: async (args: readonly string[]) =>
      args.includes(commit) ? {ok: false, failure: {kind: "git-refused", message: "broken"}} : {ok: true, value: ""},
  }) as unknown as Repository;

const check = (drift: "advise" | "required", lost: string) =>
  checkSpecDrift({
    repository: repositoryWithout(lost),
    candidate: {base: "base", commit: "candidate", tree: "tree"} as never,
    changes: [{path: "src/a.js", status: "modified"}],
    stages: [],
    check: {rules: {drift, paths: null, writeFirst: false} as never, commit: "base"},
    codeExtensions: [".js"],
  });

test.each(["base", "candidate"])("specs that git does not list are no pass: of the %s", async (lost) => {
  const required = await check("required", lost);
  expect(required).toMatchObject([{outcome: "failed", optional: false, diagnostics: [{code: "specs-unread"}]}]);
  expect(withSpecDrift({kind: "verified"}, required)).toEqual({kind: "failed", stages: ["spec drift"]});
  expect(await check("advise", lost)).toMatchObject([{outcome: "failed", optional: true}]);
  expect(await check("required", "none")).toEqual([]);
});
