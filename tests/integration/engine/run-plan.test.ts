/** What listeners hear of stages: whatever was said to start is said to end, also where it is passed over after that. */
import {mkdir, mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {runStages} from "../../../src/engine/run-plan.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";

test("a stage that failFast keeps from running again, alone, is told as ended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-stages-"));
  for (const name of ["port", "red"]) await mkdir(join(folder, name));
  // The first may have failed for its neighbour's sake; the neighbour fails by itself, before that could run again.
  const port = plannedStage({name: "port", cwd: "port", command: "sleep 0.5; echo EADDRINUSE; exit 1", timeout: 60});
  const red = plannedStage({name: "red", kind: "lint", cwd: "red", command: "sleep 1; exit 1", timeout: 60});
  const heard: string[] = [];
  const {stages} = await runStages({
    options: {
      plan: planWith(port, red),
      changes: [],
      only: [],
      failFast: true,
      previous: null,
      spent: () => null,
      flaky: [],
      onEvent: (event) => {
        if (event.kind === "stage-started") heard.push(`${event.stage.name} starts`);
        if (event.kind === "stage-finished") heard.push(`${event.result.name} ${event.result.outcome}`);
      },
    },
    checkouts: {
      shared: {
        folder,
        isolation: "degraded",
        signal: new AbortController().signal,
        sandbox: () => null,
        variables: () => ({PATH: process.env["PATH"] ?? ""}),
      },
      openAnother: null,
      isolated: new Set(),
    },
    blockedBy: "",
    baseline: null,
    affectedPlan: null,
    restoreRewritten: async () => [],
    scripts: async () => ({}),
    machine: {cores: 2, availableBytes: () => 8 * 1024 ** 3},
  });
  await rm(folder, {recursive: true, force: true});
  expect(stages).toMatchObject([{outcome: "skipped", reason: "failFast: red did not pass"}, {outcome: "failed"}]);
  expect(heard).toEqual(["port starts", "red starts", "red failed", "port skipped"]);
});
