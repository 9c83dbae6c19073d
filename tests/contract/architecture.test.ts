/** The house rules that a reviewer would otherwise have to remember: who may import whom, and how a file looks. */
import {readdirSync, readFileSync} from "node:fs";
import {dirname, join, relative} from "node:path";
import {describe, expect, it} from "vitest";

const root = join(import.meta.dirname, "../..");

/** Files that decide and word things: no world, no clock, no environment. A folder stands for all files in it. */
const PURE = [
  "src/record/words.ts",
  "src/record/record.ts",
  "src/record/",
  "src/record/events.ts",
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
  "src/detect/coverage/",
  "src/tools/",
  "src/diagnostics/distill.ts",
  "src/diagnostics/count-tests.ts",
  "src/verify/verdict.ts",
  "src/verify/coverage.ts",
  "src/verify/stage/outcome.ts",
  "src/verify/stage/contention.ts",
  "src/verify/schedule/order.ts",
  "src/verify/schedule/skip-reasons.ts",
  "src/verify/isolation/stage-variables.ts",
  "src/publish/protected-paths.ts",
  "src/report/",
];

/** The only places that may read the process's environment. */
const READS_ENVIRONMENT = ["src/github/runner.ts", "lifecycle/", "src/cli/"];

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), {recursive: true, encoding: "utf8"})
      .filter((name) => name.endsWith(".ts"))
      .map((name) => {
        const path = join(folder, name);
        const text = readFileSync(join(root, path), "utf8");
        const imports = /^(?:import|export)\b[^;"]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
        const found = [...text.matchAll(imports)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
        return {path, text, imports: found.map((name) => (name.startsWith(".") ? join(dirname(path), name) : name))};
      }),
  );
}

/** Files from which `start` can be reached again; type imports count. */
function cycleThrough(start: string, graph: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const pending = [...(graph.get(start) ?? [])];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (path === start) return true;
    if (seen.has(path)) continue;
    seen.add(path);
    pending.push(...(graph.get(path) ?? []));
  }
  return false;
}

const all = sources("src", "lifecycle");
const within = (places: readonly string[]) => (file: Source) =>
  places.some((place) => file.path === place || (place.endsWith("/") && file.path.startsWith(place)));

describe("the house", () => {
  it("finds a cycle where there is one", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a"]],
      ["d", ["a"]],
    ]);
    expect(["a", "b", "c", "d"].map((file) => cycleThrough(file, graph))).toEqual([true, true, true, false]);
  });

  it("has no import cycle, type imports included", () => {
    const graph = new Map(all.map((file) => [file.path, file.imports]));
    expect(all.map((file) => file.path).filter((path) => cycleThrough(path, graph))).toEqual([]);
  });

  it("lets nobody outside lifecycle/ import lifecycle/", () => {
    const isAllowed = within(["lifecycle/", "src/run/", "src/cli/run.ts"]);
    const offenders = all.filter((file) => !isAllowed(file));
    expect(offenders.filter((file) => file.imports.some((name) => name.startsWith("lifecycle/")))).toEqual([]);
  });

  it("keeps pure files pure", () => {
    const pure = all.filter(within(PURE));
    expect(pure.length).toBeGreaterThanOrEqual(PURE.length);
    const isPureModule = (name: string) =>
      name.endsWith("/")
        ? false
        : name === "zod" || name === "minimatch" || name === "node:path" || name === "node:util";
    const packages = new Set([
      "jsonc-parser",
      "smol-toml",
      "yaml",
      "picocolors",
      "node:crypto",
      "@rushstack/problem-matcher",
    ]);
    for (const file of pure) {
      const foreign = file.imports.filter(
        (name) => !name.startsWith("src/") && !isPureModule(name) && !packages.has(name),
      );
      expect(foreign, `${file.path} imports an edge`).toEqual([]);
      expect(file.text, `${file.path} reads the world`).not.toMatch(
        /\bprocess\.(env|stdout|cwd)|\bconsole\.|\bDate\.now|\bnew Date\(\)/,
      );
    }
  });

  it("reads the environment in few places", () => {
    const readers = all.filter((file) => file.text.includes("process.env") && !within(READS_ENVIRONMENT)(file));
    expect(readers.map((file) => file.path)).toEqual([]);
  });

  it("opens every file with a sentence, and keeps it under 300 lines, the tests' too", () => {
    const read = [...all, ...sources("tests").filter(({path}) => !path.startsWith("tests/fixtures/"))];
    const silent = read.filter((file) => !/^(#!.*\n)?\/\*\*? \S/.test(file.text));
    const long = read.filter((file) => file.text.split("\n").length > 301);
    expect([silent.map((file) => file.path), long.map((file) => file.path)]).toEqual([[], []]);
  });

  it("has no barrel, no default export, no switched-off check", () => {
    const offenders = all.filter((file) =>
      /export \* from|export default|@ts-ignore|@ts-expect-error|biome-ignore|as any\b/.test(file.text),
    );
    expect(offenders.map((file) => relative("", file.path))).toEqual([]);
  });
});
