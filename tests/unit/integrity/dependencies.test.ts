/** The list of changed dependencies, and lock files that no package manager would write. */
import {describe, expect, it} from "vitest";
import {readLockedPackages} from "../../../src/integrity/dependencies/locked-packages.ts";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import {loadYaml} from "../../../src/integrity/source/yaml.ts";
import {cpuClock} from "../report/cpu-time.ts";
import {changeOf, readCorpus} from "./corpus.ts";
import "./all-grammars.ts";

await loadYaml({
  files: [{path: "a.yml", basePath: "a.yml", status: "added", before: null, after: "", isExecutable: false}],
});

const corpus = readCorpus().find(({tool}) => tool === "dependencies");
function findingsOf(name: string) {
  const one = corpus?.honest.find((known) => known.name === name);
  if (corpus === undefined || one === undefined) throw new Error(`no case ${name}`);
  return inspectChange(changeOf(corpus, one)).filter(({check}) => check === "dependencies");
}

describe("the list of changed dependencies", () => {
  it("has names, versions and licenses, as a note", () => {
    expect(findingsOf("npm dependency added")).toMatchObject([
      {level: "note", path: "package-lock.json", message: "Dependencies added: `left-pad` 1.3.0 (WTFPL)"},
    ]);
    expect(findingsOf("pnpm update")).toMatchObject([{message: "Dependencies changed: `debug` 4.4.0 → 4.4.1"}]);
  });

  it("counts what does not fit", () => {
    const rows = Array.from({length: 12}, (_, index) => `example.org/m${index} v1.0.0 h1:x=`).join("\n");
    const file = {
      path: "go.sum",
      basePath: "go.sum",
      status: "added",
      before: null,
      after: rows,
      isExecutable: false,
    } as const;
    const [finding] = inspectChange({files: [file], relatedTests: [], plan: null});
    expect(finding?.message).toMatch(
      /^Dependencies added: (?:`example\.org\/m\d` v1\.0\.0, ){7}`\S+` v1\.0\.0 and 4 more$/,
    );
  });
});

describe("a lock file", () => {
  it.each([
    "package-lock.json",
    "Cargo.lock",
    "pnpm-lock.yaml",
    "yarn.lock",
    "composer.lock",
    "uv.lock",
    "Gemfile.lock",
    "go.sum",
  ])("%s may have any content", (path) => {
    for (const text of [
      "",
      "{",
      "[[package]]\nname = 1",
      '{"packages": []}',
      '{"packages": {"node_modules/a": 1}}',
      "packages:\n  :\n",
    ]) {
      expect(readLockedPackages(path, text) ?? []).toEqual([]);
    }
  });

  it("need not contain a package of the workspace with another version", () => {
    const edit = (path: string, before: string, after: string) =>
      ({path, basePath: path, status: "modified", before, after, isExecutable: false}) as const;
    const manifest = (version: string, ...more: string[]) =>
      JSON.stringify({dependencies: {core: version, ...Object.fromEntries(more.map((name) => [name, "^1.0.0"]))}});
    const locked = (version: string) => `left-pad@^1.0.0:\n  version "${version}"\n`;
    const lock = edit("yarn.lock", locked("1.0.0"), locked("1.0.1"));
    const findings = (after: string) => {
      const files = [edit("app/package.json", manifest("^1.0.0"), after), lock];
      return inspectChange({files, relatedTests: [], plan: null}).filter(({level}) => level === "flag");
    };
    expect(findings(manifest("^1.0.1"))).toEqual([]);
    expect(findings(manifest("^1.0.1", "debug"))).toMatchObject([{message: expect.stringContaining("`debug`")}]);
  });

  it("is read in linear time", () => {
    const texts = [
      "packages:\n",
      "  a@1:\n".repeat(100_000),
      "  '@".repeat(200_000),
      "\n\n".repeat(300_000),
      '  "a@'.repeat(100_000),
    ];
    const from = cpuClock();
    for (const path of ["pnpm-lock.yaml", "yarn.lock", "go.sum", "Gemfile.lock"]) {
      for (const text of texts) readLockedPackages(path, `packages:\n${text}`);
    }
    // A quadratic pattern takes minutes for these.
    expect(cpuClock() - from).toBeLessThan(20_000);
  });
});

describe("a library that a folder replaces, and another target of an entry point", () => {
  const flags = (path: string, before: string, after: string) =>
    inspectChange({
      files: [{path, basePath: path, status: "modified", before, after, isExecutable: false}],
      ...{relatedTests: [], plan: null},
    }).flatMap(({check, level, message}) => (check === "dependencies" && level === "flag" ? [message] : []));
  const stub = [expect.stringContaining("`x` does not come from a registry (`replaced by ")];

  it.each([
    ["package.json", '{"name": "a"}', '{"name": "a", "overrides": {"x": "file:./stub"}}'],
    ["package.json", '{"name": "a"}', '{"name": "a", "resolutions": {"x": "link:./stub"}}'],
    ["package.json", '{"name": "a"}', '{"name": "a", "pnpm": {"overrides": {"x": "./stub"}}}'],
    ["Cargo.toml", '[package]\nname = "a"\n', '[package]\nname = "a"\n[patch.crates-io]\nx = {path = "stub"}\n'],
    ["pyproject.toml", '[project]\nname = "a"\n', '[project]\nname = "a"\n[tool.uv.sources]\nx = {path = "stub"}\n'],
  ])("%s: %s", (path, before, after) => {
    expect(flags(path, before, after)).toEqual(stub);
    expect(flags(path, after, `${after}\n`)).toEqual([]);
  });

  it("go.mod", () => {
    const before = "module a\n\nrequire example.org/x v1.0.0\n";
    const message = "`example.org/x` does not come from a registry (`replaced by ./stub`)";
    expect(flags("go.mod", before, `${before}\nreplace example.org/x => ./stub\n`)).toEqual([message]);
    expect(flags("go.mod", before, `${before}\nreplace (\n\texample.org/x v1.0.0 => ./stub\n)\n`)).toEqual([message]);
  });

  it("package.json: a target that changes, but not a new entry or another version", () => {
    const withEntries = (entries: object) => JSON.stringify({name: "a", ...entries});
    const base = withEntries({imports: {"#sum": "./src/sum.js"}, exports: {".": "./src/index.js"}});
    const moved = withEntries({imports: {"#sum": {node: "./lib/sum.js", default: "./src/sum.js"}}});
    expect(flags("package.json", base, moved)).toEqual(["`#sum` of `imports` leads to another file than before"]);
    const exported = withEntries({exports: {".": "./lib/index.js"}});
    expect(flags("package.json", base, exported)).toEqual(["`.` of `exports` leads to another file than before"]);
    const added = withEntries({
      imports: {"#sum": "./src/sum.js", "#more": "./src/more.js"},
      exports: {".": "./src/index.js"},
      overrides: {x: "^1.2.0"},
    });
    expect(flags("package.json", base, added)).toEqual([]);
  });
});
