/** What `assay doctor` says of the judge: family, key and job. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {judgeFindings} from "../../../../src/onboarding/doctor/judge.ts";
import {specFindings} from "../../../../src/onboarding/doctor/specs.ts";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {projectOf} from "../../detect/tree.ts";

/** The templates run the agent with a model of Anthropic. */
const find = (
  judge: Partial<typeof DEFAULT_CONFIG.judge>,
  workflow = singleWorkflow([], "/assay"),
  usd: number | null = null,
) =>
  judgeFindings({
    config: {
      prices: {mine: {input: 1, output: 2}},
      judge: {...DEFAULT_CONFIG.judge, enabled: true, ...judge},
      budget: {...DEFAULT_CONFIG.budget, usd},
    },
    project: projectOf({".github/workflows/assay.yml": workflow}),
    variables: {},
  }).map(({about, state}) => (state === "unknown" ? `${about}?` : about));

test("nothing is said of a judge that is off, unless its model is named", () => {
  expect(find({enabled: false})).toEqual([]);
  expect(find({enabled: false, model: "some/model"})).toEqual(["judge"]);
  expect(find({enabled: false, provider: "openai", model: "gpt-5"})).toEqual(["judge"]);
});

test("a model of the agent's family is advice", () => {
  expect(find({})).toEqual(["judge"]);
  expect(find({provider: "anthropic", model: "claude-opus-4-1"})).toEqual(["judge", "judge key?"]);
  expect(find({model: "some/model"})).toEqual([]);
});

const openai = {provider: "openai", model: "gpt-5"} as const;

test("the job that asks the judge needs its key", () => {
  expect(find(openai)).toEqual(["judge key"]);
  expect(find(openai, singleWorkflow([], "/assay", {judgeKey: "OPENAI_API_KEY"}))).toEqual(["judge key?"]);
  const separated = separatedWorkflow([], {judgeKey: "OPENAI_API_KEY"});
  expect(find(openai, separated)).toEqual(["judge key?"]);
  const line = / +OPENAI_API_KEY: .*\n/;
  const inJudge = separated.indexOf("\n  judge:\n");
  expect(find(openai, separated.slice(0, inJudge) + separated.slice(inJudge).replace(line, ""))).toEqual(["judge key"]);
  const onlyInJudge = separated.slice(0, inJudge).replaceAll(new RegExp(line, "g"), "") + separated.slice(inJudge);
  expect(find(openai, onlyInJudge)).toEqual(["judge key?"]);
  expect(find(openai, `${singleWorkflow([], "/assay")}# OPENAI_API_KEY\n`)).toEqual(["judge key"]);
  expect(find(openai, callerWorkflow("/assay @assay"))).toEqual(["judge key", "judge job"]);
});

test("a missing key has the line to add, and fails", () => {
  const judge = {...DEFAULT_CONFIG.judge, enabled: true, ...openai};
  const project = projectOf({".github/workflows/assay.yml": singleWorkflow([], "/assay")});
  const findings = judgeFindings({config: {...DEFAULT_CONFIG, judge}, project, variables: {}});
  expect(findings).toMatchObject([
    {state: "missing", next: expect.stringContaining("add `OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }}` under")},
  ]);
});

test("addresses and rule files are checked", () => {
  const find = (more: object, address?: string, env = "") => {
    const judge = {...DEFAULT_CONFIG.judge, enabled: true, ...openai, ...more};
    const workflow = singleWorkflow([], "/assay", {judgeKey: "OPENAI_API_KEY"});
    const text = workflow.replace(/( +)OPENAI_API_KEY: .*\n/, `$&$1OPENAI_BASE_URL: ${env}\n`);
    const project = projectOf({".github/workflows/assay.yml": text, "docs/rules.md": "x"});
    const findings = judgeFindings({
      config: {...DEFAULT_CONFIG, judge},
      project,
      variables: {OPENAI_BASE_URL: address},
    });
    return findings
      .filter(({about}) => about !== "judge key")
      .map(({about, state, text}) => `${about} ${state}: ${text}`);
  };
  const mistake = "is not an address that starts with https:// or http://";
  expect(find({}, "notaurl")).toEqual([`judge address mistake: OPENAI_BASE_URL in this environment ${mistake}`]);
  expect(find({}, "", "localhost:8080")).toEqual([
    `judge address mistake: OPENAI_BASE_URL in .github/workflows/assay.yml ${mistake}`,
  ]);
  expect(find({}, "http://127.0.0.1:8080/v1", "${{ vars.OPENAI_BASE_URL }}")).toEqual([]);
  expect(find({rules: ["NOPE.md", "docs/rules.md", "AGENTS.md"]})).toEqual([
    "judge rules missing: `NOPE.md` does not exist, so the judge does not know its rules",
  ]);
  expect(find({enabled: false, rules: ["NOPE.md"]}, "notaurl")).toEqual([expect.stringMatching(/it is off$/)]);
});

test("a glob of specs without a file is advice", () => {
  const project = projectOf({"docs/rfcs/1.md": "x"});
  const rules = {top: null, maxChars: 12_000, scorer: "tf-idf", drift: "advise", writeFirst: false} as const;
  const specs = {...rules, paths: ["docs/rfcs/*.md", "rfc/*.md"]};
  expect(specFindings(specs, project)).toMatchObject([{state: "advice", text: "no file matches `rfc/*.md`"}]);
  expect(specFindings({...specs, paths: ["docs/rfcs/*.md"]}, project)).toEqual([]);
  expect(specFindings({...specs, paths: ["docs", "!docs/rfc"]}, project)).toMatchObject([
    {text: "no file matches `!docs/rfc`"},
  ]);
  expect(specFindings(DEFAULT_CONFIG.specs, project)).toEqual([]);
  expect(specFindings(null, project)).toEqual([]);
});

test("a limit in dollars that does not limit the judge is advice", () => {
  const of = (provider: "agent" | "groq" | "openrouter", usd: number | null) =>
    find({provider, model: "llama-3.3-70b"}, singleWorkflow([], "/assay"), usd).includes("judge price");
  expect([of("groq", 2), of("groq", null), of("openrouter", 2), of("agent", 2)]).toEqual([true, false, false, false]);
});

test("separate jobs need a job of their own", () => {
  const other = {model: "openai/gpt-5"};
  expect(find(other, separatedWorkflow([]))).toEqual(["judge key", "judge job"]);
  expect(find(other, callerWorkflow("/assay @assay"))).toEqual(["judge key", "judge job"]);
  expect(find(other, separatedWorkflow([], {judgeKey: "OPENAI_API_KEY"}))).toEqual(["judge key?"]);
});
