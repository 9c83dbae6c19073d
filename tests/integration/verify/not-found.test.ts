/** A command that a runner of targets could not find: the stage is unavailable, as where the shell says so itself. */
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {runStage} from "../../../src/verify/stage/stage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-make-"));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

async function made(makefile: string, command = "make"): Promise<[string, string | null]> {
  writeFileSync(join(folder, "Makefile"), makefile);
  const result = await runStage(
    {
      ...{name: "lint", kind: "lint", command, cwd: ".", timeout: 60, optional: true},
      ...{env: {}, path: [], tools: []},
    },
    {
      ...{folder, isolation: "degraded", signal: new AbortController().signal},
      sandbox: () => null,
      environment: () => ({PATH: process.env["PATH"] ?? "", LC_ALL: "C"}),
    },
  );
  return [result.outcome, result.failureKind];
}

const ABSENT = "no-such-linter-here run";

test.each([
  ["a target", `lint:\n\t${ABSENT}\n`],
  ["a target that a shell runs", `lint:\n\t${ABSENT} && echo done\n`],
  ["a make that another one starts", `all:\n\t$(MAKE) lint\nlint:\n\t${ABSENT}\n`],
])("%s: unavailable", async (_, makefile) => expect(await made(makefile)).toEqual(["unavailable", "environment"]));

test.each([
  ["a target that fails", "lint:\n\tfalse\n", "make"],
  ["a target that fails with make's own code", "lint:\n\texit 2\n", "make"],
  ["one that fails beside one that is not found", `all: a b\na:\n\t${ABSENT}\nb:\n\texit 2\n`, "make -k"],
  ["the words of make in the output of a check", 'lint:\n\t@echo "make: *** [x] Error 127"; exit 1\n', "make"],
])("%s: failed", async (_, makefile, command) => expect((await made(makefile, command))[0]).toBe("failed"));
