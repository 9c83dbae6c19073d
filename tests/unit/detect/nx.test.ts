/** Nx workspaces: targets of projects and plugins, and root scripts that no longer run. */
import {expect, it} from "vitest";
import {notes, stages} from "./placed.ts";

const manifest = (scripts: object) => ({"package.json": {scripts, devDependencies: {nx: "1"}}});

it.each<[string, Record<string, string | object>, string[]]>([
  [
    "targets of projects, not those that serve",
    {...manifest({}), "nx.json": {}, "apps/a/project.json": {targets: {build: {}, test: {}, serve: {}, e2e: {}}}},
    ["test: nx run-many -t test", "build: nx run-many -t build"],
  ],
  [
    "targets that plugins infer, by their names",
    {
      ...manifest({}),
      "nx.json": {plugins: ["@nx/eslint/plugin", {plugin: "@nx/vite/plugin", options: {testTargetName: "test"}}]},
    },
    ["lint: nx run-many -t lint", "test: nx run-many -t test"],
  ],
  [
    "a root script without a project is stale",
    {...manifest({test: "nx test", lint: "nx workspace-lint && nx lint"}), "nx.json": {targetDefaults: {test: {}}}},
    ["test: nx run-many -t test"],
  ],
  [
    "a default project is not the workspace",
    {...manifest({test: "nx test"}), "nx.json": {defaultProject: "a", targetDefaults: {test: {}}}},
    ["test: nx run-many -t test"],
  ],
  [
    "a formatter is not the linter",
    {...manifest({"format:check": "nx format:check"}), "nx.json": {plugins: ["@nx/eslint/plugin"]}},
    ["lint: nx run-many -t lint", "lint:format: npm run format:check"],
  ],
  ["a script that names a project stays", {...manifest({test: "nx test a"}), "nx.json": {}}, ["test: npm run test"]],
])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));

it("says that a stale script was skipped", () => {
  expect(notes({...manifest({test: "nx test"}), "nx.json": {}}).join("\n")).toContain("at most the default one");
});
