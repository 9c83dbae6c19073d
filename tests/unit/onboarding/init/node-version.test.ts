/** The version of Node for the workflow, and other versions than that of this machine. */
import {expect, test} from "vitest";
import {nodeVersionLine, otherNodeVersions} from "../../../../src/onboarding/init/node-version.ts";
import {projectOf} from "../../detect/tree.ts";

const ci = (...versions: readonly string[]) => ({
  ".github/workflows/ci.yml": `jobs:\n  a:\n    strategy: {matrix: {node: ${JSON.stringify(versions)}}}\n    steps: [{uses: actions/setup-node@v4, with: {node-version: "\${{ matrix.node }}"}}]\n`,
});
const engines = (node: string) => ({"package.json": {engines: {node}}});

test.each<[Record<string, string | object>, string]>([
  [{...ci("14", "16"), ...engines(">=14")}, "node-version-file: package.json"],
  [ci("14", "16"), 'node-version: "16"'],
  [ci("14", "16", "lts/*"), "node-version: lts/*"],
  [{...ci("16", "22.x", "24"), ...engines("16")}, 'node-version: "24"'],
  [{...ci("16"), ".nvmrc": "18"}, "node-version-file: .nvmrc"],
  [engines("20"), "node-version-file: package.json"],
  [{}, "node-version: lts/*"],
])("the workflow gets a maintained version if CI or `engines` has one: %j", (tree, line) => {
  expect(nodeVersionLine(projectOf(tree))).toBe(line);
});

test.each<[Record<string, string | object>, string | null]>([
  [ci("22", "24"), "CI uses 22, 24"],
  [ci("20.x", "24"), null],
  [ci("24", "lts/*"), null],
  [{...ci("20"), ".nvmrc": "v18.2.0\n"}, ".nvmrc names 18"],
  [engines(">=22"), "`engines` names >=22"],
  [engines(">=18 <20"), "`engines` names >=18 <20"],
  [engines("^18.1 || >=20.5"), null],
  [engines(">= 18"), null],
  [engines("16 - 18"), null],
  [{}, null],
])("Node 20 here is another version than the repository's: %j", (tree, others) => {
  expect(otherNodeVersions(projectOf(tree), "20.11.1")).toBe(others);
});
