/** What one command reads: known tools as they work, anything else everything below its folder. */
import {minimatch} from "minimatch";
import {TEST_PATTERNS} from "../../changes/path-lists.ts";
import type {StageKind} from "../../record/words.ts";
import {memoize} from "../../shell/memoize.ts";
import {unwrap} from "../../shell/program.ts";
import {textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, isBelow} from "../files/project.ts";
import {goTarget, isBuilt} from "./go-constraints.ts";
import {findProjectsRead} from "./members.ts";
import type {Family, Projects} from "./projects.ts";

/** The machine that runs the stages, as Node names it. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

/** Tells whether a command takes in a path, and whether it reads a file of that kind there. */
export interface Reach {
  takesIn(path: string): boolean;
  reads(path: string): boolean;
}

/** Programs in other languages than their tool's: a Go build reads no Python. Data, markup and C may be read by any. */
const PROGRAM =
  /\.(py|pyi|rb|php|go|rs|java|kt|kts|scala|groovy|ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|svelte|sh|bash|zsh|fish|ps1|bat|cmd|pl|lua|swift|cs|fs|dart|ex|exs|hs|tf)$/;
const TEST_FILE = /(\.|-|_)(test|spec)\.\w+$|\/__tests__\/|(^|\/)test_[^/]*\.py$|_test\.py$/;
const BENCHMARK = /(^|\/)benches\/.*\.rs$/;
const JAVASCRIPT = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|svelte|astro)$/;

/** A tool that reads the projects of its family, and stops where another project begins. */
interface FamilyTool {
  readonly tool: RegExp;
  readonly family: Family;
  readonly native: RegExp;
}

const FAMILY_TOOLS: readonly FamilyTool[] = [
  {tool: /^(go (vet|test|build)|golangci-lint|staticcheck|gotestsum)( |$)/, family: "go", native: /\.go$/},
  {tool: /^cargo (check|test|build|clippy|nextest|fmt)( |$)/, family: "rust", native: /\.rs$/},
  {tool: /^mvnw?( |$)/, family: "maven", native: /\.(java|kt|kts|scala|groovy)$/},
  {tool: /^gradlew?( |$)/, family: "gradle", native: /\.(java|kt|kts|scala|groovy)$/},
  {
    tool: /^(vitest|jest|mocha|ava|tap|jasmine|bun test|node --test|tsc|tsgo|vue-tsc|svelte-check)( |$)/,
    family: "node",
    native: JAVASCRIPT,
  },
  {
    tool: /^(pytest|py\.test|unittest|python\d? manage\.py test|mypy|pyright)( |$)/,
    family: "python",
    native: /\.(py|pyi)$/,
  },
  {tool: /^rspec( |$)/, family: "ruby", native: /\.(rb|rake|erb)$/},
  {tool: /^(phpunit|pest)( |$)/, family: "php", native: /\.php$/},
  {tool: /^mix test( |$)/, family: "elixir", native: /\.(ex|exs)$/},
  {tool: /^(dart|flutter) test( |$)/, family: "dart", native: /\.dart$/},
  {tool: /^swift (test|build)( |$)/, family: "swift", native: /\.swift$/},
];

/** Linters cross every boundary, and read only files with these endings. */
const LINTERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(eslint|oxlint|xo|standard)( |$)/, JAVASCRIPT],
  [/^(biome|prettier)( |$)/, /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|json|jsonc|css|graphql|vue|html|md|ya?ml)$/],
  [/^(ruff|flake8|black|isort|pylint)( |$)/, /\.(py|pyi|ipynb)$/],
  [/^(rubocop|standardrb)( |$)/, /\.(rb|rake|gemspec)$/],
  [/^shellcheck( |$)/, /\.(sh|bash)$/],
];

