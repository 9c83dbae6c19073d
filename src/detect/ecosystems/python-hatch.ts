/** Python: the scripts of hatch's environments, in `pyproject.toml` or `hatch.toml`. */
import {kindOfName} from "../../tools/stage-kind.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {ProjectFolder} from "../proposals/ecosystem.ts";
import {scriptsAt} from "./python-declared.ts";
import type {PythonCheck} from "./python-project.ts";

const MAX_TEMPLATES = 5;

/** The file with the environments and the path to them; null if the project has none. */
function hatchTable({project, root}: ProjectFolder): {file: string; keys: readonly string[]} | null {
  const places = [
    {file: inside(root, "hatch.toml"), keys: ["envs"]},
    {file: inside(root, "pyproject.toml"), keys: ["tool", "hatch", "envs"]},
  ];
  return places.find(({file, keys}) => mapOf(valueAt(project.toml(file), ...keys)).size > 0) ?? null;
}

/** One candidate for each script whose name, or whose environment's name, is that of a check. */
export function hatchScripts(folder: ProjectFolder): PythonCheck[] {
  const table = hatchTable(folder);
  if (table === null) return [];
  const {file, keys} = table;
  const manifest = folder.project.toml(file);
  return [...mapOf(valueAt(manifest, ...keys)).keys()].flatMap((environment) => {
    const byEnvironment = kindOfName(environment.replace(/^hatch-/, ""));
    return [...scriptsOf(manifest, keys, environment)].flatMap(([name, body]): PythonCheck[] => {
      const command = `hatch run ${environment === "default" ? "" : `${environment}:`}${name}`;
      // The name of an environment such as `typing` says more than the name of its script `test`.
      const named = kindOfName(name);
      const kind = named === "test" ? (byEnvironment ?? named) : named;
      if (kind === null || kind === "build" || kind === "check" || !/^[\w:.-]+$/.test(name)) return [];
      const origin = originOf(
        file,
        `the script \`${name}\` of hatch`,
        [...keys, environment, "scripts", name].join("."),
      );
      const runs = [body.replace(/\s*\{args(:([^{}]*))?\}/g, (_, __, paths?: string) => (paths ? ` ${paths}` : ""))];
      return [{kind, command, origin, evidence: "named", program: "hatch", slot: `python:script:${kind}`, runs}];
    });
  });
}

/** The scripts of an environment, with those of its template, which is `default` if it names none. */
function scriptsOf(manifest: unknown, keys: readonly string[], environment: string): Map<string, string> {
  const scripts = new Map<string, string>();
  let name = environment;
  for (let depth = 0; depth < MAX_TEMPLATES; depth++) {
    for (const [script, body] of scriptsAt(manifest, ...keys, name, "scripts"))
      if (!scripts.has(script)) scripts.set(script, body);
    const template = textAt(manifest, ...keys, name, "template");
    if (template === null || template === name) break;
    name = template;
  }
  return scripts;
}
