/** Projects in folders: which of them count beside the one at the root. */
import {describe, expect, it} from "vitest";
import {readMentions} from "../../../src/detect/proposals/mentioned-folders.ts";
import {isSampleFolder, isSupportFolder} from "../../../src/detect/proposals/project-roots.ts";
import {planOf, projectOf} from "./tree.ts";

const CI = ".github/workflows/ci.yml";
const workflow = (...runs: string[]) =>
  JSON.stringify({on: "push", jobs: {ci: {"runs-on": "ubuntu-latest", steps: runs.map((run) => ({run}))}}});
const NODE = {scripts: {test: "mocha"}};

/** `folder/package.json` beside a project at the root, with this CI. */
const planned = (folder: string, runs: string[] | null, more: Record<string, string | object> = {}) =>
  planOf({
    "package.json": NODE,
    [`${folder}/package.json`]: NODE,
    ...(runs === null ? {} : {[CI]: workflow(...runs)}),
    ...more,
  });

describe("a nested project beside one at the root", () => {
  it.each<[string, string, string[] | null, Record<string, string | object>, boolean]>([
    ["no CI", "server", null, {}, true],
    ["CI that never mentions it", "server", ["npm test"], {}, false],
    ["CI goes there", "server", ["npm test", "cd server && npm test"], {}, true],
    ["CI names a file in it", "server", ["npm test", "./server/test.sh"], {}, true],
    ["the folder is only a part of another word", "serv", ["npm run server"], {}, false],
    ["the name comes from a list", "apps/web", ["npm --prefix apps/$APP test", "echo web"], {}, true],
    ["a sweep over all manifests", "server", ["find . -name package.json -execdir npm test ;"], {}, true],
    [
      "a task runner of the root goes there",
      "server",
      ["npm test"],
      {Makefile: "all:\n\tcd server && npm test\n"},
      true,
    ],
    ["its website, where CI tests it", "website", ["npm test", "cd website && npm test"], {}, true],
    ["its tools, without CI", "tools/dump", null, {}, false],
    ["its documentation", "dev-docs", null, {}, false],
  ])("%s", (_, folder, runs, more, kept) => {
    const made = planned(folder, runs, more);
    expect(made.stages.some((stage) => stage.cwd === folder)).toBe(kept);
    expect(made.stages.some((stage) => stage.cwd === ".")).toBe(true);
  });

  it("notes the skipped project", () => {
    expect(planned("server", ["npm test"]).notes).toContainEqual({
      about: "server",
      text: "this project is skipped: neither CI nor a task runner of the root folder mentions it",
    });
    expect(planned("server", ["npm test"]).setup.every((step) => step.cwd === ".")).toBe(true);
  });

  it("stays where the root holds no project, whatever CI says", () => {
    const made = planOf({"tools/package.json": NODE, "api/package.json": NODE, [CI]: workflow("docker compose up")});
    expect(made.stages.map((stage) => stage.cwd)).toEqual(["api", "tools"]);
  });
});

describe("folders", () => {
  it.each([
    ["docs", true],
    ["dev-docs", true],
    ["docs/compatible_configs/flake8", true],
    ["runtime-tests/deno", true],
    ["integration_test", true],
    ["with-script-example", true],
    ["packages/docs", true],
    ["packages/core", false],
    ["docsify", false],
    ["backend", false],
    [".", false],
  ])("%s is material: %s", (folder, material) => expect(isSampleFolder(folder)).toBe(material));

  it.each([
    ["website", true],
    ["support", true],
    ["hack/tools", true],
    ["maven-tests", true],
    ["frontend", false],
    ["packages/toolset", false],
  ])("%s serves another: %s", (folder, serves) => expect(isSupportFolder(folder)).toBe(serves));
});

it("reads no more than the files that start checks", () => {
  const mentions = readMentions(projectOf({"README.md": "cd server", [CI]: "run: cd api/v2"}));
  expect([mentions.ci, mentions.has("server"), mentions.has("api/v2"), mentions.has("api")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

describe("folders whose manifests are no projects of their own", () => {
  it.each(["Examples/app", "tutorials", "bricks/a", "test-goldens/init", "test_suite/no_std", "test_max_level"])(
    "%s",
    (folder) => expect(isSampleFolder(folder)).toBe(true),
  );

  it("the native half of an application", () => {
    const gradle = {"android/build.gradle": "", "app/android/build.gradle": ""};
    const folders = (tree: Record<string, string | object>) => new Set(planOf(tree).stages.map((stage) => stage.cwd));
    expect(folders({...gradle, "app/pubspec.yaml": "name: a\n"})).toEqual(new Set(["android", "app"]));
    expect(folders({"package.json": NODE, "ios/Package.swift": ""})).toEqual(new Set(["."]));
  });
});

it("sets up no folder that nothing checks", () => {
  const needs = {dependencies: {x: "1"}};
  const made = planOf({
    "package.json": NODE,
    "bots/package.json": {...needs, scripts: {start: "node ."}},
    "app/package.json": {...NODE, ...needs},
  });
  expect(made.setup.map((step) => step.cwd)).toEqual(["app"]);
});
