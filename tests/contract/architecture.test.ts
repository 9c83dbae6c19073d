/** The house rules that a reviewer would otherwise have to remember: who may import whom, and how a file looks. */
import {spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {basename, dirname, join} from "node:path";
import {describe, expect, it, onTestFinished} from "vitest";
import {
  groupGraph,
  impureChains,
  longFunctions,
  nodesInCycles,
  parseSource,
  readSources,
  repeatedTypeNames,
  roomOf,
  wrongDirections,
} from "./source-graph.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");

/** Everything that `plan`, `verify`, `inspect` and `distill` need. */
const LIBRARY = [
  ...["record", "shell", "process", "git", "markdown", "secrets", "tools", "test-code"],
  ...["changes", "diagnostics", "detect", "engine", "integrity", "specs", "proof", "verify", "judge"],
];
const BOT = ["request", "github", "agent", "publish", "report", "handover", "onboarding", "run", "cli"];
/** A room may import only the rooms before it. */
const ROOMS = [...LIBRARY, ...BOT].map((name) => `src/${name}`);

/** Files that decide and word things: they read no file, clock or environment. A folder stands for all files in it. */
const PURE = [
  "src/record/",
  "src/run/fix-loop.ts",
  "src/request/command.ts",
  "src/request/admission.ts",
  "src/agent/prompts.ts",
  "src/markdown/visible-text.ts",
  "src/changes/trigger.ts",
  "src/detect/config/config.ts",
  "src/detect/proposals/",
  "src/detect/plan.ts",
  "src/detect/ecosystems/",
  "src/tools/",
  "src/specs/",
  "src/diagnostics/distill.ts",
  "src/diagnostics/count-tests.ts",
  "src/verify/verdict.ts",
  "src/engine/coverage.ts",
  "src/engine/coverage/",
  "src/engine/stage/outcome.ts",
  "src/engine/schedule/order.ts",
  "src/engine/schedule/skip-reasons.ts",
  "src/engine/isolation/stage-variables.ts",
  "src/publish/protected-paths.ts",
  "src/report/",
  ...["changed-tests", "checks", "gate", "settings", "source"].map((folder) => `src/integrity/${folder}/`),
  "src/integrity/inspect.ts",
  "src/integrity/sarif.ts",
  "src/judge/judge.ts",
  "src/judge/context.ts",
  "src/agent/feedback-prompt.ts",
  "src/judge/model-family.ts",
];
const PURE_PACKAGES = new Set([
  ...[
    "@actions/expressions",
    "ignore",
    "jsonc-parser",
    "micromark",
    "micromark-extension-gfm",
    "minimatch",
    "picocolors",
    "sax",
    "smol-toml",
    "unbash",
    "yaml",
    "zod",
  ],
  ...["node:crypto", "node:path", "node:util"],
]);
const READS_THE_WORLD = /\bprocess\.(env|stdout|cwd)|\bconsole\.|\bDate\.now|\bnew Date\(\)|\bperformance\.now/;

/** The only places that may read the process's environment. */
const READS_ENVIRONMENT = ["src/github/runner.ts", "lifecycle/", "src/cli/"];

/** What still breaks a rule. Nothing may be added here, and what is fixed must be removed. */
const KNOWN = {
  longFunctions: ["go-events.ts translateGoEvents", "repository.ts openRepository"],
};

const all = readSources("src", "lifecycle");
const within = (places: readonly string[]) => (file: {path: string}) =>
  places.some((place) => file.path === place || (place.endsWith("/") && file.path.startsWith(place)));

describe("the imports", () => {
  const wrong = [
    parseSource("src/git/a.ts", 'import {b} from "../shell/b.ts";\nimport type {C} from "./c.ts";\n'),
    parseSource("src/shell/b.ts", 'export * from "../git/c.ts";\n'),
    parseSource("src/git/c.ts", 'import "node:fs";\n'),
  ];

  it("form no cycle between files, type imports included", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a"]],
      ["d", ["a"]],
    ]);
    expect(nodesInCycles(graph)).toEqual(["a", "b", "c"]);
    expect(nodesInCycles(new Map(all.map((file) => [file.path, file.imports])))).toEqual([]);
  });

  it("form no cycle between folders", () => {
    expect(nodesInCycles(groupGraph(wrong, dirname))).toEqual(["src/git", "src/shell"]);
    expect(nodesInCycles(groupGraph(all, dirname))).toEqual([]);
  });

  it("lead from a room only to the rooms before it", () => {
    expect(wrongDirections(groupGraph(wrong, roomOf), ROOMS)).toEqual(["src/shell -> src/git"]);
    expect(wrongDirections(new Map([["src/git", ["src/new"]]]), ROOMS)).toEqual(["src/git -> src/new"]);
    const rooms = groupGraph(all, roomOf);
    expect([...rooms.keys()].sort()).toEqual([...ROOMS, "lifecycle"].sort());
    expect(wrongDirections(rooms, [...ROOMS, "lifecycle"]).sort()).toEqual([]);
  });

  it("lead from pure files to pure files only, over any number of files", () => {
    const isImpure = (text: string) => READS_THE_WORLD.test(text);
    const findChains = (pure: typeof all, files: typeof all) =>
      impureChains({pure, all: files, packages: PURE_PACKAGES, isImpure});
    expect(findChains(wrong.slice(0, 1), wrong)).toEqual(["src/git/a.ts -> src/shell/b.ts -> src/git/c.ts -> node:fs"]);
    const clock = [parseSource("a.ts", 'import {b} from "./b.ts";'), parseSource("b.ts", "Date.now()")];
    expect(findChains(clock.slice(0, 1), clock)).toEqual(["a.ts -> b.ts"]);
    const typesOnly = [parseSource("a.ts", 'import type {B} from "./b.ts";'), parseSource("b.ts", "Date.now()")];
    expect(findChains(typesOnly.slice(0, 1), typesOnly)).toEqual([]);

    const pure = all.filter(within(PURE));
    expect(pure.length).toBeGreaterThanOrEqual(PURE.length);
    expect(PURE.filter((place) => !all.some(within([place])))).toEqual([]);
    expect(findChains(pure, all)).toEqual([]);
  });
});

