/** Deno: by its tasks, because they contain the permissions, else by its own tools. */

import {kindOfName} from "../../tools/stage-kind.ts";
import {mapOf, textEntries, valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {findFirst, foldersBelow, hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const CONFIGS = ["deno.json", "deno.jsonc"];
export const deno: Ecosystem = {name: "deno", title: "Deno", manifests: CONFIGS, where: "anywhere", detect};

const DENO = {name: "deno", hint: "add the step `denoland/setup-deno` before Assay"};
const TOOLS: readonly CheckRow[] = [
  {kind: "typecheck", slot: "deno:typecheck", command: "deno check ."},
  {kind: "lint", command: "deno lint"},
  {kind: "lint", command: "deno fmt --check", label: "format"},
];

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, CONFIGS);
  if (file === null) return {};
  const config = project.jsonc(file);
  const bodies = new Map(textEntries(valueAt(config, "tasks")));
  for (const [name, task] of mapOf(valueAt(config, "tasks"))) {
    const command = valueAt(task, "command");
    if (typeof command === "string") bodies.set(name, command);
  }
  const tasks = [...bodies].flatMap(([name, body]): CheckRow[] => {
    const kind = kindOfName(name);
    if (kind === null || !/^[\w:-]+$/.test(name)) return [];
    const origin = originOf(file, `the task \`${name}\``, `tasks.${name}`);
    const group = `deno:${kind}`;
    return [{kind, command: `deno task ${name}`, origin, evidence: "named", slot: group, runs: [body]}];
  });
  // Next to a package.json, this file often serves editors or publishing. Then only its tasks count.
  const isDenoProject = !project.has(inside(root, "package.json"));
  const hasTests = hasFileBelow(project, root, /(^|[/_.])test\.[mc]?[jt]sx?$/);
  const test: CheckRow = {kind: "test", command: "deno test", slot: "deno:test", when: hasTests};
  if (!isDenoProject && tasks.length === 0) return {};
  const install = {
    command: "deno install",
    inputs: [file.slice(file.lastIndexOf("/") + 1), "deno.lock"],
    provides: ["node_modules"],
    lock: {file: "deno.lock", key: "version", option: "--frozen"},
  };
  return {
    tool: DENO,
    origin: originOf(file, "a Deno project"),
    checks: isDenoProject ? [...tasks, ...TOOLS, test] : tasks,
    installs: isDenoProject ? [install] : [],
    covers: valueAt(config, "workspace") === undefined ? [] : foldersBelow(project, root, CONFIGS),
  };
}
