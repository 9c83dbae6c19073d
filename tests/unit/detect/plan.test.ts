/** The plan as a whole: order, overrides, choice among drafts, what a change touches, and how it is shown. */
import {describe, expect, it} from "vitest";
import {parseConfig} from "../../../src/detect/config/parse-config.ts";
import {plan} from "../../../src/detect/plan.ts";
import {planMarkdown, planTable} from "../../../src/detect/plan-table.ts";
import type {CandidateStage, Ecosystem} from "../../../src/detect/proposals/ecosystem.ts";
import {planSchema} from "../../../src/record/plan.ts";
import {planOf, projectOf} from "./tree.ts";

const TREE = {
  "package.json": {scripts: {lint: "eslint .", test: "mocha", build: "node b.js"}},
  "web/package.json": {scripts: {test: "ava"}},
};

function configured(text: object, tree: Record<string, string | object> = TREE, changed?: string[]) {
  const config = parseConfig({file: "verify.json", text: JSON.stringify(text)});
  if (!config.ok) throw new Error(JSON.stringify(config.failure));
  return plan({project: projectOf(tree), config: config.value, ...(changed ? {changed} : {})});
}
const names = (made: ReturnType<typeof configured>) => (made.ok ? made.value.stages.map((stage) => stage.name) : []);

/** An ecosystem that gives these drafts at the root. */
const giving = (...drafts: (Partial<CandidateStage> & {command: string})[]): Ecosystem => ({
  name: "made-up",
  title: "Made up",
  manifests: ["package.json"],
  where: "beside",
  detect: () => ({
    checks: drafts.map((draft) => ({
      kind: "test",
      evidence: "tool",
      origin: {file: "package.json", key: draft.command, why: "a test"},
      ...draft,
    })),
  }),
});
function chosen(...drafts: (Partial<CandidateStage> & {command: string})[]) {
  const config = parseConfig({file: "verify.json", text: "{}"});
  if (!config.ok) throw new Error("no config");
  const made = plan({project: projectOf({"package.json": {}}), config: config.value, ecosystems: [giving(...drafts)]});
  if (!made.ok) throw new Error("no plan");
  return made.value;
}
const commands = (...drafts: (Partial<CandidateStage> & {command: string})[]) =>
  chosen(...drafts).stages.map((stage) => stage.command);

describe("the plan", () => {
  it("is of its schema, ordered by kind, root before nested, with the defaults of the kinds", () => {
    const made = planOf(TREE);
    expect(planSchema.parse(made)).toEqual(made);
    expect(made.stages.map((stage) => [stage.name, stage.timeout, stage.optional])).toEqual([
      ["lint", 60, true],
      ["test", 300, false],
      ["web:test", 300, false],
      ["build", 300, false],
    ]);
  });

  it("keeps what a change touches, and all for a change of the root", () => {
    expect(names(configured({}, TREE, ["web/a.js"]))).toEqual(["lint", "test", "web:test", "build"]);
    const two = {"a/package.json": TREE["web/package.json"], "b/package.json": TREE["web/package.json"]};
    expect(names(configured({}, two, ["a/x.js"]))).toEqual(["a:test"]);
    expect(names(configured({}, two, ["tsconfig.base.json"]))).toEqual(["a:test", "b:test"]);
  });

  it("lets overrides change, switch off, and name only what is there", () => {
    const made = configured({
      overrides: {
        test: {timeout: 900, command: "npm run test:ci"},
        lint: false,
        build: {optional: true, env: {A: "1"}},
      },
    });
    expect(
      made.ok && made.value.stages.map((stage) => [stage.name, stage.command, stage.timeout, stage.optional]),
    ).toEqual([
      ["test", "npm run test:ci", 900, false],
      ["web:test", "npm run test", 300, false],
      ["build", "npm run build", 300, true],
    ]);
    const wrong = configured({overrides: {tset: false, build: {needs: ["nope"]}}});
    expect(wrong).toMatchObject({
      ok: false,
      failure: {
        kind: "config-invalid",
        file: "verify.json",
        mistakes: [{path: "overrides.tset", hint: "did you mean `test`?"}, {path: "overrides.build.needs[0]"}],
      },
    });
  });

  it("lets stages and setup replace what was detected", () => {
    const made = configured({
      stages: [
        {name: "unit", command: "./t.sh", cwd: "./web/"},
        {name: "lint", command: "x", timeout: 5},
      ],
      setup: false,
    });
    expect(made.ok && made.value.setup).toEqual([]);
    expect(made.ok && made.value.stages).toMatchObject([
      {
        name: "unit",
        kind: "test",
        cwd: "web",
        timeout: 300,
        optional: false,
        origin: {file: "verify.json", key: "stages[0]"},
      },
      {name: "lint", kind: "lint", cwd: ".", timeout: 5, optional: true},
    ]);
  });

  it("points each origin at a file that exists", () => {
    const project = projectOf(TREE);
    for (const stage of planOf(TREE).stages) expect(project.has(stage.origin.file)).toBe(true);
  });
});

