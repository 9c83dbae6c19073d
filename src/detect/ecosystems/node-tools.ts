/** Node: the checks of configured or declared tools that no script runs. */
import type {StageKind} from "../../record/words.ts";
import {mapOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {filesBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {typeScript} from "./node-typescript.ts";

type ToolCheck = Pick<CandidateStage, "kind" | "command" | "origin"> & {
  readonly program: string;
  readonly label?: string;
};

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

/** The checks of one kind that the tools of a folder give, best first. */
export function fromTools(target: {project: Project; root: string; kind: StageKind; bun: boolean}): ToolCheck[] {
  const {project, root, kind} = target;
  const manifest = inside(root, "package.json");
  const dependencies = declared(project.json(manifest));
  const names = project.inFolder(root).map((path) => path.slice(path.lastIndexOf("/") + 1));
  const toolChecks = TOOLS.filter((tool) => tool.kind === kind).flatMap((tool): ToolCheck[] => {
    const {program, dependency = program, command = program, configs} = tool;
    const key = dependencies.get(dependency);
    const config = configs === undefined ? undefined : names.find((file) => configs.test(file));
    if (key === undefined || (configs !== undefined && config === undefined)) return [];
    const origin =
      config === undefined
        ? originOf(manifest, `${dependency} is a dependency`, key)
        : originOf(inside(root, config), `${program} is configured`);
    return [{kind, command, origin, program}];
  });
  if (kind === "typecheck" && toolChecks.length === 0)
    return typeScript({project, root, declares: (name) => dependencies.has(name)});
  if (kind === "test" && toolChecks.length === 0 && target.bun) return bunTest(project, root);
  return kind === "lint" ? toolChecks : toolChecks.slice(0, 1);
}

function declared(manifest: unknown): Map<string, string> {
  const all = new Map<string, string>();
  for (const key of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]) {
    for (const name of mapOf(valueAt(manifest, key)).keys()) if (!all.has(name)) all.set(name, `${key}.${name}`);
  }
  return all;
}

function bunTest(project: Project, root: string): ToolCheck[] {
  const tests = filesBelow(project, root, /[._](test|spec)\.[cm]?[jt]sx?$/).filter(
    (path) => !folderOf(path).includes("node_modules"),
  );
  const file = tests.slice(0, 20).find((path) => project.text(path)?.includes("bun:test"));
  return file === undefined
    ? []
    : [
        {
          kind: "test",
          command: "bun test",
          origin: {file, key: "bun:test", why: "tests import bun:test"},
          program: "bun",
        },
      ];
}
