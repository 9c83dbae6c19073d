/** The diff that the judge gets: it says whether it is complete. */
import {expect, test} from "vitest";
import type {Git} from "../../../src/git/git.ts";
import {ok, refused} from "../../../src/record/words.ts";
import {diffOf} from "../../../src/run/judge.ts";
import {attempt} from "../report/records.ts";

const diffFrom = (git: Git) =>
  diffOf({git} as Parameters<typeof diffOf>[0], attempt({changes: [{path: "a.js", status: "modified"}]}));

// Files that a change removes have no limit, and can be in front of its code.
test("a diff of more than 8 million characters is cut, and says so", async () => {
  const {diff, isCut} = await diffFrom(async () => ok("x".repeat(8_000_001)));
  expect([diff.length, isCut]).toEqual([8_000_000, true]);
  expect(await diffFrom(async () => ok("x".repeat(8_000_000)))).toMatchObject({isCut: false});
});

test("no setting of the repository hides a submodule, and a failure of git gives no diff", async () => {
  const calls: string[][] = [];
  const git: Git = async (args) => {
    calls.push([...args]);
    return refused({code: 1, message: "", stdout: ""});
  };
  expect(await diffFrom(git)).toEqual({diff: "", isCut: false});
  expect(calls[0]).toContain("--ignore-submodules=none");
});
