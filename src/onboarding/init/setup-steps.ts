/** The workflow steps that install a plan's tools on the runner. */

import {isFrom, newest, usedActions, valuesInCi} from "../../detect/ci/tool-versions.ts";
import {textAt, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {isPlain} from "../../detect/scripts/shell-values.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {splitShell} from "../../shell/split.ts";
import {TOOLCHAINS} from "./action-pins.ts";
import {nodeVersionLine} from "./node-version.ts";
import {runSteps} from "./run-steps.ts";
import {indent} from "./workflow-parts.ts";

type ToolchainName = keyof typeof TOOLCHAINS;

/**
 * The inputs of each action as lines of YAML. Caches are off, because the agent's machine could fill a cache that the
 * verifying machine reads.
 */
const ACTION_INPUTS = {
  "actions/setup-node": (project) => [nodeVersionLine(project), "package-manager-cache: false"],
  "actions/setup-python": (project) => [
    versionInCi(project, ["actions/setup-python", "astral-sh/setup-uv"], "python-version") ??
      versionFile(project, "python", [".python-version"]) ??
      (valueAt(project.toml("pyproject.toml"), "project", "requires-python") === undefined
        ? 'python-version: "3.x"'
        : "python-version-file: pyproject.toml"),
  ],
  "actions/setup-go": (project) => [
    versionInCi(project, ["actions/setup-go"], "go-version") ??
      (project.has("go.mod") ? "go-version-file: go.mod" : "go-version: stable"),
    "cache: false",
  ],
  "actions/setup-java": (project) => [
    `distribution: ${valuesInCi(project, ["actions/setup-java"], "distribution")[0] ?? "temurin"}`,
    versionInCi(project, ["actions/setup-java"], "java-version") ??
      versionFile(project, "java", [".java-version"]) ??
      'java-version: "21"',
  ],
  // pnpm/action-setup reads `packageManager`, and refuses a second version.
  "pnpm/action-setup": (project) =>
    textAt(project.json("package.json"), "packageManager") === null
      ? [versionInCi(project, ["pnpm/action-setup"], "version") ?? "version: 10"]
      : [],
  "oven-sh/setup-bun": (project) => [
    ...[versionInCi(project, ["oven-sh/setup-bun"], "bun-version")].filter((line) => line !== null),
    "no-cache: true",
  ],
} as const satisfies Record<ToolchainName, (project: Project) => readonly string[]>;

/** The hint of tools that the setup installs, which need no step. */
const BY_SET_UP = /^the set-up installs it/;

/** Entries of `steps`, as lines of YAML. */
export interface SetupSteps {
  readonly steps: readonly string[];
  /** the steps that the owner must add */
  readonly comments: readonly string[];
}

/** One step, or one comment with the step to add, for each tool of the plan that a runner may lack. */
export function setupSteps(plan: Plan, project: Project): SetupSteps {
  const tools = [...plan.setup, ...plan.stages].flatMap((step) => step.tools);
  const origins = [
    ...plan.stages.map(({origin}) => origin),
    ...(plan.ci ?? []).filter(({outcome}) => outcome.kind !== "listed"),
  ];
  const ofJobs = usedActions(project).filter((used) => origins.some((origin) => isFrom(used, origin)));
  return stepsForTools(tools, {project, ci: plan.ci, ofJobs: ofJobs.map(({name}) => name).filter(isToolchain)});
}

/** The same for these tools, and for the actions in `ofJobs`. `ci` are the plan's lines of CI. */
export function stepsForTools(
  allTools: Stage["tools"],
  {project, ci = [], ofJobs = []}: {project: Project; ci?: Plan["ci"]; ofJobs?: readonly ToolchainName[]},
): SetupSteps {
  const tools = allTools.filter(({hint}) => !BY_SET_UP.test(hint));
  const byRun = runSteps(new Set(tools.map(({name}) => name)), project);
  const wanted = new Map(tools.map((tool) => [`${tool.name} ${tool.hint}`, tool]));
  const toolchains = new Set<ToolchainName>();
  const comments = new Set<string>();
  const ofCi = new Map<string, string[]>();
  let needsCorepack = false;
  for (const {hint, name: tool} of wanted.values()) {
    if (byRun.installs.has(tool)) continue;
    const actions = [...hint.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, name = ""]) => name);
    const line = ci.find((one) => one.outcome.kind === "listed" && isInstallOf(one.command, tool))?.command;
    for (const name of actions.filter(isToolchain)) toolchains.add(name);
    if (hint.includes("`corepack enable`")) needsCorepack = true;
    else if (actions.length === 0 && line !== undefined) ofCi.set(line, [`- run: ${line}`, "  shell: bash"]);
    else if (actions.length === 0) comments.add(comment(hint.includes(tool) ? hint : `${tool}: ${hint}`));
    for (const name of actions.filter((one) => !isToolchain(one))) {
      const step = stepOfCi(name, project);
      if (step === null) comments.add(comment(hint));
      else ofCi.set(name, step);
    }
  }
  for (const name of ofJobs) toolchains.add(name);
  if (byRun.lines.length > 0 && versionInCi(project, ["astral-sh/setup-uv"], "python-version") !== null)
    toolchains.add("actions/setup-python");
  // Otherwise pnpm and the project's tools use the runner's Node.
  if (toolchains.has("pnpm/action-setup")) toolchains.add("actions/setup-node");
  const steps = [...toolchains].flatMap((name) => stepOf(name, project));
  const corepack = needsCorepack ? ["- run: corepack enable", "  shell: bash"] : [];
  return {steps: [...steps, ...[...ofCi.values()].flat(), ...corepack, ...byRun.lines], comments: [...comments]};
}

