/** Deno: by its tasks where they are declared, since those carry the permissions, else by its own tools. */
import type {StageKind} from "../../record/words.ts";
import {kindOfName} from "../../shell/stage-kind.ts";
import {mapOf, textEntries, valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const DENO = {name: "deno", hint: "add the step `denoland/setup-deno` before Assay"};
const CONFIGS = ["deno.json", "deno.jsonc"];
const TOOLS: readonly {kind: StageKind; command: string; label?: string}[] = [
  {kind: "typecheck", command: "deno check ."},
  {kind: "lint", command: "deno lint"},
  {kind: "lint", command: "deno fmt --check", label: "format"},
];

export const deno: Ecosystem = {
  name: "deno",
  title: "Deno",
  manifests: CONFIGS,
  where: "anywhere",
  detect({project, root}) {
    const file = findFirst(project, root, CONFIGS);
    if (file === null) return EMPTY_PROPOSAL;
    const config = project.jsonc(file);
    const draft = stageFactory({cwd: root, tool: DENO});
    const bodies = new Map(textEntries(valueAt(config, "tasks")));
    for (const [name, task] of mapOf(valueAt(config, "tasks"))) {
      const command = valueAt(task, "command");
      if (typeof command === "string") bodies.set(name, command);
    }
    const tasks = [...bodies].flatMap(([name, body]): CandidateStage[] => {
      const kind = kindOfName(name);
      if (kind === null || !/^[\w:-]+$/.test(name)) return [];
      const origin = {file, key: `tasks.${name}`, why: `the task \`${name}\``};
      return [draft(kind, `deno task ${name}`, origin, {evidence: "named", slot: `deno:${kind}`, runs: [body]})];
    });
    // Beside a package.json this file is often there for editors, or to publish: then only its tasks count.
    const isOwn = !project.has(inside(root, "package.json"));
    const key = file.slice(file.lastIndexOf("/") + 1);
    const origin = {file, key, why: "a Deno project"};
    const tools = TOOLS.map(({kind, command, label}) =>
      draft(kind, command, origin, label === undefined ? {} : {label}),
    );
    const tests = filesBelow(project, root, /(^|[/_.])test\.[mc]?[jt]sx?$/);
    const test = tests.length > 0 ? [draft("test", "deno test", origin, {slot: "deno:test"})] : [];
    const stages = isOwn ? [...tasks, ...tools, ...test] : tasks;
    if (stages.length === 0) return EMPTY_PROPOSAL;
    const lock = findFirst(project, root, ["deno.lock"]);
    return {
      stages,
      setup: isOwn
        ? [
            {
              command: lock === null ? "deno install" : "deno install --frozen",
              cwd: root,
              inputs: [file, inside(root, "deno.lock")],
              provides: [inside(root, "node_modules")],
              tools: [DENO],
              origin: lock === null ? origin : {file: lock, key: "version", why: "installed from the lock file"},
            },
          ]
        : [],
      notes: [],
      covers: valueAt(config, "workspace") === undefined ? [] : foldersBelow(project, root, CONFIGS),
    };
  },
};
