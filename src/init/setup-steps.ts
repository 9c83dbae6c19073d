/** The workflow steps that put a plan's tools on the runner. */

import {at, textAt} from "../plan/data.ts";
import type {Project} from "../plan/view.ts";
import type {Plan} from "../record/plan.ts";

/** Actions of which the commit behind the release is known for certain. All others are named to the owner in a comment. */
const PINNED = {
  "actions/setup-node": "49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0",
  "actions/setup-python": "a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0",
  "actions/setup-go": "d35c59abb061a4a6fb18e82ac0862c26744d6ab5 # v5.5.0",
  "actions/setup-java": "c5195efecf7bdfc987ee8bae7a71cb8b11521c00 # v4.7.1",
  "pnpm/action-setup": "a7487c7e89a18df4991f7f222e4898a00d66ddda # v4.1.0",
  "oven-sh/setup-bun": "735343b667d3e6f658f44d0eca948eb6282f2b76 # v2.0.2",
} as const;
type Pinned = keyof typeof PINNED;

/** What an action is told, as one line of YAML; null for nothing. */
const WITH = {
  "actions/setup-node": (project) =>
    versionFile(project, "node", [".nvmrc", ".node-version"]) ??
    (at(project.json("package.json"), "engines", "node") === undefined
      ? "node-version: lts/*"
      : "node-version-file: package.json"),
  "actions/setup-python": (project) =>
    versionFile(project, "python", [".python-version"]) ??
    (at(project.toml("pyproject.toml"), "project", "requires-python") === undefined
      ? 'python-version: "3.x"'
      : "python-version-file: pyproject.toml"),
  "actions/setup-go": (project) => (project.has("go.mod") ? "go-version-file: go.mod" : "go-version: stable"),
  "actions/setup-java": (project) =>
    `distribution: temurin, ${versionFile(project, "java", [".java-version"]) ?? 'java-version: "21"'}`,
  // It reads `packageManager` by itself, and refuses to be told twice.
  "pnpm/action-setup": (project) =>
    textAt(project.json("package.json"), "packageManager") === null ? "version: 10" : null,
  "oven-sh/setup-bun": () => null,
} as const satisfies Record<Pinned, (project: Project) => string | null>;

/** Whatever the installs provide needs no step; it is worded so by the ecosystems. */
const BY_SET_UP = /^the set-up installs it/;

/**
 * One step, or one comment that names the step to add, per tool of the plan that a runner may lack. Lines of YAML,
 * indented as entries of `steps`.
 */
export function setupSteps(plan: Plan, project: Project): string[] {
  const tools = [...plan.setup, ...plan.stages].flatMap((step) => step.tools).filter(({hint}) => !BY_SET_UP.test(hint));
  const hints = [...new Set(tools.map((tool) => tool.hint))];
  const steps = new Set<string>();
  const comments: string[] = [];
  for (const hint of hints) {
    const actions = [...hint.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, name = ""]) => name);
    for (const name of actions.filter(isPinned)) steps.add(stepOf(name, project));
    if (hint.includes("`corepack enable`")) steps.add("      - run: corepack enable");
    else if (actions.length === 0 || !actions.every(isPinned)) comments.push(`      # ${hint.replace(/\s+/g, " ")}`);
  }
  return [...steps, ...comments];
}

function isPinned(name: string): name is Pinned {
  return name in PINNED;
}

function stepOf(name: Pinned, project: Project): string {
  const told = WITH[name](project);
  return `      - uses: ${name}@${PINNED[name]}${told === null ? "" : `\n        with: {${told}}`}`;
}

function versionFile(project: Project, tool: string, files: readonly string[]): string | null {
  const file = files.find((path) => project.has(path));
  return file === undefined ? null : `${tool}-version-file: ${file}`;
}
