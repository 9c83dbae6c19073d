/** How `verify.json` replaces, changes or switches off what was detected: every key of a stage, one row each. */
import {describe, expect, it} from "vitest";
import {applyConfig} from "../../../../src/detect/config/apply-config.ts";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {parseConfig} from "../../../../src/detect/config/parse-config.ts";
import type {SetupStep, Stage} from "../../../../src/record/plan.ts";

const detected: Stage = {
  name: "test",
  kind: "test",
  command: "vitest run",
  cwd: "web",
  timeout: 301,
  optional: false,
  env: {A: "1"},
  when: ["web/**"],
  needs: [],
  path: ["web/node_modules/.bin"],
  tools: [{name: "vitest", hint: "install it"}],
  origin: {file: "package.json", key: "scripts.test", why: "the test script"},
};
const lint: Stage = {...detected, name: "lint", kind: "lint", timeout: 60, optional: true};
const install: SetupStep = {
  command: "npm ci",
  cwd: ".",
  timeout: 600,
  inputs: ["package-lock.json"],
  provides: ["node_modules"],
  tools: [],
  origin: {file: "package-lock.json", key: "", why: "the lock file"},
};

function apply(file: object, stages: readonly Stage[] = [detected, lint]) {
  const config = parseConfig({file: "verify.json", text: JSON.stringify(file)});
  if (!config.ok) throw new Error(JSON.stringify(config.failure));
  return applyConfig({config: config.value, stages, setup: [install]});
}

