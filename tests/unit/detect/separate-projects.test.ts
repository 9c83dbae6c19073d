/** Projects below the root that no command of the root reads: their checks are stages, and are covered by no other. */
import {expect, it} from "vitest";
import {steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";

type Tree = Record<string, string | object>;
const crate = (name: string, more = "") => `[package]\nname = "${name}"\n${more}`;
const NODE = {devDependencies: {vitest: "1"}, scripts: {test: "vitest run"}};

it.each<[string, Tree, string, string[], string[]]>([
  [
    "a crate outside of the workspace, and another workspace",
    {
      "Cargo.toml": '[workspace]\nmembers = ["a"]\n',
      "a/Cargo.toml": crate("a"),
      "b/Cargo.toml": crate("b"),
      "fuzzing/Cargo.toml": crate("f", "[workspace]\n"),
    },
    "cargo test",
    [".", "a", "b", "fuzzing"],
    [
      "stage cargo test → test",
      "stage cargo test → a:test",
      "stage cargo test → b:test",
      "stage cargo test → fuzzing:test",
    ],
  ],
  [
    "a nested module of Go, and a folder of the root's",
    {"go.mod": "module a\n", "a_test.go": "", "sub/go.mod": "module b\n", "sub/a_test.go": "", "in/a_test.go": ""},
    "go test ./...",
    [".", "sub", "in"],
    ["stage go test ./... → test", "stage go test ./... → sub:test", "stage go test ./... → in:test"],
  ],
  [
    "a package outside of the workspaces",
    {
      "package.json": {workspaces: ["packages/*"], scripts: {test: "npm test -ws"}},
      "packages/a/package.json": {name: "a", ...NODE},
      "app/package.json": {name: "app", ...NODE},
    },
    "npm test",
    ["packages/a", "app"],
    ["stage npm test → packages/a:test", "stage npm test → app:test"],
  ],
])("%s", (_, tree, command, folders, expected) => {
  const runs = folders.map((folder) => `run: ${command}\n        working-directory: ${folder}`);
  expect(accountOf({...tree, ...workflow(steps(...runs))})).toEqual(expected);
});