describe("choosing among drafts", () => {
  it("screens the command, and what it comes down to", () => {
    const made = chosen(
      {command: "make test", runs: ["docker compose up"]},
      {command: "jest --watch"},
      {command: "pytest"},
    );
    expect(made.stages.map((stage) => stage.command)).toEqual(["pytest"]);
    expect(made.notes.map((note) => note.text)).toEqual([
      expect.stringContaining("`make test` skipped"),
      expect.stringContaining("`jest --watch` skipped"),
    ]);
  });
  it("trusts a recipe over the name of its target", () =>
    expect(
      commands(
        {command: "make fmt", kind: "lint", runs: ["gofmt -l ."]},
        {command: "make format", kind: "lint", runs: ["gofmt -w ."]},
      ),
    ).toEqual(["make fmt"]));
  it("lets CI choose within a slot", () => {
    const slot = {slot: "s", evidence: "named" as const};
    expect(commands({...slot, command: "npm run test"}, {...slot, command: "npm run test-ci"})).toEqual([
      "npm run test",
    ]);
    expect(
      commands(
        {...slot, command: "npm run test"},
        {...slot, command: "npm run test-ci"},
        {command: "npm run test-ci", evidence: "ci"},
      ),
    ).toEqual(["npm run test-ci"]);
  });
  it("lets CI confirm", () =>
    expect(
      chosen({command: "pytest -q"}, {command: "uv run pytest", evidence: "ci"}).stages.map((stage) => [
        stage.command,
        stage.origin.why,
      ]),
    ).toEqual([["uv run pytest", "a test"]]));
  it("falls back on CI for a kind, and for a further linter", () =>
    expect(
      commands(
        {command: "eslint .", kind: "lint"},
        {command: "eslint src", kind: "lint", evidence: "ci"},
        {command: "pyright", kind: "typecheck", evidence: "ci"},
        {command: "shellcheck x.sh", kind: "lint", evidence: "ci"},
        {command: "pytest", evidence: "ci"},
        {command: "nox", evidence: "ci"},
      ),
    ).toEqual(["pyright", "eslint src", "shellcheck x.sh", "pytest", "nox"]));
  it("takes the named command for the tool that it runs, and keeps other tools", () =>
    expect(
      commands(
        {command: "go test ./..."},
        {
          command: "make test",
          evidence: "named",
          runs: ["go test -race ./..."],
          origin: {file: "Makefile", key: "test", why: ""},
        },
        {command: "pytest"},
      ),
    ).toEqual(["make test", "pytest"]));
  it("takes an all-in-one command only where there are no parts", () => {
    expect(commands({command: "make check", kind: "check", evidence: "named"})).toEqual(["make check"]);
    expect(commands({command: "make check", kind: "check", evidence: "named"}, {command: "pytest"})).toEqual([
      "pytest",
    ]);
  });
  it("gives distinct names", () =>
    expect(
      chosen({command: "a", label: "x"}, {command: "b"}, {command: "c"}, {command: "d", label: "x"}).stages.map(
        (stage) => stage.name,
      ),
    ).toEqual(["test", "test-2", "test:x", "test:x-2"]));
});

describe("the table", () => {
  const identity = {bold: (text: string) => text, dim: (text: string) => text};
  it("shows stages with their origin", () => {
    const shown = planTable(planOf(TREE), identity);
    expect(shown).toContain("web:test  cd web && npm run test");
    expect(shown).toContain("package.json scripts.lint: the script `lint`");
  });
  it("names a tool's own file once", () => {
    const files = {
      "go.mod": "module example.com/x\n\ngo 1.22\n",
      ".golangci.yml": "version: 2\n",
      "x.go": "package x\n",
    };
    expect(planTable(planOf(files), identity)).toMatch(/^ +\.golangci\.yml: golangci-lint is/m);
  });
  it("says what to do where nothing was found", () => {
    expect(planTable(planOf({}), identity)).toContain("verify.json");
    expect(planMarkdown(planOf({}))).toContain("verify.json");
  });
  it("lets no foreign text break a row or move the cursor", () => {
    const evil = planOf({"package.json": {scripts: {test: "mocha 'a|b`c' @team \u001b[2J", "x\n|y": "mocha"}}});
    const rows = planMarkdown(evil)
      .split("\n")
      .filter((line) => line.startsWith("| "));
    expect(rows).toHaveLength(2);
    expect(planTable(evil, identity)).not.toContain("\u001b");
  });
});
