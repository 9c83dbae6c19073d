/** fledge: the lane `verify` lists a project's required checks. Its steps become stages, without fledge. */
import {posix} from "node:path";
import type {NotRun} from "../../record/plan.ts";
import {assignments, quoteWords} from "../../shell/quote.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import {TIMEOUTS} from "../config/default-timeouts.ts";
import {listOf, mapOf, textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {safeVariant} from "../proposals/screen.ts";
import {expandTask, requiredTools, type Task} from "../proposals/task-runners.ts";
import {enter} from "../scripts/shell-values.ts";

const MAX_STEPS = 100;
const RUNS_TASK = /^fledge run ([\w:-]+)$/;
const WHOLE = "fledge lanes run verify --ni";
const FIX = "add a stage with its command to `stages` in verify.json";

/** One step of the lane, with the command lines that it runs. */
interface FledgeStep {
  readonly name: string;
  readonly lines: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout: number | null;
  /** why it cannot be a stage; empty if it can */
  readonly unfit: string;
}

export const fledge: Ecosystem = {name: "fledge", title: "fledge", manifests: ["fledge.toml"], where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "fledge.toml");
  const content = project.toml(file);
  const listedSteps = listOf(valueAt(content, "lanes", "verify", "steps"));
  if (listedSteps.length === 0) {
    const lanes = mapOf(valueAt(content, "lanes"));
    if (lanes.size === 0) return {};
    const why = lanes.has("verify") ? "the lane `verify` has no steps" : "none of its lanes is called `verify`";
    return {notRun: [{about: file, why, fix: "add a lane `verify`, or name your commands in verify.json"}]};
  }
  const steps = listedSteps.slice(0, MAX_STEPS).flatMap((step) => stepsOf({step, content, root}));
  const notRun: NotRun[] = steps
    .filter(({unfit}) => unfit !== "")
    .map(({name, unfit}) => ({about: `${file} ${name}`, why: unfit, fix: FIX}));
  if (listedSteps.length > MAX_STEPS)
    notRun.push({about: file, why: `only the first ${MAX_STEPS} steps are read`, fix: FIX});
  const fit = steps.filter(({unfit}) => unfit === "");
  const separate = fit.flatMap((step) => checkOf(step, file) ?? []);
  const checks = separate.length === fit.length ? separate : [wholeLane(fit, file, root)];
  return {shared: {evidence: "named", optional: false}, checks, notRun};
}

/** A step that is exactly one known check; null for any other step, because later steps may need its results. */
function checkOf({name, lines, cwd, env, timeout}: FledgeStep, file: string): CheckRow | null {
  const [line = ""] = lines;
  const kind = kindOf(line);
  if (lines.length !== 1 || kind === null || kind === "check") return null;
  const command = safeVariant(line);
  return {
    kind,
    command,
    cwd,
    tools: requiredTools(command),
    origin: originOf(file, `the step \`${name}\` of the lane \`verify\``, "verify"),
    env,
    runs: [WHOLE, line],
    ...(timeout !== null && {timeout}),
    ...(kind !== "test" && {label: name}),
  };
}

/** All steps in the lane's order as one stage, each in a separate shell, as fledge runs them. */
function wholeLane(steps: readonly FledgeStep[], file: string, root: string): CheckRow {
  const lines = steps.flatMap((step) => step.lines.map((line) => ({...step, line})));
  const shells = lines.map(({line, cwd, env}) => {
    const exports = assignments(env).map((one) => `export ${one}; `);
    const enter = cwd === root ? "" : `cd ${quoteWords(`./${posix.relative(root, cwd)}`)} && `;
    return `(${exports.join("")}${enter}${line})`;
  });
  return {
    kind: "check",
    command: shells.join(" && "),
    origin: originOf(file, "the lane `verify` is the project's own list of required checks", "verify"),
    priority: "everything",
    timeout: steps.reduce((sum, {timeout}) => sum + (timeout ?? TIMEOUTS.check), 0),
    runs: [WHOLE, ...lines.map(({line}) => line)],
  };
}

/** A step is a task's name, `{task}`, `{run}` or `{parallel: [...]}`; parallel steps are handled like all others. */
function stepsOf(options: {step: unknown; content: unknown; root: string}): FledgeStep[] {
  const {step, content, root} = options;
  const parallel = valueAt(step, "parallel");
  if (Array.isArray(parallel)) {
    const inner = parallel.slice(0, MAX_STEPS).filter((one) => !Array.isArray(valueAt(one, "parallel")));
    return inner.flatMap((one: unknown) => stepsOf({...options, step: one}));
  }
  const name = typeof step === "string" ? step : textAt(step, "task");
  const task = name === null ? undefined : valueAt(content, "tasks", name);
  const run = textAt(step, "run");
  const seconds = valueAt(step, "timeout");
  const lines = name === null ? (run === null ? [] : [run]) : expandTask({starts: RUNS_TASK}, tasksOf(content), name);
  const folder = textAt(task, "dir");
  const cwd = folder === null ? root : enter(root, folder);
  const unfit = whyUnfit(lines, cwd, textAt(step, "when"));
  const env = Object.fromEntries(textEntries(valueAt(task, "env")));
  const timeout = typeof seconds === "number" && seconds >= 1 ? Math.ceil(seconds) : null;
  return [{name: name ?? run ?? "a step", lines, cwd: cwd ?? root, env, timeout, unfit}];
}

function whyUnfit(lines: readonly string[], cwd: string | null, when: string | null): string {
  if (lines.length === 0) return "it runs no command";
  if (when !== null && !isMet(when)) return `it runs only if \`${when}\``;
  if (cwd === null) return "its folder is not in this repository";
  return lines.some((line) => /\n|(^|\s)#/.test(line)) ? "its command has several lines or a comment" : "";
}

/** True if the condition holds: stages run with `CI=true`, and the values of other variables are unknown. */
const isMet = (when: string): boolean => when.split(",").every((part) => /^CI(=true)?$/.test(part.trim()));

function tasksOf(content: unknown): Map<string, Task> {
  const tasks = [...mapOf(valueAt(content, "tasks"))].map(([name, task]): [string, Task] => {
    const line = typeof task === "string" ? task : textAt(task, "cmd");
    return [name, {lines: line === null ? [] : [line], needs: textsOf(valueAt(task, "deps"))}];
  });
  return new Map(tasks);
}
