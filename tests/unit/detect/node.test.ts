/** Node projects: scripts, package managers, tools without scripts, workspaces. */
import {describe, expect, it} from "vitest";
import {cpuClock} from "../report/cpu-time.ts";
import {stages} from "./placed.ts";
import {planOf} from "./tree.ts";

const scripts = (entries: Record<string, string>, more: object = {}) => ({"package.json": {scripts: entries, ...more}});

describe("scripts", () => {
  it.each<[string, Record<string, string | object>, string[]]>([
    ["nothing", {"README.md": "x"}, []],
    ["no scripts", {"package.json": {}}, []],
    [
      "one per kind, in order",
      scripts({build: "vite build", test: "vitest run", lint: "eslint .", typecheck: "tsc --noEmit", dev: "vite"}),
      ["typecheck: npm run typecheck", "lint: npm run lint", "test: npm run test", "build: npm run build"],
    ],
    ["placeholder", scripts({test: 'echo "Error: no test specified" && exit 1'}), []],
    ["watcher", scripts({test: "vitest"}), ["test: vitest run"]],
    ["watcher without a one-shot form", scripts({test: "nodemon --exec mocha"}), []],
    ["fixer", scripts({lint: "eslint . --fix"}), ["lint: eslint ."]],
    ["writer", scripts({lint: "prettier --write ."}), ["lint: prettier --check ."]],
    ["npx of an installed tool", scripts({lint: "npx eslint ."}), ["lint: eslint ."]],
    ["npx of a strange tool", scripts({lint: "npx some/tool@latest"}), []],
    [
      "next best name when the first is unsafe",
      scripts({test: "playwright test", "test:unit": "mocha"}),
      ["test: npm run test:unit"],
    ],
    [
      "composite",
      scripts({test: "npm run lint && npm run types && vitest run", lint: "eslint .", types: "tsc --noEmit"}),
      ["typecheck: npm run types", "lint: npm run lint", "test: npm run test"],
    ],
    ["linter and tests in one line", scripts({test: "xo && ava"}), ["test: npm run test"]],
    ["build before tests stays together", scripts({test: "tsc && mocha dist"}), ["test: npm run test"]],
    ["pre script", scripts({pretest: "eslint .", test: "mocha"}), ["test: npm run test"]],
    ["pre script that must run", scripts({pretest: "node make-fixtures.js", test: "mocha"}), ["test: npm run test"]],
    [
      "run-s with a pattern",
      scripts({test: "run-s test:*", "test:lint": "eslint .", "test:unit": "ava"}),
      ["lint: npm run test:lint", "test: npm run test"],
    ],
    ["shell features", scripts({test: "NODE_ENV=test mocha $ARGS"}), ["test: npm run test"]],
    ["a circle that would never end", scripts({test: "npm run a", a: "npm run test"}), []],
    [
      "a script that changes the folder stays whole",
      scripts({test: "cd web && eslint . && npm test"}),
      ["test: npm run test"],
    ],
    ["release in the middle", scripts({check: "npm test && npm publish", test: "mocha"}), ["test: npm run test"]],
    [
      "e2e part of a composite is left out",
      scripts({test: "npm run test:unit && npm run test:e2e", "test:unit": "mocha", "test:e2e": "node e2e.js"}),
      ["test: npm run test:unit"],
    ],
    ["bun test script is not bun's runner", {...scripts({test: "vitest run"}), "bun.lock": ""}, ["test: bun run test"]],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

describe("package managers", () => {
  const built = {scripts: {build: "node build.js"}, devDependencies: {x: "1"}};
  it.each<[string, Record<string, string | object>, string, string]>([
    [
      "npm ci",
      {"package.json": built, "package-lock.json": "{}"},
      "npm run build",
      "npm ci --ignore-scripts --no-audit --no-fund",
    ],
    [
      "no lock",
      {"package.json": built},
      "npm run build",
      "npm install --no-package-lock --ignore-scripts --no-audit --no-fund",
    ],
    [
      "pnpm",
      {"package.json": built, "pnpm-lock.yaml": ""},
      "pnpm run build",
      "pnpm install --frozen-lockfile --ignore-scripts",
    ],
    [
      "yarn classic",
      {"package.json": built, "yarn.lock": ""},
      "yarn run build",
      "yarn install --frozen-lockfile --ignore-scripts --non-interactive",
    ],
    [
      "yarn berry",
      {"package.json": built, "yarn.lock": "", ".yarnrc.yml": "nodeLinker: node-modules"},
      "yarn run build",
      "yarn install --immutable --mode=skip-build",
    ],
    ["bun", {"package.json": built, "bun.lock": ""}, "bun run build", "bun install --frozen-lockfile --ignore-scripts"],
    [
      "field before lock",
      {"package.json": {...built, packageManager: "pnpm@9.0.0"}, "yarn.lock": "", "pnpm-lock.yaml": ""},
      "pnpm run build",
      "pnpm install --frozen-lockfile --ignore-scripts",
    ],
  ])("%s", (_, tree, build, install) => {
    const plan = planOf(tree);
    expect(plan.stages.map((stage) => stage.command)).toEqual([build]);
    expect(plan.setup.map((step) => step.command)).toEqual([install]);
  });

  it("with plug'n'play starts everything through yarn", () =>
    expect(stages({"package.json": {scripts: {lint: "eslint ."}}, "yarn.lock": "", ".yarnrc.yml": ""})).toEqual([
      "lint: yarn run lint",
    ]));
});

describe("tools without scripts", () => {
  const dev = (...names: string[]) => ({devDependencies: Object.fromEntries(names.map((name) => [name, "1"]))});
  it.each<[string, Record<string, string | object>, string[]]>([
    ["tsc", {"package.json": dev("typescript"), "tsconfig.json": "{}"}, ["typecheck: tsc --noEmit"]],
    [
      "tsc -b",
      {"package.json": dev("typescript"), "tsconfig.json": '{"files": [], "references": [{"path": "./a"}],}'},
      ["typecheck: tsc -b"],
    ],
    ["solution of nothing", {"package.json": dev("typescript"), "tsconfig.json": '{"files": []}'}, []],
    ["tsconfig without typescript", {"package.json": {}, "tsconfig.json": "{}"}, []],
    ["vue", {"package.json": dev("typescript", "vue-tsc"), "tsconfig.json": "{}"}, ["typecheck: vue-tsc --noEmit"]],
    ["eslint, flat", {"package.json": dev("eslint"), "eslint.config.mts": ""}, ["lint: eslint ."]],
    ["eslint without config", {"package.json": dev("eslint")}, []],
    ["biome", {"package.json": dev("@biomejs/biome"), "biome.jsonc": "{}"}, ["lint: biome check ."]],
    ["vitest", {"package.json": dev("vitest"), "vitest.config.ts": ""}, ["test: vitest run"]],
    [
      "bun's own tests",
      {"package.json": {}, "bun.lock": "", "a.test.ts": 'import {test} from "bun:test"'},
      ["test: bun test"],
    ],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

describe("workspaces", () => {
  const member = (entries: Record<string, string>) => ({scripts: entries});
  it("leaves members to the root's script", () =>
    expect(
      stages({
        "package.json": {workspaces: ["packages/*"], scripts: {test: "vitest run"}},
        "packages/a/package.json": member({test: "vitest run"}),
      }),
    ).toEqual(["test: npm run test"]));
  it("runs a script of the members from the root", () =>
    expect(
      stages({
        "package.json": {},
        "pnpm-workspace.yaml": "packages: ['packages/*', '!packages/b']",
        "packages/a/package.json": member({test: "mocha"}),
        "packages/b/package.json": member({lint: "eslint ."}),
      }),
    ).toEqual(
      ["lint: pnpm run lint @packages/b", "test: pnpm -r --if-present run test"].map((line) =>
        line.replace("lint:", "packages/b:lint:"),
      ),
    ));
  it("prefers turbo's task", () =>
    expect(
      stages({
        "package.json": {workspaces: ["p/*"]},
        "turbo.json": '{"tasks": {"test": {}}}',
        "p/a/package.json": member({test: "mocha"}),
      }),
    ).toEqual(["test: turbo run test"]));
  it("plans nested projects, and not fixtures", () =>
    expect(
      stages({
        "web/package.json": member({build: "vite build"}),
        "test/fixtures/x/package.json": member({test: "mocha"}),
        "examples/y/package.json": member({test: "mocha"}),
      }),
    ).toEqual(["web:build: npm run build @web"]));
});

it("knows which scripts a pattern of pnpm starts", () => {
  const tree = (test: string) =>
    scripts(
      {test, "test:unit": "vitest run", "test:types": "tsc --noEmit", "test:e2e": "playwright test"},
      {packageManager: "pnpm@10.0.0"},
    );
  const both = ["typecheck: pnpm run test:types", "test: pnpm run test:unit"];
  expect(stages(tree("pnpm --aggregate-output '/^test:(unit|e2e)$/' && pnpm test:types"))).toEqual(both);
  expect(stages(tree("pnpm run '/^test:.*/'"))).toEqual(both);
  const started = cpuClock();
  stages(tree(`pnpm run '/^(${"t+".repeat(20)})+$/'`));
  expect(cpuClock() - started).toBeLessThan(1000);
});

it("knows tools that are started by their path", () => {
  const written = scripts({lint: "node node_modules/prettier/bin/prettier.cjs --write ."});
  expect(stages(written)).toEqual(["lint: prettier --check ."]);
});

it("knows tests among several tasks of turbo, and mocha's words from a user interface", () => {
  const turbo = {"turbo.json": {tasks: {test: {}, "test-types": {}}}, "package-lock.json": "{}"};
  expect(stages({...scripts({test: "turbo run test test-types"}), ...turbo})).toEqual(["test: npm run test"]);
  expect(
    stages(scripts({test: "run-s test-node test-e2e", "test-node": "mocha --ui tdd", "test-e2e": "playwright test"})),
  ).toEqual(["test: npm run test-node"]);
});

it("no install brings node: a command of node itself asks for it on the machine", () => {
  const manifest = {devDependencies: {eslint: "9"}, scripts: {test: "node --test --watch"}};
  const {stages} = planOf({"package.json": manifest, "a.test.js": "", "eslint.config.js": ""});
  const tool = stages.flatMap(({tools}) => tools).find(({name}) => name === "node");
  expect(tool?.hint).toContain("actions/setup-node");
});

describe("the repository's own scripts of an install", () => {
  const names = ["dependencies", "pnpm:devPreinstall", "preinstall", "install", "postinstall", "prepublish"];
  const all = [...names, "preprepare", "prepare", "postprepare", "prepack", "test"];
  const scripts = Object.fromEntries(all.map((name) => [name, `node x.js ${name}`]));
  const tree = (files: Record<string, string | object>) => ({
    "package.json": {scripts, workspaces: ["packages/*"]},
    "packages/a/package.json": {scripts, name: "a", dependencies: {b: "*"}},
    "packages/b/package.json": {scripts, name: "b", version: "2.0.0", config: {port: "80"}},
    ...files,
  });
  const own = (files: Record<string, string | object>) =>
    planOf(tree(files)).setup.filter(({ownScript}) => ownScript !== undefined);
  const DURING = ["preinstall", "install", "postinstall"];
  const PREPARE = ["preprepare", "prepare", "postprepare"];

  // As seen in the installs of these managers, with this tree.
  it.each([
    [
      "npm",
      {"package-lock.json": "{}"},
      ["preinstall", "prepare", "install", "postinstall"],
      ["dependencies", ...DURING, "prepublish", ...PREPARE],
    ],
    ["pnpm", {"pnpm-lock.yaml": "x: 1\n"}, [...DURING, ...PREPARE], ["pnpm:devPreinstall", ...DURING, ...PREPARE]],
    ["yarn 1", {"yarn.lock": "", ".npmrc": "ignore-scripts=true\n"}, DURING, [...DURING, "prepublish", "prepare"]],
    [
      "yarn 2 and later",
      {"yarn.lock": "", ".yarnrc.yml": "nodeLinker: node-modules\nenableScripts: false\n"},
      DURING,
      DURING,
    ],
    ["bun", {"bun.lock": ""}, [...DURING, "prepare"], [...DURING, ...PREPARE]],
  ])("%s", (_, files, ofMember, ofRoot) => {
    expect(own(files).map(({cwd, command}) => `${cwd} ${command.slice(10)}`)).toEqual([
      ...["packages/b", "packages/a"].flatMap((folder) => ofMember.map((name) => `${folder} ${name}`)),
      ...ofRoot.map((name) => `. ${name}`),
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ["npm", {"package-lock.json": "{}", ".npmrc": "ignore-scripts=true\n"}],
    ["bun", {"bun.lock": "", ".npmrc": "ignore-scripts = true\n"}],
    ["pnpm", {"pnpm-lock.yaml": "x: 1\n", "pnpm-workspace.yaml": "packages: [packages/*]\nignoreScripts: true\n"}],
    ["yarn 1", {"yarn.lock": "", ".yarnrc": "ignore-scripts true\n"}],
    ["yarn 1 with a flag", {"yarn.lock": "", ".yarnrc": "--install.ignore-scripts true\n"}],
  ])("none if %s is told to ignore them", (_, files) => expect(own(files)).toEqual([]));

  it("they see the variables of their manager", () => {
    const [step] = own({"yarn.lock": ""});
    expect(step?.ownScript).toEqual({
      path: ["packages/b/node_modules/.bin", "packages/node_modules/.bin", "node_modules/.bin"],
      env: {
        npm_package_name: "b",
        npm_package_version: "2.0.0",
        npm_package_config_port: "80",
        npm_lifecycle_event: "preinstall",
        npm_lifecycle_script: "node x.js preinstall",
        npm_execpath: "yarn",
        npm_config_user_agent: "yarn/0",
      },
    });
  });
});