function applied(file: object, stages?: readonly Stage[]) {
  const result = apply(file, stages);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

function mistakes(file: object, stages?: readonly Stage[]) {
  const result = apply(file, stages);
  if (result.ok || result.failure.kind !== "config-invalid") throw new Error("a mistake was expected");
  expect(result.failure.file).toBe("verify.json");
  return result.failure.mistakes;
}

it("keeps what was detected without a file", () => {
  const config = {...DEFAULT_CONFIG, file: null};
  expect(applyConfig({config, stages: [detected, lint], setup: [install]})).toEqual({
    ok: true,
    value: {stages: [detected, lint], setup: [install]},
  });
});

describe("overrides", () => {
  it("adds extra stages, whose names and needs must fit the detected ones", () => {
    const docs = {name: "docs", command: "mkdocs build"};
    expect(applied({extraStages: [{...docs, needs: ["test"]}]}).stages).toMatchObject([
      {name: "test"},
      {name: "lint"},
      {...docs, needs: ["test"], origin: {key: "extraStages[0]"}},
    ]);
    expect(mistakes({extraStages: [{...docs, name: "test", needs: ["tset"]}]})).toMatchObject([
      {path: "extraStages[0].name"},
      {path: "extraStages[0].needs[0]"},
    ]);
    const both = parseConfig({file: "verify.json", text: JSON.stringify({stages: [docs], extraStages: [docs]})});
    expect(both.ok).toBe(false);
  });
  const why = "the test script; changed by overrides in verify.json";
  const origin = {...detected.origin, why};

  it.each<[object, Partial<Stage>]>([
    [{}, {}],
    [{command: "jest"}, {command: "jest", tools: []}],
    [{cwd: "./app/"}, {cwd: "app"}],
    [{cwd: "a/./b//c"}, {cwd: "a/./b//c"}],
    [{timeout: 900}, {timeout: 900}],
    [{optional: true}, {optional: true}],
    [{when: ["a/**"]}, {when: ["a/**"]}],
    [{needs: ["lint"]}, {needs: ["lint"]}],
    [{env: {B: "2"}}, {env: {A: "1", B: "2"}}],
    [{env: {A: "3"}}, {env: {A: "3"}}],
    [{kind: "lint"}, {kind: "lint", timeout: 60, optional: true}],
    [{kind: "typecheck"}, {kind: "typecheck", timeout: 120, optional: false}],
    [
      {kind: "lint", timeout: 7, optional: false},
      {kind: "lint", timeout: 7, optional: false},
    ],
  ])("%j changes nothing else", (change, expected) => {
    expect(applied({overrides: {test: change}}).stages).toEqual([{...detected, origin, ...expected}, lint]);
  });

  it("switches a stage off", () => expect(applied({overrides: {test: false}}).stages).toEqual([lint]));

  it("takes no inherited name for an override", () => {
    const odd = {...detected, name: "constructor"};
    expect(applied({}, [odd]).stages).toEqual([odd]);
  });

  it.each<[object, readonly Stage[], string, string, string]>([
    [{tset: false}, [detected], "overrides.tset", "does not name a detected check", "did you mean `test`?"],
    [
      {coverage: {}},
      [detected, lint],
      "overrides.coverage",
      "does not name a detected check",
      "detected checks: test, lint",
    ],
    [
      {coverage: {}},
      [],
      "overrides.coverage",
      "does not name a detected check",
      "no checks were detected here; use `stages`",
    ],
    [
      {test: {needs: ["lnit"]}},
      [detected, lint],
      "overrides.test.needs[0]",
      "does not name another detected check",
      "did you mean `lint`?",
    ],
    [
      {test: {needs: ["lint", "test"]}},
      [detected, lint],
      "overrides.test.needs[1]",
      "does not name another detected check",
      "did you mean `test`?",
    ],
  ])("%j is one mistake", (overrides, stages, path, message, hint) => {
    expect(mistakes({overrides}, stages)).toEqual([{path, message, hint}]);
  });

  it("reports a wrong name and a wrong need together", () => {
    expect(mistakes({overrides: {tset: {needs: ["lnit"]}}}).map(({path}) => path)).toEqual([
      "overrides.tset",
      "overrides.tset.needs[0]",
    ]);
  });

  it("lists at most 20 stages", () => {
    const many = Array.from({length: 25}, (_, at) => ({...detected, name: `stage${at}`}));
    const [mistake] = mistakes({overrides: {x: false}}, many);
    expect(mistake?.hint.split(", ")).toHaveLength(20);
  });
});

describe("stages", () => {
  const plain = {
    kind: "test",
    cwd: ".",
    timeout: 300,
    optional: false,
    env: {},
    when: [],
    needs: [],
    path: ["node_modules/.bin"],
    tools: [],
    origin: {file: "verify.json", key: "stages[0]", why: "configured by the owner"},
  };

  it.each<[object, object]>([
    [{name: "test", command: "x"}, {}],
    [{name: "test", command: "x", detected: true}, {}],
    [{name: "test", command: "x", description: "the money"}, {origin: {...plain.origin, why: "the money"}}],
    [{name: "unit-of-us", command: "vitest run"}, {}],
    [
      {name: "x", command: "x"},
      {kind: "check", timeout: 600},
    ],
    [
      {name: "x", command: "x", kind: "build"},
      {kind: "build", timeout: 300},
    ],
    [
      {name: "lint", command: "x"},
      {kind: "lint", timeout: 60, optional: true},
    ],
    [
      {name: "lint", command: "x", optional: false},
      {kind: "lint", timeout: 60, optional: false},
    ],
    [
      {name: "test", command: "x", cwd: "./web//"},
      {cwd: "web", path: ["web/node_modules/.bin", "node_modules/.bin"]},
    ],
    [{name: "test", command: "x", cwd: "././"}, {cwd: "."}],
    [
      {name: "test", command: "x", timeout: 9, env: {A: "1"}, when: ["a"]},
      {timeout: 9, env: {A: "1"}, when: ["a"]},
    ],
  ])("%j", (own, expected) => {
    const {name, command} = {name: "", command: "", ...own};
    expect(applied({stages: [own]}).stages).toEqual([{...plain, name, command, ...expected}]);
  });

  it("replaces every detected stage and keeps the order and the needs", () => {
    const file = {
      stages: [
        {name: "build", command: "make"},
        {name: "test", command: "make test", needs: ["build"]},
      ],
    };
    const stages = applied(file).stages.map(({name, needs, origin}) => ({name, needs, key: origin.key}));
    expect(stages).toEqual([
      {name: "build", needs: [], key: "stages[0]"},
      {name: "test", needs: ["build"], key: "stages[1]"},
    ]);
  });

  it("may be empty", () => expect(applied({stages: []}).stages).toEqual([]));
});

describe("setup", () => {
  const plain = {cwd: ".", timeout: 600, inputs: ["**"], provides: [], tools: []};
  const origin = (at: number) => ({file: "verify.json", key: `setup[${at}]`, why: "configured by the owner"});

  it("stays as detected unless the file has it", () => expect(applied({}).setup).toEqual([install]));
  it("can be switched off", () => expect(applied({setup: false}).setup).toEqual([]));
  it("replaces what was detected", () => {
    const full = {command: "make deps", cwd: "web/", timeout: 5, inputs: ["a"], provides: ["b"]};
    expect(applied({setup: ["npm ci", full]}).setup).toEqual([
      {...plain, command: "npm ci", origin: origin(0)},
      {...full, cwd: "web", tools: [], origin: origin(1)},
    ]);
  });
});
