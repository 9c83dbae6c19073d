/** Proves fixture projects with their real tools: each is verified, and seeded bugs fail at the right stages. */
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type RunRecord, recordSchema} from "../../src/record/record.ts";
import {assay, copyOf} from "./copy.ts";
import {ALWAYS_WITHOUT_BUG, type Bug, type FixtureProject, SLOW_TO_COMPARE} from "./projects.ts";
import {missing} from "./tools.ts";

/** Cold caches and a busy machine; a stage has its own, shorter limit. */
const PATIENCE = 600_000;

/**
 * Declares the tests of these projects. Where a program is missing they are skipped, and their title names it. All bugs of a project
 * are tried at once: what fails because of them passes on the base, or the verdict would not be `failed`. With `isLong` each
 * project is tried without a bug too, with all of them, and with one after the other.
 */
export function proveProjects(projects: readonly FixtureProject[], {isLong}: {isLong: boolean}): void {
  for (const project of projects) {
    const absent = missing(project.programs);
    const title =
      absent.length === 0 ? project.folder : `${project.folder} (not on this machine: ${absent.join(", ")})`;
    describe.skipIf(absent.length > 0)(title, () => {
      let copy: ReturnType<typeof copyOf>;
      beforeAll(() => {
        copy = copyOf(project.folder);
      });
      afterAll(() => copy.remove());

      if (isLong || ALWAYS_WITHOUT_BUG.includes(project.folder))
        it("is verified, every stage of it", {timeout: PATIENCE}, async () => {
          const {code, record} = await verified(copy.folder);
          expect(outcomes(record)).toEqual(everyStage(record, "passed"));
          expect(record.verdict).toEqual({kind: "verified"});
          expect(code).toBe(0);
          expect(reportOf(record)).toEqual(project.reports && {tool: project.reports, has: "passed"});
        });

      if (isLong || !SLOW_TO_COMPARE.includes(project.folder))
        it("fails at the stages with a bug, and at no other", {timeout: PATIENCE}, () => failsWith(project.bugs));
      if (isLong && project.bugs.length > 1)
        it.each(project.bugs)("fails at $stage alone with a bug in $file", {timeout: PATIENCE}, (bug) =>
          failsWith([bug]),
        );

      async function failsWith(bugs: readonly Bug[]): Promise<void> {
        const restore = bugs.map((bug) => seed(copy.folder, bug));
        const {code, record} = await verified(copy.folder);
        for (const undo of restore.reverse()) undo();
        const failing = bugs.map(({stage}) => stage);
        expect(outcomes(record)).toEqual({
          ...everyStage(record, "passed"),
          ...Object.fromEntries(failing.map((stage) => [stage, "failed"])),
        });
        // An optional stage is shown and blocks nothing.
        const required = record.plan?.stages.filter(({optional}) => !optional).map(({name}) => name) ?? [];
        const stages = required.filter((name) => failing.includes(name));
        expect(record.verdict).toEqual(stages.length === 0 ? {kind: "verified"} : {kind: "failed", stages});
        expect(code).toBe(stages.length === 0 ? 0 : 1);
        if (failing.includes("test"))
          expect(reportOf(record)).toEqual(project.reports && {tool: project.reports, has: "failed"});
      }
    });
  }
}

async function verified(folder: string): Promise<{code: number | null; record: RunRecord}> {
  const {code, stdout, stderr} = await assay(folder, "verify", "--json");
  if (stdout === "") throw new Error(`no record; exit ${code}: ${stderr}`);
  return {code, record: recordSchema.parse(JSON.parse(stdout))};
}

/** Set-up and stages with what became of them; what was printed, where one did not pass, so that a failure explains itself. */
function outcomes(record: RunRecord): Record<string, string> {
  const seen = record.attempts[0]?.verification;
  return Object.fromEntries(
    [...(seen?.setup ?? []), ...(seen?.stages ?? [])].map((result) => [
      result.name,
      ["passed", "failed"].includes(result.outcome) ? result.outcome : `${result.outcome}: ${result.reason}`,
    ]),
  );
}

/** What the test runner's own report says, seen through the sandbox. */
function reportOf(record: RunRecord): {tool: string; has: string} | undefined {
  const reported = record.attempts[0]?.verification?.stages.find(({name}) => name === "test")?.reported;
  return reported && {tool: reported.tool, has: reported.failed.length > 0 ? "failed" : "passed"};
}

function everyStage(record: RunRecord, outcome: string): Record<string, string> {
  const names = (record.plan?.stages ?? []).map((stage) => stage.name);
  expect(names.length).toBeGreaterThan(0);
  const setup = record.attempts[0]?.verification?.setup.map((result) => result.name) ?? [];
  return Object.fromEntries([...setup, ...names].map((name) => [name, outcome]));
}

function seed(folder: string, bug: Bug): () => void {
  const file = join(folder, bug.file);
  const right = readFileSync(file, "utf8");
  const wrong = right.replace(bug.from, () => bug.to);
  if (wrong === right) throw new Error(`${bug.file} has no \`${bug.from}\``);
  writeFileSync(file, wrong);
  return () => writeFileSync(file, right);
}
