/** The steps of a GitHub job or composite action: their scripts, and those of the local actions they use. */
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-lines.ts";
import {fillIn, type Lookup, mayHold} from "./expression.ts";
import type {CiScript} from "./extract-checks.ts";
import {type CiLocation, keyIn} from "./jobs.ts";
import {commandOfAction} from "./known-actions.ts";

interface StepLocation extends CiLocation {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lookup: Lookup;
}

/** How a `uses` names an action or workflow of the same repository. */
export const OWN_FILE = /^[.$]\//;
const MAX_STEPS = 100;
const MAX_DEPTH = 4;
/** A secret for reporting does not make the check itself need one. */
const REPORTS = /codecov|coveralls|codeclimate|github|cc_test|turbo|nx_cloud|sonar|buildpulse|cachix/i;

/** The scripts in these steps that CI runs on Linux for an ordinary push or pull request. */
export function scriptsOfSteps(steps: unknown, here: StepLocation): CiScript[] {
  return listOf(steps)
    .slice(0, MAX_STEPS)
    .flatMap((step) => (here.budget.steps-- > 0 ? scriptsOfStep(step, here) : []));
}

function scriptsOfStep(step: unknown, here: StepLocation): CiScript[] {
  const {project, file, above, lookup} = here;
  const name = textAt(step, "name");
  const key = keyIn(project, file, name ?? "", here.key);
  if (!mayHold(valueAt(step, "if"), lookup) || valueAt(step, "continue-on-error") === true) return [];
  // Parallel steps are a nested list; the nesting depth of the file limits lists within it.
  const parallelSteps = valueAt(step, "parallel");
  if (Array.isArray(parallelSteps))
    return above.length > MAX_DEPTH ? [] : scriptsOfSteps(parallelSteps, {...here, above: [...above, "parallel"]});
  if (/^(pwsh|powershell|cmd|python)/.test(textAt(step, "shell") ?? "") || notACheck(name) !== null) return [];
  const stepEnv = valueAt(step, "env");
  const needsSecret = (text: string, name = ""): boolean => text.includes("secrets.") && !REPORTS.test(name + text);
  const text = textAt(step, "run") ?? actionCommand(step, here);
  if (text !== null && Object.entries(textValues(stepEnv)).some(([name, value]) => needsSecret(value, name))) {
    here.notes.push({about: `${file} ${key}`, text: "left out: it needs a secret"});
    return [];
  }
  if (text === null) {
    const uses = textAt(step, "uses") ?? "";
    return OWN_FILE.test(uses) ? localAction(step, uses.replace(OWN_FILE, "").replace(/\/$/, ""), here) : [];
  }
  const folder = textAt(step, "working-directory") ?? textAt(step, "with", "working-directory");
  // A step's working folder is relative to the checkout, not to the default of its job.
  const cwd = enter(".", folder === null ? here.cwd : fillIn(folder, lookup));
  if (cwd === null || needsSecret(text)) return [];
  return [{file, key, text: fillIn(text, lookup), cwd, env: {...here.env, ...plainEnv(stepEnv)}}];
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
  const {project, above} = here;
  const file = findFirst(project, folder, ["action.yml", "action.yaml"]);
  if (file === null) return [];
  if (above.includes(file) || above.length > MAX_DEPTH) {
    here.notes.push({about: file, text: "left out: actions that use each other in a circle, or too deep"});
    return [];
  }
  const action = project.yaml(file);
  const inputs = new Map<string, unknown>();
  for (const [name, input] of mapOf(valueAt(action, "inputs"))) inputs.set(name, valueAt(input, "default") ?? "");
  for (const [name, value] of mapOf(valueAt(step, "with")))
    inputs.set(name, typeof value === "string" ? fillIn(value, here.lookup) : value);
  const lookup: Lookup = (path) => {
    if (path[0] !== "inputs") return here.lookup(path);
    const value = inputs.get(path[1] ?? "");
    return typeof value === "string" && value.includes("${{") ? undefined : (value ?? "");
  };
  const inAction = {...here, file, key: "steps", cwd: ".", lookup, above: [...above, file]};
  return scriptsOfSteps(valueAt(action, "runs", "steps"), inAction);
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
