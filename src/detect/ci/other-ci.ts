/** The CI files of other services. One reader walks all of them, because jobs, steps and scripts have the same shapes in each. */
import type {Note} from "../../record/plan.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-values.ts";
import {detectScripts} from "./extract-checks.ts";
import {type CiLocation, type CiScript, keyIn, shellOf} from "./jobs.ts";
import {isElsewhere} from "./matrix.ts";
import {plainEnv} from "./step-variables.ts";

interface ServiceFiles {
  readonly name: string;
  readonly title: string;
  readonly files: readonly string[];
  /** writes the service's own placeholders as variables of the shell */
  readonly inShell?: (text: string) => string;
}

const CI_SERVICES: readonly ServiceFiles[] = [
  {name: "gitlab-ci", title: "GitLab CI", files: [".gitlab-ci.yml"]},
  {
    name: "circleci",
    title: "CircleCI",
    files: [".circleci/config.yml", ".circleci/config.yaml"],
    inShell: (text) => text.replace(/<<[^<>\n]*>>/g, "$PARAMETER"),
  },
  {
    name: "azure-pipelines",
    title: "Azure Pipelines",
    files: ["azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines.yml"],
    inShell: (text) => text.replace(/\$\((\w[\w.]*)\)/g, (_, name: string) => `\${${name.replaceAll(".", "_")}}`),
  },
  {name: "travis", title: "Travis CI", files: [".travis.yml"]},
  {
    name: "buildkite",
    title: "Buildkite",
    files: [".buildkite/pipeline.yml", ".buildkite/pipeline.yaml"],
    inShell: (text) => text.replaceAll("$$", "$"),
  },
];

const MAX_NODES = 2000;
const MAX_ITEMS = 200;
const MAX_DEPTH = 12;
const NAMES = ["job", "stage", "name", "displayName", "label"];
const SCRIPTS = ["before_script", "script", "bash", "command", "commands", "run"];
/** Keys whose values are no jobs and no steps. */
const NO_STEPS = new Set(
  "default include variables workflow workflows image services cache artifacts pages parameters orbs executors commands docker environment env only except rules pool agents plugins matrix strategy store_artifacts".split(
    " ",
  ),
);
const ONLY_RELEASES = /tag|schedule|cron|failed\(\)/i;
const ALSO_CHANGES = /merge_request|branches|pull_request/;

export const OTHER_CI: readonly Ecosystem[] = CI_SERVICES.map((service) => ({
  name: service.name,
  title: service.title,
  manifests: service.files,
  where: "beside",
  detect: detectScripts((project, notes) => readScripts(service, project, notes)),
}));

interface CiNode extends CiLocation {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly depth: number;
  /** the whole file, whose `commands` a step of CircleCI may name */
  readonly pipeline: unknown;
  readonly inShell: (text: string) => string;
}

function readScripts({files, inShell = (text) => text}: ServiceFiles, project: Project, notes: Note[]): CiScript[] {
  const file = files.find((path) => project.has(path));
  if (file === undefined) return [];
  const pipeline = project.yaml(file);
  const budget = {steps: MAX_NODES};
  const start = {project, notes, file, key: "", above: [], budget, cwd: ".", env: {}, depth: 0, pipeline, inShell};
  const scripts = scriptsIn(pipeline, start);
  if (budget.steps <= 0)
    notes.push({about: file, text: `only the first ${MAX_NODES} of its jobs and steps were looked at`});
  return scripts;
}

/** The scripts of a node: a pipeline, a job, a step, or a list or map of these. */
function scriptsIn(node: unknown, place: CiNode, given = ""): CiScript[] {
  if (place.budget.steps-- <= 0 || place.depth > MAX_DEPTH) return [];
  const inner = {...place, depth: place.depth + 1};
  if (Array.isArray(node)) return node.slice(0, MAX_ITEMS).flatMap((item) => scriptsIn(item, inner));
  if (typeof node === "string") return scriptsIn(valueAt(place.pipeline, "commands", node, "steps"), inner);
  const parts = mapOf(node);
  const names = [given, ...NAMES.map((name) => textAt(node, name))];
  const reason = place.depth === 0 ? null : (notACheck(...names) ?? whyLeftOut(parts));
  const name = names.find((one) => one !== null && one !== "") ?? "";
  if (reason !== null) {
    place.notes.push({about: `${place.file} ${name}`.trim(), text: `left out: ${reason}`});
    return [];
  }
  const key = keyIn(place.project, place.file, name, place.key);
  const folder = textAt(node, "workingDirectory") ?? textAt(node, "working_directory") ?? ".";
  // An absolute folder is that of the checkout, whatever its path on the machine.
  const cwd = folder.startsWith("~") || folder.startsWith("/") ? place.cwd : enter(place.cwd, folder);
  if (cwd === null) return [];
  const env = Object.assign(
    {},
    place.env,
    ...["variables", "environment", "env"].map((own) => plainEnv(parts.get(own))),
  );
  const template = textAt(node, "template");
  if (template !== null) return templateScripts(template, {...inner, key});
  // What the pipeline runs before each script prepares the machine.
  const keys = place.depth === 0 ? SCRIPTS.slice(1) : SCRIPTS;
  const text = keys
    .map((own) => shellOf(parts.get(own)))
    .join("\n")
    .trim();
  const own = keys.find((one) => parts.has(one)) ?? "";
  const script = {file: place.file, key: key === "" ? own : key, text: place.inShell(text), cwd, env};
  const below = [...parts].slice(0, MAX_ITEMS).flatMap(([child, value]) => {
    const isScript = SCRIPTS.includes(child) && mapOf(value).size === 0;
    if (isScript || typeof value !== "object" || NO_STEPS.has(child) || child.startsWith(".")) return [];
    const steps = valueAt(place.pipeline, "commands", child, "steps");
    return scriptsIn(steps ?? value, {...inner, key, cwd, env}, child);
  });
  return text === "" ? below : [script, ...below];
}

/** The scripts of a template of Azure, which is another file of the tree. */
function templateScripts(template: string, place: CiNode): CiScript[] {
  const path = template.startsWith("/") ? template.slice(1) : inside(folderOf(place.file), template);
  const file = enter(".", path);
  const above = [...place.above, place.file];
  if (file === null || !place.project.has(file) || above.includes(file)) {
    const text = "a template is left out: it is not in this tree, or uses itself";
    place.notes.push({about: `${place.file} ${place.key}`.trim(), text});
    return [];
  }
  return scriptsIn(place.project.yaml(file), {...place, file, above});
}

function whyLeftOut(parts: ReadonlyMap<string, unknown>): string | null {
  if (listOf(parts.get("services")).length > 0 || listOf(parts.get("docker")).length > 1)
    return "CI starts services next to it; stages that need these fail without them";
  const maySkip = ["allow_failure", "soft_fail", "continueOnError", "background"];
  if (maySkip.some((key) => parts.get(key) === true)) return "CI continues when it fails";
  if (parts.get("when") === "manual" || parts.get("when") === "on_fail") return "no usual change starts it";
  if (parts.has("release") || parts.has("deployment")) return "it deploys";
  const machines = ["pool", "agents", "os", "executor"].map((key) => parts.get(key));
  if (parts.has("macos") || machines.some(isElsewhere)) return "it runs on another system";
  const starts = JSON.stringify(["only", "rules", "if", "condition"].map((key) => parts.get(key)));
  const isReleased = ONLY_RELEASES.test(starts) && !ALSO_CHANGES.test(starts);
  return isReleased || ["main", "master"].includes(textAt(Object.fromEntries(parts), "branches") ?? "")
    ? "no usual change starts it"
    : null;
}
