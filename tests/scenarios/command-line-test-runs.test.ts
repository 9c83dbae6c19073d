/** `assay verify` on changes that hide failures from the runner, and on honest neighbors, with the real runners. */
import {cpSync, existsSync, mkdirSync, rmSync} from "node:fs";
import {delimiter, join} from "node:path";
import {describe, expect, it} from "vitest";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep, someOf} from "../sweep.ts";
import type {TestRunCase, TestRunTool} from "./test-runs/case.ts";
import {TEST_RUN_TOOLS} from "./test-runs/tools.ts";

const MODULES = join(import.meta.dirname, "../../node_modules");
const isInstalled = (program: string) =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

for (const tool of someOf(TEST_RUN_TOOLS)) {
  const isPossible =
    tool.needs.every(isInstalled) && (tool.packages ?? []).every((name) => existsSync(join(MODULES, name)));
  describe.skipIf(isSweep && !isPossible)(tool.tool, () => {
    it.each(someOf(tool.cases))("$name", {timeout: 300_000}, (one) => {
      const {verdict, strong} = verifyCase(tool, one);
      if (one.check === null) expect({verdict, strong}).toEqual({verdict: "verified", strong: []});
      else if (one.check === "any") expect({verdict, strong}).not.toEqual({verdict: "verified", strong: []});
      else expect(strong).toContain(one.check);
      if (one.verdict !== undefined) expect(verdict).toBe(one.verdict);
    });
  });
}

/** The verdict, and the checks with a finding that blocks or flags. */
function verifyCase(tool: TestRunTool, one: TestRunCase) {
  const folder = repositoryOf({".gitignore": "node_modules\ntarget\n__pycache__\n", ...tool.base});
  try {
    for (const [path, text] of Object.entries(one.files))
      if (text === null) rmSync(join(folder, path));
      else put(folder, {[path]: text});
    const git = gitIn(folder);
    git("add", "-A");
    git("commit", "-qm", "Second commit");
    if (tool.packages !== undefined) {
      mkdirSync(join(folder, "node_modules"));
      cpSync(MODULES, join(folder, "node_modules"), {recursive: true, verbatimSymlinks: true});
    }
    const {record, stderr} = assay(folder, ["verify", "--base", "HEAD~1", "--json"]);
    if (record === null) throw new Error(stderr);
    const findings = record.attempts[0]?.verification?.findings ?? [];
    return {
      verdict: record.verdict.kind,
      strong: [...new Set(findings.filter(({level}) => level !== "note").map(({check}) => check))],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
