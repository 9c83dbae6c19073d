/** The steps of a GitHub job or composite action: their scripts, and those of the local actions they use. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-lines.ts";
import {fillIn, type Lookup, mayHold} from "./expression.ts";
import type {CiScript} from "./extract-checks.ts";
import {commandOfAction} from "./known-actions.ts";

export interface StepLocation {
  readonly project: Project;
  readonly file: string;
  /** the name of the place in the file, unless a step has its own name */
  readonly key: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lookup: Lookup;
  readonly notes: Note[];
  /** files that led here, against cycles */
  readonly above: readonly string[];
  /** how many steps may still be looked at, in all workflows together */
  readonly budget: {steps: number};
}

/** How a `uses` names an action or workflow of the same repository. */
export const OWN_FILE = /^[.$]\//;
const MAX_STEPS = 100;
const MAX_DEPTH = 4;
/** A secret for reporting does not make the check itself need one. */
const REPORTS = /codecov|coveralls|codeclimate|github|cc_test|turbo|nx_cloud|sonar|buildpulse|cachix/i;

/** The scripts of a list of steps that a plain change runs on Linux. */
export function scriptsOfSteps(steps: unknown, here: StepLocation): CiScript[] {
  if (!Array.isArray(steps)) return [];
  return steps
    .slice(0, MAX_STEPS)
    .flatMap((step: unknown) => (here.budget.steps-- > 0 ? scriptsOfStep(step, here) : []));
}

function scriptsOfStep(step: unknown, here: StepLocation): CiScript[] {
  const name = textAt(step, "name");
  const key = name !== null && (here.project.text(here.file) ?? "").includes(name) ? name : here.key;
  if (!mayHold(valueAt(step, "if"), here.lookup) || valueAt(step, "continue-on-error") === true) return [];
  // Parallel steps are a nested list; the nesting depth of the file limits lists within it.
  const parallelSteps = valueAt(step, "parallel");
  if (Array.isArray(parallelSteps))
    return here.above.length > MAX_DEPTH
      ? []
      : scriptsOfSteps(parallelSteps, {...here, above: [...here.above, "parallel"]});
  if (/^(pwsh|powershell|cmd|python)/.test(textAt(step, "shell") ?? "") || notACheck(name) !== null) return [];
  const secret = Object.entries(textValues(valueAt(step, "env"))).find(
    ([variable, value]) => value.includes("secrets.") && !REPORTS.test(variable + value),
  );
  const text = textAt(step, "run") ?? actionCommand(step, here);
  if (text !== null && secret !== undefined) {
    here.notes.push({about: `${here.file} ${key}`, text: "left out: it needs a secret"});
    return [];
  }
  const folder = textAt(step, "working-directory") ?? textAt(step, "with", "working-directory");
  const filledFolder = folder === null ? here.cwd : fillIn(folder, here.lookup);
  // A step's working folder is relative to the checkout, not to the default of its job.
  const cwd = enter(".", filledFolder);
  const env = {...here.env, ...plainEnv(valueAt(step, "env"))};
  if (text !== null) {
    if (cwd === null || (text.includes("secrets.") && !REPORTS.test(text))) return [];
    return [{file: here.file, key, text: fillIn(text, here.lookup), cwd, env}];
  }
  const uses = textAt(step, "uses") ?? "";
  return OWN_FILE.test(uses) ? localAction(step, uses.replace(OWN_FILE, "").replace(/\/$/, ""), here) : [];
}

function actionCommand(step: unknown, here: StepLocation): string | null {
  const uses = textAt(step, "uses");
  const inputs = Object.fromEntries(
    [...mapOf(valueAt(step, "with"))].map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );
  const command = uses === null ? null : commandOfAction(uses, inputs);
  return command === null ? null : fillIn(command, here.lookup);
}

function localAction(step: unknown, folder: string, here: StepLocation): CiScript[] {
  const file = ["action.yml", "action.yaml"].map((name) => `${folder}/${name}`).find((path) => here.project.has(path));
  if (file === undefined) return [];
  if (here.above.includes(file) || here.above.length > MAX_DEPTH) {
    here.notes.push({about: file, text: "left out: actions that use each other in a circle, or too deep"});
    return [];
  }
  const action = here.project.yaml(file);
  const inputs = new Map<string, unknown>();
  for (const [name, input] of mapOf(valueAt(action, "inputs"))) inputs.set(name, valueAt(input, "default") ?? "");
  for (const [name, value] of mapOf(valueAt(step, "with")))
    inputs.set(name, typeof value === "string" ? fillIn(value, here.lookup) : value);
  const lookup: Lookup = (path) => {
    if (path[0] !== "inputs") return here.lookup(path);
    const value = inputs.get(path[1] ?? "");
    return typeof value === "string" && value.includes("${{") ? undefined : (value ?? "");
  };
  return scriptsOfSteps(valueAt(action, "runs", "steps"), {
    ...here,
    file,
    key: "steps",
    cwd: ".",
    lookup,
    above: [...here.above, file],
  });
}

/** The variables of an `env` whose values are in the file. */
export function plainEnv(env: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(textValues(env)).filter(([, value]) => !value.includes("${{")));
}

function textValues(env: unknown): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of mapOf(env))
    if (["string", "number", "boolean"].includes(typeof value)) values[name] = String(value);
  return values;
}
