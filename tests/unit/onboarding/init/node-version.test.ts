/** The version of Node for the workflow. */
import {expect, test} from "vitest";
import {nodeVersionLine} from "../../../../src/onboarding/init/node-version.ts";
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
  [{...ci("22", "24"), ".nvmrc": "18"}, 'node-version: "24"'],
  [ci("22", "lts/*", "24"), "node-version: lts/*"],
  [ci("lts/*", "latest", "24"), 'node-version: "latest"'],
  [engines("20"), "node-version-file: package.json"],
  [{}, "node-version: lts/*"],
])("the workflow gets a maintained version if CI or `engines` has one: %j", (tree, line) => {
  expect(nodeVersionLine(projectOf(tree))).toBe(line);
});