/** True for a plain install of the tool by name: `npm install -g c8` (lukeed/clsx), `pip3 install yamllint==1.35.1`. */
function isInstallOf(line: string, tool: string): boolean {
  const [command, ...others] = splitShell(line) ?? [];
  if (command === undefined || others.length > 0 || !command.raws.every(isPlain) || line.includes(": ")) return false;
  const {words} = command;
  return words.slice(words.indexOf("install") + 1 || words.length).some((word) => word.split(/[@=]/)[0] === tool);
}

const comment = (text: string): string => `# ${text.replace(/\s+/g, " ")}`;

function isToolchain(name: string): name is ToolchainName {
  return name in TOOLCHAINS;
}

function stepOf(name: ToolchainName, project: Project): string[] {
  const inputs = ACTION_INPUTS[name](project);
  return [`- uses: ${name}@${TOOLCHAINS[name]}`, ...(inputs.length === 0 ? [] : ["  with:", ...indent(4, inputs)])];
}

function versionFile(project: Project, tool: string, files: readonly string[]): string | null {
  const file = files.find((path) => project.has(path));
  return file === undefined ? null : `${tool}-version-file: ${file}`;
}

/** The line for the newest version that CI gives this input of the actions, or for the file that it names. */
function versionInCi(project: Project, actions: readonly string[], input: string): string | null {
  const version = newest(valuesInCi(project, actions, input));
  if (version !== null) return `${input}: "${version}"`;
  const file = valuesInCi(project, actions, `${input}-file`).find((path) => project.has(path));
  return file === undefined ? null : `${input}-file: ${file}`;
}

/** CI's own step with this action, for the newest of its versions; null if CI has none that can be copied. */
function stepOfCi(action: string, project: Project): string[] | null {
  const used = usedActions(project).filter(({name}) => name === action);
  const [first] = used;
  if (first === undefined) return null;
  // Caches are off, as above. A token or another expression has no value here.
  const inputs = [...first.inputs.keys()].filter((input) => !/cache|token/.test(input));
  const lines = inputs.flatMap((input) => {
    const value = newest(used.flatMap((one) => one.inputs.get(input) ?? []));
    return value === null ? [] : [`${input}: "${value}"`];
  });
  return [`- uses: ${action}@${first.reference}`, ...(lines.length === 0 ? [] : ["  with:", ...indent(4, lines)])];
}
