/** Node: the checks of configured or declared tools that no script runs. */
import {posix} from "node:path";
import type {StageKind} from "../../record/words.ts";
import {mapOf, textEntries, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {filesBelow, INSTALLED, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow} from "../proposals/ecosystem.ts";
import type {NodeProject} from "./node-manager.ts";
import {type ToolCheck, typeScript} from "./node-typescript.ts";

interface NodeTool {
  readonly kind: StageKind;
  readonly program: string;
  /** the package that must be a declared dependency; the program's name by default */
  readonly dependency?: string;
  /** the program's name by default */
  readonly command?: string;
  /** config files, of which one must exist. Without them, the dependency is enough */
  readonly configs?: RegExp;
}

const TOOLS: readonly NodeTool[] = [
  {kind: "typecheck", program: "svelte-check", configs: /^svelte\.config\./},
  {
    kind: "typecheck",
    program: "astro",
    dependency: "@astrojs/check",
    command: "astro check",
    configs: /^astro\.config\./,
  },
  {kind: "lint", program: "eslint", command: "eslint .", configs: /^eslint\.config\.|^\.eslintrc(\.|$)/},
  {
    kind: "lint",
    program: "biome",
    dependency: "@biomejs/biome",
    command: "biome check .",
    configs: /^\.?biome\.jsonc?$/,
  },
  {kind: "lint", program: "oxlint", configs: /^\.?oxlintrc\.jsonc?$|^oxlint\.config\./},
  {kind: "lint", program: "xo"},
  {kind: "lint", program: "standard"},
  {kind: "test", program: "vitest", command: "vitest run", configs: /^(vitest|vite)\.config\.|^vitest\.workspace\./},
  {kind: "test", program: "jest", command: "jest --ci", configs: /^jest\.config\./},
  {kind: "test", program: "ava"},
  {kind: "test", program: "mocha", configs: /^\.mocharc\./},
];

/** The checks of one kind from the tools of a folder, best first. */
export function fromTools({project, root, file, manager}: NodeProject, kind: StageKind): CheckRow[] {
  const dependencies = declaredDependencies(project.json(file));
  const names = project.inFolder(root).map((path) => posix.basename(path));
  const configuredChecks = TOOLS.filter((tool) => tool.kind === kind).flatMap((tool): ToolCheck[] => {
    const {program, dependency = program, command = program, configs} = tool;
    const key = dependencies.get(dependency);
    const config = names.find((name) => configs?.test(name));
    if (key === undefined || (configs !== undefined && config === undefined)) return [];
    if (program === "vitest" && usesBrowser(project, file, dependencies)) return [];
    const ofDependency = originOf(file, `${dependency} is a dependency`, key);
    const origin = config === undefined ? ofDependency : originOf(inside(root, config), `${program} is configured`);
    return [{program, command, origin}];
  });
  const otherTools =
    kind === "typecheck"
      ? typeScript(project, root, dependencies)
      : kind === "test" && manager.name === "bun"
        ? bunTest(project, root)
        : [];
  const toolChecks =
    configuredChecks.length === 0 ? otherTools : kind === "lint" ? configuredChecks : configuredChecks.slice(0, 1);
  return toolChecks.map(({program, command, origin}) => ({
    kind,
    command: manager.plugAndPlay ? `yarn run ${command}` : command,
    origin,
    evidence: "tool",
    tools: [{name: manager.plugAndPlay ? "yarn" : program, hint: INSTALLED}],
    label: program,
  }));
}

/** True where the project's own scripts run the tests of Vitest in a browser. */
function usesBrowser(project: Project, file: string, dependencies: ReadonlyMap<string, string>): boolean {
  const isDeclared = [...dependencies.keys()].some((name) => name.startsWith("@vitest/browser"));
  const scripts = [...textEntries(valueAt(project.json(file), "scripts")).values()];
  return isDeclared || scripts.some((script) => /\bvitest\b.*\s--browser\b/.test(script));
}

function declaredDependencies(manifest: unknown): Map<string, string> {
  const allDependencies = new Map<string, string>();
  for (const key of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]) {
    for (const name of mapOf(valueAt(manifest, key)).keys())
      if (!allDependencies.has(name)) allDependencies.set(name, `${key}.${name}`);
  }
  return allDependencies;
}

function bunTest(project: Project, root: string): ToolCheck[] {
  const tests = filesBelow(project, root, /[._](test|spec)\.[cm]?[jt]sx?$/).filter(
    (path) => !folderOf(path).includes("node_modules"),
  );
  const file = tests.slice(0, 20).find((path) => project.text(path)?.includes("bun:test"));
  if (file === undefined) return [];
  return [{program: "bun", command: "bun test", origin: originOf(file, "tests import bun:test", "bun:test")}];
}
