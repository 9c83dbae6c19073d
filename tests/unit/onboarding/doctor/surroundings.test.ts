/** What the doctor and `init` say and write of submodules, services of CI and variables that stages do not get. */
import {expect, test} from "vitest";
import {parse} from "yaml";
import {servicesOfCi} from "../../../../src/detect/ci/services.ts";
import {serviceFindings} from "../../../../src/onboarding/doctor/services.ts";
import {submoduleFindings} from "../../../../src/onboarding/doctor/submodules.ts";
import {variableFindings} from "../../../../src/onboarding/doctor/variables.ts";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {serviceLines} from "../../../../src/onboarding/init/services.ts";
import {callerWorkflow, singleWorkflow, WORKFLOW_FILE} from "../../../../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {planOf, projectOf} from "../../detect/tree.ts";

const CI = `
on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    env: {SHOP_MODE: plain}
    services:
      postgres: {image: "postgres:16", ports: ["5432:5432"], env: {POSTGRES_PASSWORD: postgres}}
      queue: {image: "redis:\${{ matrix.redis }}"}
    steps: [{run: npm test}]
`;
const tree = {
  "package.json": {scripts: {test: "node --test"}},
  ".github/workflows/ci.yml": CI,
};

test("the plan names the services of CI, and `init` copies them into the jobs that run stages", () => {
  const plan = planOf(tree);
  expect(plan.stages.find(({kind}) => kind === "test")?.services).toEqual(["postgres", "queue"]);
  expect(plan.notes.map(({text}) => text).join()).toContain("CI starts postgres, queue next to it");
  const services = serviceLines(servicesOfCi(projectOf(tree)));
  const {jobs} = parse(separatedWorkflow([], {services, hasSubmodules: true}));
  const wanted = {postgres: parse(CI).jobs.test.services.postgres};
  for (const job of [jobs.work, jobs.verify, parse(singleWorkflow([], DEFAULT_PHRASE, {services})).jobs.assay])
    expect(job.services).toEqual(wanted);
  expect(services.join("\n")).toContain('# CI also starts "queue" (.github/workflows/ci.yml)');
  expect([jobs.admit.services, jobs.publish.services]).toEqual([undefined, undefined]);
  for (const job of [jobs.work, jobs.verify]) expect(job.steps[0].with.submodules).toBe("recursive");
});

test("the doctor names services that the workflow does not start", () => {
  const found = serviceFindings(projectOf({...tree, [WORKFLOW_FILE]: callerWorkflow(DEFAULT_PHRASE)}));
  expect(found).toMatchObject([
    {state: "advice", text: expect.stringContaining("postgres (.github/workflows/ci.yml)")},
  ]);
  const services = serviceLines(servicesOfCi(projectOf(tree)));
  const own = separatedWorkflow([], {services});
  expect(serviceFindings(projectOf({...tree, [WORKFLOW_FILE]: own}))[0]?.text).not.toContain("postgres");
  expect(serviceFindings(projectOf({"package.json": {}}))).toEqual([]);
});

test("the doctor wants the workflow to bring submodules", () => {
  const modules = {".gitmodules": '[submodule "a"]\n\tpath = a\n\turl = ../a\n'};
  const findingOf = (text: string) => submoduleFindings(projectOf({...modules, [WORKFLOW_FILE]: text}))[0];
  const states = (text: string) => findingOf(text)?.state;
  // Nothing to set there: the checkouts are in the workflow that it calls.
  expect(findingOf(callerWorkflow(DEFAULT_PHRASE))?.next).toMatch(/delete .*assay\.yml, then run `assay init`/);
  expect(findingOf(singleWorkflow([], DEFAULT_PHRASE))?.next).toContain("`submodules: recursive`");
  expect(states(callerWorkflow(DEFAULT_PHRASE))).toBe("missing");
  expect(states(singleWorkflow([], DEFAULT_PHRASE, {hasSubmodules: true}))).toBe("ok");
  expect(submoduleFindings(projectOf({[WORKFLOW_FILE]: callerWorkflow(DEFAULT_PHRASE)}))).toEqual([]);
});

test("the doctor lists variables that stages do not get, by name only, with the line to paste", () => {
  const variables = {
    GOFLAGS: "-mod=vendor",
    DATABASE_URL: "postgres://u:p@db/x",
    SHOP_MODE: "x",
    GOPROXY: "y",
    EDITOR: "vi",
  };
  const [found, ...others] = variableFindings({plan: planOf(tree), project: projectOf(tree), variables});
  expect(others).toEqual([]);
  expect(found?.text).toBe("set here, but not passed to checks: DATABASE_URL, GOFLAGS, SHOP_MODE");
  expect(found?.next).toContain('"overrides": {"test":{"env":{"DATABASE_URL":"…","GOFLAGS":"…","SHOP_MODE":"…"}}}');
  expect(JSON.stringify(found)).not.toContain("vendor");
  const yarn = {...tree, ".yarnrc.yml": 'a: "${NPM_TOKEN}" # x\n# b: ${OLD_TOKEN}\nc: "${MODE:-x}"\n'};
  expect(variableFindings({plan: planOf(yarn), project: projectOf(yarn), variables: {}})).toMatchObject([
    {text: ".yarnrc.yml reads variables that are not passed on: NPM_TOKEN"},
  ]);
  expect(variableFindings({plan: planOf(tree), project: projectOf(tree), variables: {EDITOR: "vi"}})).toEqual([]);
});
