/** What `assay doctor` says of the judge: family, key and job. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {judgeFindings} from "../../../../src/onboarding/doctor/judge.ts";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {projectOf} from "../../detect/tree.ts";

/** The templates run the agent with a model of Anthropic. */
const find = (
  judge: Partial<typeof DEFAULT_CONFIG.judge>,
  workflow = singleWorkflow([], "/assay"),
  usd: number | null = null,
) =>
  judgeFindings(
    {judge: {...DEFAULT_CONFIG.judge, enabled: true, ...judge}, budget: {minutes: null, usd}},
    projectOf({".github/workflows/assay.yml": workflow}),
  ).map(({about}) => about);

test("nothing is said of a judge that is off", () => {
  expect(find({enabled: false})).toEqual([]);
});

test("a model of the agent's family is advice", () => {
  expect(find({})).toEqual(["judge"]);
  expect(find({provider: "anthropic", model: "claude-opus-4-1"})).toEqual(["judge"]);
  expect(find({model: "openai/gpt-5"})).toEqual([]);
});

test("a key that the workflow does not pass is advice", () => {
  const openai = {provider: "openai", model: "gpt-5"} as const;
  expect(find(openai)).toEqual(["judge key"]);
  expect(find(openai, singleWorkflow([], "/assay").replaceAll("ANTHROPIC_API_KEY", "OPENAI_API_KEY"))).toEqual([]);
});

test("a limit in dollars that does not limit the judge is advice", () => {
  const of = (provider: "agent" | "groq" | "openrouter", usd: number | null) =>
    find({provider, model: "llama-3.3-70b"}, singleWorkflow([], "/assay"), usd).includes("judge price");
  expect([of("groq", 2), of("groq", null), of("openrouter", 2), of("agent", 2)]).toEqual([true, false, false, false]);
});

test("separate jobs need a job of their own", () => {
  const other = {model: "openai/gpt-5"};
  expect(find(other, separatedWorkflow([]))).toEqual(["judge job"]);
  expect(find(other, callerWorkflow("/assay @assay"))).toEqual(["judge job"]);
  expect(find(other, separatedWorkflow([], {judgeKey: "OPENAI_API_KEY"}))).toEqual([]);
});
