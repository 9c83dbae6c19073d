/** The configuration of a run: the owner's, within the organization's policy, and what earlier rounds have left of it. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import type {PinnedPolicy} from "../../../src/detect/config/organization-policy.ts";
import {configOf} from "../../../src/run/prepare-run.ts";
import {record} from "../report/records.ts";

const POLICY: PinnedPolicy = {place: "octo/.github@0", rules: {budget: {usd: 2}}};
const budgetOf = async (kind: "ci" | "work", policy: PinnedPolicy | null, config = DEFAULT_CONFIG) => {
  const request =
    kind === "work"
      ? {kind, text: "fix it"}
      : {kind, run: 1, commit: "a".repeat(40), issue: 1, workflow: "CI", path: "ci.yml", url: "https://x.test"};
  const earlier = {runs: 2, usd: 5, minutes: 9, rounds: {runs: 1, usd: 1.5, minutes: 3}};
  const current = record({request, earlier});
  const run = {
    event: {trigger: {kind: kind === "ci" ? ("ci" as const) : ("comment" as const), id: 1}},
    context: {clone: null},
    record: {current: () => current, update: () => {}},
    policy,
  };
  return (await configOf(run, config)).budget.usd;
};

test("the rounds that red CI starts share one budget, also that of the policy", async () => {
  expect(await budgetOf("ci", null)).toBe(8.5);
  expect(await budgetOf("ci", POLICY)).toBe(0.5);
});

test("a person's request has a budget of its own, within the policy", async () => {
  expect([await budgetOf("work", null), await budgetOf("work", POLICY)]).toEqual([10, 2]);
});

test("a limit of a day below the default of a run is also the run's limit, so that one can start", async () => {
  const ofDay = {...DEFAULT_CONFIG, budget: {...DEFAULT_CONFIG.budget, usdPerDay: 5}};
  expect(await budgetOf("work", null, ofDay)).toBe(5);
  expect(await budgetOf("work", {...POLICY, rules: {allRepositories: {usdPerMonth: 3}}}, ofDay)).toBe(3);
});
