/** Commands that rewrite files, and those that let git compare them afterwards: alike in a step, a script and a target. */
import {describe, expect, it} from "vitest";
import {stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";

type Tree = Record<string, string | object>;
const manifest = (scripts: object) => ({"package.json": {scripts, devDependencies: {nx: "1", prettier: "1"}}});
const project = (targets: object): Tree => ({"nx.json": {}, "a/project.json": {name: "a", targets}});
const run = (...lines: string[]) => workflow(steps(...lines.map((line) => `run: ${JSON.stringify(line)}`)));

describe("a command that rewrites files before git compares them is one check", () => {
  it.each<[string, Tree, string[]]>([
    [
      "in the steps of a job",
      {Makefile: "gen:\n\tprotoc a.proto\n", ...run("make gen", "git diff --exit-code")},
      ["check: make gen && git diff --exit-code"],
    ],
    [
      "in one line, with a condition that fails",
      run('./gen.sh --all\nif [ -n "$(git status --porcelain)" ]; then exit 1; fi'),
      ['check: ./gen.sh --all && test -z "$(git status --porcelain)"'],
    ],
    [
      "in one line, next to the environment of Python that only the set-up of a check makes",
      {"pyproject.toml": "", ...run('./gen.sh && test -z "$(git status --porcelain)"')},
      [`check: ./gen.sh && test -z "$(git status --porcelain -- :/ ':(exclude,top,glob)**/.venv/**')"`],
    ],
    [
      // sveltejs/kit
      "in one line, with a test of new files, too",
      run('./gen.sh && { [ "`git status --porcelain=v1`" == "" ] || (echo no; exit 1); }'),
      ['check: ./gen.sh && test -z "$(git status --porcelain=v1)"'],
    ],
    [
      "in one line, with a test of some files",
      run('./gen.sh\nif [ -n "$(git status -s | grep docs)" ]; then exit 1; fi'),
      ["check: ./gen.sh && git diff --exit-code"],
    ],
    [
      "in a script",
      {...manifest({"check:docs": "node gen.js --write && git diff --exit-code docs"}), ...run("npm run check:docs")},
      ["check: npm run check:docs"],
    ],
    [
      "in targets that need each other",
      {
        ...manifest({}),
        ...project({
          "check-docs": {dependsOn: ["update-docs"], command: "git diff --quiet --exit-code docs"},
          "update-docs": {command: "prettier --write docs"},
        }),
        ...run("npx nx run-many -t check-docs"),
      },
      ["check: nx run-many -t check-docs"],
    ],
  ])("%s", (_, tree, expected) => expect(stages({"gen.sh": "", ...tree})).toEqual(expected));

  it("and covers its parts", () => {
    expect(accountOf({"gen.sh": "", ...run("./gen.sh --all", "git diff --exit-code")})).toEqual([
      "covered ./gen.sh --all → check",
      "covered git diff --exit-code → check",
    ]);
  });
});

describe("a command that only rewrites files is no stage", () => {
  it.each<[string, Tree]>([
    ["a step", {"gen.sh": "", ...run("./gen.sh --all")}],
    [
      "a step whose difference is committed",
      {"gen.sh": "", ...run("./gen.sh --all\ngit diff --quiet || git commit -am x")},
    ],
    ["a step whose difference is only shown", {"gen.sh": "", ...run("./gen.sh --all", "git status --porcelain")}],
    // The manual of jqlang/jq
    ["a target of a makefile that an earlier step creates", run("mv a b", "make a.prebuilt", "git diff --exit-code a")],
    // The tests of jqlang/jq
    ["a build that cannot be repeated here", run('make -j"$(nproc)"\nfile ./jq', "git diff --exit-code")],
    // The time zones of BurntSushi/jiff
    [
      "a file that the step downloads",
      {"gen.sh": "", ...run("curl -LO https://a.org/main/zones.xml\n./gen.sh zones.xml\ngit diff --exit-code")},
    ],
  ])("%s", (_, tree) => expect(stages(tree)).toEqual([]));
});
