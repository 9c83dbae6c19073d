/** The hints for missing programs, as a person at a terminal reads them. */
import {expect, test} from "vitest";
import {withLocalHints} from "../../../src/cli/local-hints.ts";
import {setupAction} from "../../../src/onboarding/init/setup-action.ts";
import {setupSteps} from "../../../src/onboarding/init/setup-steps.ts";
import {callerWorkflow, singleWorkflow} from "../../../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../../../src/request/default-phrase.ts";
import {planOf, projectOf} from "../detect/tree.ts";

const TREE = {
  "package.json": {scripts: {test: "node --test"}, devDependencies: {a: "1"}},
  "package-lock.json": "{}",
};
const plan = planOf(TREE);
const hintsOf = (files: Record<string, string>, variables: Record<string, string> = {}) =>
  withLocalHints(plan, {variables, project: projectOf({...TREE, ...files})}).stages.map(({tools}) => tools[0]?.hint);
const WORKFLOW = ".github/workflows/assay.yml";
const SETUP = ".github/actions/assay-setup/action.yml";

test("a program is installed on this machine first; a job of GitHub gets the plan's own hint", () => {
  expect(hintsOf({[WORKFLOW]: singleWorkflow([], DEFAULT_PHRASE)})).toEqual([
    "install it on this machine (on GitHub: add the step `actions/setup-node` before Assay)",
  ]);
  expect(hintsOf({}, {GITHUB_ACTIONS: "true"})).toEqual(["add the step `actions/setup-node` before Assay"]);
});

test("a job that calls Assay's workflow has no steps, so the place is the setup action, which may have it already", () => {
  const caller = {[WORKFLOW]: callerWorkflow(DEFAULT_PHRASE)};
  const missing = `install it on this machine (on GitHub, in ${SETUP}: add the step \`actions/setup-node\`)`;
  expect(hintsOf(caller)).toEqual([missing]);
  expect(hintsOf({})).toEqual([missing]);
  const written = setupAction(setupSteps(plan, projectOf(TREE))) ?? "";
  const installed = `install it on this machine (on GitHub, ${SETUP} installs it)`;
  expect(hintsOf({...caller, [SETUP]: written})).toEqual([installed]);
});
