/** The hints for missing programs, as a person at a terminal reads them. */
import {expect, test} from "vitest";
import {withLocalHints} from "../../../src/cli/local-hints.ts";
import {planOf} from "../detect/tree.ts";

test("a program is installed on this machine first; a job of GitHub gets the plan's own hint", () => {
  const plan = planOf({
    "package.json": {scripts: {test: "node --test"}, devDependencies: {a: "1"}},
    "package-lock.json": "{}",
  });
  const hintsOf = (variables: Record<string, string>) =>
    withLocalHints(plan, variables).stages.map(({tools}) => tools[0]?.hint);
  expect(hintsOf({})).toEqual([
    "install it on this machine (on GitHub: add the step `actions/setup-node` before Assay)",
  ]);
  expect(hintsOf({GITHUB_ACTIONS: "true"})).toEqual(["add the step `actions/setup-node` before Assay"]);
  expect(withLocalHints(plan, {}).setup[0]?.tools[0]?.hint).toContain("on this machine");
});
