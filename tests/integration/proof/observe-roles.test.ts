/** What changed files are for, as the other files of the repository show it. */
import {expect, it} from "vitest";
import {readChange} from "../../../src/integrity/read-change.ts";
import {observeRoles} from "../../../src/proof/gate-runs/observe-roles.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

const MANIFEST = {
  ...{type: "module", main: "src/runner.js", scripts: {lint: "node tools/lint.js"}},
  ...{devDependencies: {close: "file:packages/close"}, dependencies: {money: "file:packages/money"}},
};

/** Each file, and the role that the others give it; null if none names it. */
const ROLES: readonly (readonly [path: string, role: string | null, text?: string])[] = [
  ["src/runner.js", "product"],
  ["src/hooks.js", "product"],
  ["src/entry.js", "product"],
  ["data/prices.json", "product"],
  ["packages/money/index.js", "product"],
  ["src/sum.js", "product"],
  ["support/checks.py", "gate"],
  ["tools/lint.js", "gate", 'import {readFileSync} from "node:fs";\nreadFileSync("tools/words.txt");\n'],
  ["tools/words.txt", "gate"],
  ["packages/close/index.js", "gate"],
  ["cases/sums.json", "data"],
  ["rules/own.js", "checks"],
  ["config/rules.json", "checks"],
  ["strange.toml", "checks"],
  ["locales/en.json", null],
  ["requirements.txt", null],
];

it("shows which files belong to the product, to its checks and to its tests", async () => {
  const base = Object.fromEntries(ROLES.map(([path, , text = "1;\n"]) => [path, text]));
  await using workshop = await openWorkshop({
    ...base,
    "package.json": JSON.stringify(MANIFEST),
    Makefile: "install:\n\tpip install -r requirements.txt\n",
    "packages/close/package.json": '{"name": "close", "main": "index.js"}',
    "packages/money/package.json": '{"name": "money", "main": "index.js"}',
    "eslint.config.js": 'import own from "./rules/own.js";\nexport default [own];\n',
    "webpack.config.js": 'export default {entry: "./src/entry.js"};\n',
    "biome.json": '{"extends": ["./config/rules.json"]}\n',
    "src/app.js": 'import {use} from "./hooks.js";\nread("data/prices.json", use);\n',
    "tests/sum.test.js": 'import {sum} from "../src/sum.js";\nimport "close";\nread("cases/sums.json", sum);\n',
    "tests/test_same.py": "from support.checks import same\n",
  });
  const files = Object.fromEntries(ROLES.map(([path, , text = "1;\n"]) => [path, `${text}2;\n`]));
  const {repository, candidate, plan, checkouts} = await workshop.open({
    ...{files, stages: [stageOf({name: "test", kind: "test", command: "true"})]},
  });
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) throw new Error("the change could not be read");
  const roles = await observeRoles({repository, candidate, change: change.value});
  expect(Object.fromEntries(ROLES.map(([path]) => [path, roles.get(path) ?? null]))).toEqual(
    Object.fromEntries(ROLES.map(([path, role]) => [path, role])),
  );
  await checkouts.dispose();
});