describe("the library", () => {
  it("builds without the bot", () => {
    const folder = mkdtempSync(join(root, "node_modules/.assay-library-"));
    onTestFinished(() => rmSync(folder, {recursive: true}));
    for (const name of LIBRARY) cpSync(join(root, "src", name), join(folder, "src", name), {recursive: true});
    const entry = join(folder, "src/library.ts");
    const parts = ["detect/plan", "verify/verify", "integrity/inspect", "diagnostics/distill"];
    const exports = parts.map((part, at) => `export * as part${at} from "./${part}.ts";\n`).join("");
    const build = (text: string) => {
      writeFileSync(entry, text);
      const args = ["build", entry, "--target=node", `--outdir=${join(folder, "built")}`];
      const {status, stderr} = spawnSync(join(root, "node_modules/.bin/bun"), args, {encoding: "utf8"});
      return {status, stderr};
    };
    expect(build(exports)).toEqual({status: 0, stderr: ""});
    const wrong = build(`${exports}export * as bot from "./request/command.ts";\n`);
    expect(wrong.stderr).toContain('Could not resolve: "./request/command.ts"');
  });
});

describe("the bundles", () => {
  const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g;
  const importsOf = (name: string): string[] =>
    [...readFileSync(join(dist, name), "utf8").matchAll(STATIC_IMPORT)].map(([, to = ""]) => join(dirname(name), to));
  const startOf = (entry: string): string[] => {
    const graph = new Map<string, string[]>();
    for (const pending = [entry]; pending.length > 0; ) {
      const name = pending.pop() ?? "";
      if (graph.has(name)) continue;
      graph.set(name, importsOf(name));
      pending.push(...(graph.get(name) ?? []));
    }
    return [...graph.keys()];
  };

  it("that plan and print load no library of schemas at their start", () => {
    expect(startOf("parse-config.js")).toContain("chunks/zod.js");
    for (const entry of ["cli.js", "plan.js", "plan-text.js"]) expect(startOf(entry)).not.toContain("chunks/zod.js");
  });
});

describe("the files", () => {
  it("read the environment in few places", () => {
    const readers = all.filter((file) => file.text.includes("process.env") && !within(READS_ENVIRONMENT)(file));
    expect(readers.map((file) => file.path)).toEqual([]);
  });

  it("are at most 10 in lifecycle/, with at most 1,500 lines", () => {
    const entries = readSources("lifecycle");
    expect(entries.length).toBeLessThanOrEqual(10);
    expect(entries.flatMap(({text}) => text.split("\n")).length).toBeLessThanOrEqual(1500);
  });

  it("open with a sentence, the tests' too", () => {
    const read = [...all, ...readSources("tests").filter(({path}) => !path.startsWith("tests/fixtures/"))];
    const silent = read.filter((file) => !/^(#!.*\n)?\/\*\*? \S/.test(file.text));
    expect(silent.map((file) => file.path)).toEqual([]);
  });

  it("have no function of more than 60 lines", () => {
    const body = "  if (a) {\n    b();\n  }\n";
    const wrong = [
      `export async function plain(a) {\n${body}}\n`,
      `const arrow = (a: A) => {\n${body}};\n`,
      `function wide(o: {\n  a: A;\n}): Promise<B> {\n${body}}\n`,
      `const part = {\n  method(a): Result<{b: B}> {\n${body.replace(/^/gm, "  ")}},\n};\n`,
    ].map((text) => longFunctions(parseSource("a.ts", text), 4));
    expect(wrong).toEqual([["a.ts plain"], ["a.ts arrow"], ["a.ts wide"], ["a.ts method"]]);
    expect(longFunctions(parseSource("a.ts", `function plain(a) {\n${body}}\n`), 5)).toEqual([]);
    const found = all.flatMap((file) => longFunctions(file, 60)).map((name) => basename(name));
    expect(found.sort()).toEqual(KNOWN.longFunctions);
  });

  it("declare each top-level type name once", () => {
    const wrong = [parseSource("a.ts", "interface Place {\n"), parseSource("b.ts", "export type Place = string;\n")];
    expect(repeatedTypeNames(wrong)).toEqual(["Place"]);
    expect(repeatedTypeNames(all)).toEqual([]);
  });

  it("have no barrel, no default export, no switched-off check", () => {
    const offenders = all.filter((file) =>
      /export \* from|export default|@ts-ignore|@ts-expect-error|biome-ignore|as any\b/.test(file.text),
    );
    expect(offenders.map((file) => file.path)).toEqual([]);
  });
});