/** The reach of one plain command; null where nothing is known of it. */
export function commandReach(
  words: readonly string[],
  o: {projects: Projects; cwd: string; kind: StageKind; machine: Machine | null},
): Reach | null {
  const plain = unwrap(words);
  const line = plain
    .join(" ")
    .replace(/^node .*--test.*/, "node --test")
    .replace(/^cargo \+\S+/, "cargo");
  const tool = FAMILY_TOOLS.find((one) => one.tool.test(line));
  if (tool !== undefined) return familyReach({...o, tool, line, words: plain, places: placesIn(plain, o)});
  const linter = LINTERS.find(([name]) => name.test(line));
  if (linter === undefined) return null;
  const places = placesIn(plain, o);
  const excluded = excludedByRuff(line, o);
  const lints = (path: string) =>
    linter[1].test(path) && places.some((place) => isBelow(path, place)) && !excluded.some((one) => isBelow(path, one));
  const home = o.projects.homeOf(inside(o.cwd, "x"));
  return {takesIn: (path) => lints(path) || (home !== null && o.projects.homeOf(path) === home), reads: lints};
}

function familyReach(o: {
  projects: Projects;
  cwd: string;
  kind: StageKind;
  tool: FamilyTool;
  line: string;
  words: readonly string[];
  places: readonly string[];
  machine: Machine | null;
}): Reach {
  const {projects, cwd, kind, tool, line, words, machine} = o;
  const {family, native} = tool;
  const whole = /--(workspace|all)\b/.test(line);
  const included = findProjectsRead(projects, {folder: cwd, family, whole});
  for (const place of o.places) if (place !== cwd) included.add(projects.homeOf(inside(place, "x"), family) ?? cwd);
  const isTest = kind === "test" || kind === "check";
  // `go test ./pkg/...` names what it reads; the paths of a test runner are where it begins, and imports lead elsewhere.
  const places = family === "go" ? o.places : [cwd];
  const roots = testRoots({...o, family});
  const isCollecting = family === "node" || family === "python";
  const isTested = memoize(
    (home: string) =>
      (isCollecting &&
        projects.has(home, family) &&
        roots.some((root) => isBelow(home, root)) &&
        hasTests(projects, home)) ||
      isTestMaterial(home, {projects, cwd, native}),
  );
  const isProject = projects.has(cwd, family);
  const takesIn = (path: string): boolean => {
    const home = projects.homeOf(path, family);
    const nearest = projects.homeOf(path);
    const isInside = home === null ? isBelow(path, cwd) && !isProject : included.has(home);
    const isForeign = nearest !== null && nearest !== home && nearest !== cwd && isBelow(nearest, home ?? cwd);
    const isOwn = isInside && (!isForeign || native.test(path)) && places.some((place) => isBelow(path, place));
    if (isOwn && !isLeftOut(path, {family, home})) return true;
    return isTest && isBelow(path, cwd) && nearest !== null && nearest !== cwd && isTested(nearest);
  };
  // A runner that is told where its tests are runs no test file elsewhere, and no other file imports one.
  const folders = roots.filter((root) => projects.tree.below(root).length > 0);
  const isCollected = (path: string) =>
    !isCollecting || !TEST_FILE.test(path) || folders.length === 0 || folders.some((root) => isBelow(path, root));
  const target = family === "go" && machine !== null ? goTarget(machine, words) : null;
  // Only these options compile benchmarks (`cargo help check`, "Target Selection").
  const readsBenches = family !== "rust" || /--(all-targets|benches)\b|^cargo fmt\b/.test(line);
  const reads = (path: string): boolean => {
    if (!isCollected(path) || (!readsBenches && BENCHMARK.test(path))) return false;
    if (target !== null && !isBuilt({path, text: projects.tree.text(path), target})) return false;
    const isText = native.test(path) || !PROGRAM.test(path);
    return takesIn(path) && (kind === "lint" || kind === "typecheck" ? native.test(path) : isText);
  };
  return {takesIn, reads};
}

/** The go command passes over these folders. */
function isLeftOut(path: string, o: {family: Family; home: string | null}): boolean {
  if (o.family !== "go") return false;
  const rest = o.home === null || o.home === "." ? path : path.slice(o.home.length + 1);
  return (
    /\.go$/.test(rest) &&
    rest
      .split("/")
      .slice(0, -1)
      .some((part) => /^[_.]/.test(part))
  );
}

