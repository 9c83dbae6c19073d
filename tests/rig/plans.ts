/** Hand-written plans: a test gives what matters to it, the rest is a plain `npm test`. */
import type {Plan, Stage} from "../../src/record/plan.ts";

export const plannedStage = (more: Partial<Stage> = {}): Stage => ({
  name: "test",
  kind: "test",
  command: "npm test",
  cwd: ".",
  timeout: 300,
  optional: false,
  env: {},
  when: [],
  needs: [],
  path: [],
  tools: [],
  origin: {file: "verify.json", key: "stages", why: "the owner's own list"},
  ...more,
});

/** A plan without setup; a stage named more than once is the caller's own fault. */
export const planWith = (...stages: readonly Partial<Stage>[]): Plan => ({
  schema: "assay.plan/1",
  stages: stages.map(plannedStage),
  setup: [],
  notRun: [],
  notes: [],
});
