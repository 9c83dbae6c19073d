/** Whether the workflow that runs Assay is there, is called, and may do what Assay does. */

import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {COMMAND_WORDS} from "../../request/command.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {PLACEHOLDER_STEP, SETUP_ACTION} from "../init/setup-action.ts";
import type {SetupSteps} from "../init/setup-steps.ts";
import {findWorkflow, USES_ASSAY} from "../init/workflow-file.ts";
import {type Finding, fine} from "./finding.ts";

const SCOPES = {
  contents: "push branches",
  issues: "comment",
  "pull-requests": "open pull requests",
  checks: "put its check on commits",
} as const;

/**
 * Findings over the files of the tree; `keys` are the variables that carry a model provider's key, `setup` the steps that the
 * plan's tools need (null where there is no plan).
 */
export function workflowFindings(o: {
  project: Project;
  keys: ReadonlySet<string>;
  setup: SetupSteps | null;
}): Finding[] {
  const {project, keys, setup} = o;
  const file = findWorkflow(project);
  if (file === null)
    return [
      {about: "workflow", state: "missing", text: "no workflow here runs Assay", next: "run `assay init`, and commit"},
    ];
  const workflow = project.yaml(file);
  if (workflow === undefined)
    return [{about: file, state: "mistake", text: "is no valid YAML", next: "correct the file"}];
  const all = [...mapOf(valueAt(workflow, "jobs")).values()];
  const caller = all.find(runsAssay);
  if (caller !== undefined)
    return [
      triggers(file, valueAt(workflow, "on")),
      start({file, job: caller, phrase: valueAt(caller, "with", "trigger-phrase"), knowsDefault: true}),
      permissions(file, valueAt(caller, "permissions") ?? valueAt(workflow, "permissions")),
      ...setupFinding(project, setup),
      key({file, keys, places: [{env: valueAt(caller, "secrets")}]}),
    ];
  const jobs = all.filter((job) => stepsOf(job).some(runsAssay));
  const partOf = (part: string) =>
    jobs.find((job) => stepsOf(job).some((step) => valueAt(step, "with", "job") === part));
  // In separate jobs one job holds what is needed for publishing, and another what the agent needs.
  const writer = jobs.find((job) => valueAt(job, "permissions", "contents") === "write") ?? jobs[0];
  const worker = partOf("work") ?? jobs[0];
  const first = partOf("admit") ?? jobs[0];
  const phrase = stepsOf(first).map((step) => valueAt(step, "with", "trigger-phrase"));
  return [
    triggers(file, valueAt(workflow, "on")),
    start({file, job: first, phrase: phrase.find((given) => given !== undefined), knowsDefault: false}),
    permissions(file, valueAt(writer, "permissions") ?? valueAt(workflow, "permissions")),
    checkout(file, stepsOf(worker)),
    sandbox(file, [worker, partOf("verify")]),
    key({file, keys, places: [workflow, worker, ...stepsOf(worker).filter(runsAssay)]}),
  ];
}

/** Whether the job's condition knows all words that call Assay: what it does not know gets no run, and no answer. */
function start(o: {file: string; job: unknown; phrase: unknown; knowsDefault: boolean}): Finding {
  const about = `${o.file} if`;
  const phrase = typeof o.phrase === "string" ? o.phrase : DEFAULT_PHRASE;
  const condition = valueAt(o.job, "if");
  const calls = phrase.split(/\s+/).filter((word) => word !== "");
  if (condition === undefined) {
    if (calls.length === 0 || (o.knowsDefault && phrase === DEFAULT_PHRASE)) return fine(about, "none is needed");
    return {
      about,
      state: "advice",
      text: "there is none: each comment starts a machine, and most of them for nothing",
      next: `take the \`if:\` from \`assay init --trigger "${phrase}"\``,
    };
  }
  const words = calls.length === 0 ? [] : [...calls, ...COMMAND_WORDS];
  const text = String(condition).toLowerCase();
  const unknown = words.filter((word) => !text.includes(`'${word.toLowerCase()}'`));
  if (unknown.length === 0) return fine(about, "starts a run for each word that calls Assay");
  return {
    about,
    state: "missing",
    text: `does not name ${unknown.join(", ")}: comments that begin so may start no run`,
    next: `take the \`if:\` from \`assay init --trigger "${phrase}"\``,
  };
}