/** The folders and files that a command names, where they are there; its own folder without any. */
function placesIn(words: readonly string[], {projects: {tree}, cwd}: {projects: Projects; cwd: string}): string[] {
  const named = words.slice(1).flatMap((word) => {
    const [path = ""] = word
      .replace(/^\.\//, "")
      .replace(/\/?\.\.\.$/, "")
      .split("*");
    const tidy = path.replace(/\/+$/, "");
    if (word.startsWith("-")) return [];
    if (tidy === "" || tidy === ".") return /^[.*]/.test(word) ? [cwd] : [];
    const place = inside(cwd, tidy);
    return tree.has(place) || tree.below(place).length > 0 ? [place] : [];
  });
  return named.length > 0 ? named : [cwd];
}

function excludedByRuff(line: string, {projects: {tree}, cwd}: {projects: Projects; cwd: string}): string[] {
  if (!line.startsWith("ruff")) return [];
  const ruff = valueAt(tree.toml(inside(cwd, "pyproject.toml")), "tool", "ruff") ?? tree.toml(inside(cwd, "ruff.toml"));
  return ["exclude", "extend-exclude"].flatMap((key) =>
    textsOf(valueAt(ruff, key)).map((path) => inside(cwd, path.replace(/\/+$/, ""))),
  );
}

/** A project inside another, with tests of its own, is found by a runner that looks through all folders. */
function hasTests({tree}: Projects, home: string): boolean {
  return tree.below(home).some((path) => TEST_FILE.test(path));
}

/** The folders that pytest is configured to look through; its own folder without any. */
function testRoots(o: {projects: Projects; cwd: string; family: Family; places: readonly string[]}): readonly string[] {
  const {projects, cwd, family, places} = o;
  if (family !== "python" || places[0] !== cwd) return places;
  const configs = ["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"].map((name) =>
    projects.tree.text(inside(cwd, name)),
  );
  const [, list = ""] = /^\s*testpaths\s*=\s*(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)/m.exec(configs.join("\n")) ?? [];
  const roots = list.split(/[\s"',[\]]+/).filter((word) => word !== "");
  return roots.length === 0 ? [cwd] : roots.map((root) => inside(cwd, root));
}

/** A project in a folder of tests that holds code of the outer project too: those tests work on it. */
function isTestMaterial(home: string, o: {projects: Projects; cwd: string; native: RegExp}): boolean {
  const {projects, cwd, native} = o;
  for (
    let folder = folderOf(home);
    folder !== "." && folder !== cwd && isBelow(folder, cwd);
    folder = folderOf(folder)
  ) {
    const isForTests = TEST_PATTERNS.some((glob) => minimatch(`${folder}/x`, glob, {dot: true}));
    const isOfTests = (file: string) => native.test(file) && !isBelow(projects.homeOf(file) ?? ".", folder);
    if (isForTests && projects.tree.below(folder).some(isOfTests)) return true;
  }
  return false;
}

/** What a command over members of a workspace reads: those with this script that are `selected`, or all, and whom they need. */
export function membersReach(
  script: string,
  o: {projects: Projects; cwd: string; selected?: (folder: string, name: unknown) => boolean},
): Reach {
  const {projects, cwd, selected = () => true} = o;
  const members = [...findProjectsRead(projects, {folder: cwd, family: "node", whole: true})].filter(
    (one) => one !== cwd,
  );
  const manifest = (folder: string) => projects.tree.json(inside(folder, "package.json"));
  const having = members
    .filter((folder) => textEntries(valueAt(manifest(folder), "scripts")).has(script))
    .filter((folder) => selected(folder, valueAt(manifest(folder), "name")));
  const names = new Map(members.map((folder) => [valueAt(manifest(folder), "name"), folder]));
  const read = new Set(having);
  for (const folder of read)
    for (const list of ["dependencies", "devDependencies", "peerDependencies"])
      for (const name of textEntries(valueAt(manifest(folder), list)).keys()) {
        const needed = names.get(name);
        if (needed !== undefined) read.add(needed);
      }
  const takesIn = (path: string) => [...read].some((folder) => isBelow(path, folder));
  return {takesIn, reads: takesIn};
}