/** Each job that runs the agent or the change's code wants the sandbox installed before Assay starts. */
function sandbox(file: string, jobs: readonly unknown[]): Finding {
  const isInstalled = (job: unknown) =>
    stepsOf(job)
      .slice(0, stepsOf(job).findIndex(runsAssay))
      .some((step) => /\b(?:bubblewrap|bwrap)\b/.test(String(valueAt(step, "run") ?? "")));
  return jobs.filter((job) => job !== undefined).every(isInstalled)
    ? fine(`${file} sandbox`, "is installed before Assay starts")
    : {
        about: `${file} sandbox`,
        state: "advice",
        text: "no step installs bubblewrap: hosted runners lack it, and then the agent and the stages see the machine's files",
        next: "add the step of docs/security.md, “How do stages get a sandbox?”",
      };
}

const UNCHANGED_SETUP: Finding = {
  about: SETUP_ACTION,
  state: "advice",
  text: "installs nothing yet: it still has the step that `assay init` wrote",
  next: "replace that step with steps that install the tools named in its comments; delete the file if the runner has them all",
};

/** The called workflow installs the repository's tools by an action that is the repository's own. */
function setupFinding(project: Project, setup: SetupSteps | null): Finding[] {
  if (project.has(SETUP_ACTION)) {
    const isComposite = valueAt(project.yaml(SETUP_ACTION), "runs", "using") === "composite";
    const next = "correct it: `runs:` with `using: composite` and `steps:`";
    if (!isComposite) return [{about: SETUP_ACTION, state: "mistake", text: "is no composite action", next}];
    return [project.text(SETUP_ACTION)?.includes(PLACEHOLDER_STEP) ? UNCHANGED_SETUP : fine(SETUP_ACTION, "is there")];
  }
  if (setup === null || setup.steps.length + setup.comments.length === 0) return [];
  const next = "run `assay init`, which writes it, and commit";
  return [{about: SETUP_ACTION, state: "advice", text: "is not there: stages get the tools of the runner", next}];
}

function triggers(file: string, on: unknown): Finding {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? on : [...mapOf(on).keys()];
  return names.includes("issue_comment")
    ? fine(file, "runs on comments")
    : {
        about: file,
        state: "missing",
        text: "does not run on comments, so nobody can call Assay",
        next: "add `issue_comment: {types: [created]}` under `on:`",
      };
}

function permissions(file: string, given: unknown): Finding {
  const about = `${file} permissions`;
  if (given === "write-all")
    return {about, state: "advice", text: "allow everything", next: `narrow them to ${wanted(Object.keys(SCOPES))}`};
  if (given === undefined)
    return {
      about,
      state: "unknown",
      text: "are the repository's default, which this machine cannot see",
      next: `add \`permissions: {${wanted(Object.keys(SCOPES))}}\``,
    };
  const lacking = Object.entries(SCOPES).filter(([scope]) => valueAt(given, scope) !== "write");
  if (lacking.length === 0) return fine(about, "suffice");
  return {
    about,
    state: "missing",
    text: `do not let Assay ${lacking.map(([, what]) => what).join(", ")}`,
    next: `add \`${wanted(lacking.map(([scope]) => scope))}\``,
  };
}

function checkout(file: string, steps: readonly unknown[]): Finding {
  const isBefore = steps
    .slice(0, steps.findIndex(runsAssay))
    .some((step) => usesOf(step).startsWith("actions/checkout@"));
  return isBefore
    ? fine(`${file} checkout`, "comes before Assay")
    : {
        about: `${file} checkout`,
        state: "missing",
        text: "no step checks the repository out before Assay",
        next: "add the step `actions/checkout` before it",
      };
}

function key(o: {file: string; keys: ReadonlySet<string>; places: readonly unknown[]}): Finding {
  const about = `${o.file} model key`;
  const names = o.places
    .flatMap((place) => [...mapOf(valueAt(place, "env")).keys()])
    .filter((name) => o.keys.has(name));
  const [name] = names;
  if (name !== undefined)
    return {
      about,
      state: "unknown",
      text: `${name} is handed over; whether the secret behind it exists cannot be seen from here`,
      next: `see that the repository has the secret: \`gh secret list\``,
    };
  return {
    about,
    state: "missing",
    text: "no key of a model provider is handed over",
    next: 'add `env: {ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}"}` to the step',
  };
}

const wanted = (scopes: readonly string[]): string => scopes.map((scope) => `${scope}: write`).join(", ");

function stepsOf(job: unknown): readonly unknown[] {
  const steps = valueAt(job, "steps");
  return Array.isArray(steps) ? steps : [];
}

const runsAssay = (step: unknown): boolean => USES_ASSAY.test(`uses: ${usesOf(step)}`);

function usesOf(step: unknown): string {
  const uses = valueAt(step, "uses");
  return typeof uses === "string" ? uses : "";
}
