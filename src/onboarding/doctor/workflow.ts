/** Checks the workflow that runs Assay: its triggers, condition, permissions, checkout and keys. */
import {parse} from "yaml";
import {listOf, mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {commandsIn, triggerWords} from "../../request/command.ts";
import {DEFAULT_COMMANDS, DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {TRIGGERS, type Trigger} from "../../request/triggers.ts";
import {type Finding, okFinding} from "../finding.ts";
import {PLACEHOLDER_STEP, SETUP_ACTION} from "../init/setup-action.ts";
import type {SetupSteps} from "../init/setup-steps.ts";
import {findWorkflow, USES_ASSAY, WORKFLOW, WORKFLOW_FILE} from "../init/workflow-file.ts";

const SCOPES = {
  contents: "push branches",
  issues: "comment",
  "pull-requests": "open pull requests",
  checks: "add its check to commits",
} as const;

/**
 * `keys` are the variables of model providers' API keys. `setup` are the steps that the plan's tools need; null without
 * a plan.
 */
export function workflowFindings(options: {
  project: Project;
  keys: ReadonlySet<string>;
  setup: SetupSteps | null;
  /** the repository's address on its server; null if it is unknown */
  page: string | null;
}): Finding[] {
  const {project, keys, setup, page} = options;
  const file = findWorkflow(project);
  if (file === null) return [withoutWorkflow(project)];
  const workflow = project.yaml(file);
  if (workflow === undefined) return [{about: file, state: "mistake", text: "is not valid YAML", next: "fix the file"}];
  const all = [...mapOf(valueAt(workflow, "jobs")).values()];
  const on = valueAt(workflow, "on");
  const triggerNames = namedTriggers(on);
  const caller = all.find(runsAssay);
  if (caller !== undefined)
    return [
      triggers(file, {on, named: triggerNames}),
      ...redCi(file, {on, steps: []}),
      start({
        file,
        named: triggerNames,
        job: caller,
        phrase: valueAt(caller, "with", "trigger-phrase"),
        commands: valueAt(caller, "with", "commands"),
        knowsDefault: true,
      }),
      permissions(file, valueAt(caller, "permissions") ?? valueAt(workflow, "permissions")),
      ...setupFinding(project, setup),
      key({file, keys, isCaller: true, places: [{env: valueAt(caller, "secrets")}], page}),
    ];
  const jobs = all.filter((job) => stepsOf(job).some(runsAssay));
  const partOf = (part: string) =>
    jobs.find((job) => stepsOf(job).some((step) => valueAt(step, "with", "job") === part));
  // In separate jobs, one job has the permissions for publishing, and another the inputs of the agent.
  const writer = jobs.find((job) => valueAt(job, "permissions", "contents") === "write") ?? jobs[0];
  const worker = partOf("work") ?? jobs[0];
  const firstJob = partOf("admit") ?? jobs[0];
  const phrase = stepsOf(firstJob).map((step) => valueAt(step, "with", "trigger-phrase"));
  return [
    triggers(file, {on, named: triggerNames}),
    ...redCi(file, {on, steps: stepsOf(writer)}),
    start({
      file,
      named: triggerNames,
      job: firstJob,
      phrase: phrase.find((given) => given !== undefined),
      commands: stepsOf(firstJob)
        .map((step) => valueAt(step, "with", "commands"))
        .find((given) => given !== undefined),
      knowsDefault: false,
    }),
    permissions(file, valueAt(writer, "permissions") ?? valueAt(workflow, "permissions")),
    checkout(file, stepsOf(worker)),
    sandbox(file, [worker, partOf("verify")]),
    key({file, keys, isCaller: false, places: [workflow, ...[worker, partOf("judge")].flatMap(withSteps)], page}),
  ];
}

/** The job, and its steps that run Assay. */
const withSteps = (job: unknown): unknown[] => [job, ...stepsOf(job).filter(runsAssay)];

function withoutWorkflow(project: Project): Finding {
  const unread = project.files.filter((path) => WORKFLOW.test(path) && project.text(path) === null);
  if (unread.length === 0) {
    const next = "run `assay init`, then commit the files";
    return {about: "workflow", state: "missing", text: "no workflow runs Assay", next};
  }
  const isWritten = unread.includes(WORKFLOW_FILE);
  return {
    about: "workflow",
    state: "unknown",
    text: isWritten
      ? `${WORKFLOW_FILE} is in this repository, but cannot be read in this folder`
      : `one of the workflows that cannot be read in this folder may run Assay: ${unread.slice(0, 5).join(", ")}${unread.length > 5 ? ", …" : ""}`,
    next: "if a sparse checkout leaves it out, run `git sparse-checkout add .github`; otherwise restore the files",
  };
}

/**
 * Checks that the condition of the job contains all words that start a request. Other comments get no run and no
 * answer.
 */
function start(options: {
  file: string;
  named: readonly Trigger[];
  job: unknown;
  phrase: unknown;
  commands: unknown;
  knowsDefault: boolean;
}): Finding {
  const about = `${options.file} if`;
  const phrase = typeof options.phrase === "string" ? options.phrase : DEFAULT_PHRASE;
  const condition = valueAt(options.job, "if");
  const phraseWords = triggerWords(phrase);
  if (condition === undefined) {
    if (phraseWords.length === 0 || (options.knowsDefault && phrase === DEFAULT_PHRASE))
      return okFinding(
        about,
        phraseWords.length === 0 ? "every comment is a request" : "Assay's workflow has the condition",
      );
    return {
      about,
      state: "advice",
      text: "missing, so every comment starts a machine",
      next: copyCondition(phrase, options.named),
    };
  }
  const words =
    phraseWords.length === 0 ? [] : [...phraseWords, ...commandsIn(String(options.commands ?? DEFAULT_COMMANDS))];
  const text = String(condition).toLowerCase();
  const isChecked = (word: string) => [`'${word}'`, `'"${word}`].some((start) => text.includes(start));
  const unknown = words.filter((word) => !isChecked(word.toLowerCase()));
  const unread = options.named.filter(({expression}) => !text.includes(expression));
  if (unread.length > 0)
    return {
      about,
      state: "missing",
      text: `does not check ${names(unread.map(({expression}) => expression))}, so some events of ${names(unread.map(({event}) => event))} start no run`,
      next: copyCondition(phrase, options.named),
    };
  if (unknown.length === 0) return okFinding(about, "starts a run for every command");
  return {
    about,
    state: "missing",
    text: `does not contain ${unknown.join(", ")}, so some comments that start with it start no run`,
    next: copyCondition(phrase, options.named),
  };
}

const WITH_NAME: Readonly<Record<string, string>> = {
  label: "label:NAME",
  assignment: "assignment:LOGIN",
  schedule: "schedule:CRON",
};

/** `init` changes no existing file, so it has to run somewhere else. */
function copyCondition(phrase: string, named: readonly Trigger[]): string {
  const options = named.flatMap(({option}) => (option === null ? [] : (WITH_NAME[option] ?? option)));
  const trigger = phrase === DEFAULT_PHRASE ? "" : ` --trigger "${phrase}"`;
  const on = options.length === 0 ? "" : ` --on ${names(options)}`.replaceAll(", ", ",");
  return `run \`assay init --yes${trigger}${on}\` in an empty folder, and copy the \`if:\` of its workflow`;
}

/** Checks that each job that runs the agent or the change's code installs the sandbox before Assay starts. */
function sandbox(file: string, jobs: readonly unknown[]): Finding {
  const isInstalled = (job: unknown) =>
    stepsOf(job)
      .slice(0, stepsOf(job).findIndex(runsAssay))
      .some((step) => /\b(?:bubblewrap|bwrap)\b/.test(String(valueAt(step, "run") ?? "")));
  return jobs.filter((job) => job !== undefined).every(isInstalled)
    ? okFinding(`${file} sandbox`, "installed before Assay starts")
    : {
        about: `${file} sandbox`,
        state: "advice",
        text: "no step installs bubblewrap; hosted runners lack it, so the agent and the checks can read the machine's files",
        next: "add the step in docs/security.md, “How do checks get a sandbox?”",
      };
}

const UNCHANGED_SETUP: Finding = {
  about: SETUP_ACTION,
  state: "advice",
  text: "installs nothing yet: it still contains the placeholder step of `assay init`",
  next: "replace that step with steps that install the tools in its comments, or delete the file if the runner has them all",
};

/** The called workflow installs the repository's tools with a composite action of the repository. */
function setupFinding(project: Project, setup: SetupSteps | null): Finding[] {
  if (project.has(SETUP_ACTION)) {
    const text = project.text(SETUP_ACTION);
    const lost = "is in the last commit, but not in this folder";
    if (text === null)
      return [{about: SETUP_ACTION, state: "mistake", text: lost, next: "restore it, or commit that it is gone"}];
    const isComposite = valueAt(project.yaml(SETUP_ACTION), "runs", "using") === "composite";
    const next = "set `using: composite` and `steps:` under `runs:`";
    if (!isComposite) return [{about: SETUP_ACTION, state: "mistake", text: "is not a composite action", next}];
    if (text.includes(PLACEHOLDER_STEP)) return [UNCHANGED_SETUP];
    const others = setup === null ? [] : otherVersions(project, setup);
    return others.length > 0 ? others : [okFinding(SETUP_ACTION, "exists")];
  }
  if (setup === null || setup.steps.length + setup.comments.length === 0) return [];
  const next = "run `assay init` to write it, then commit it";
  return [{about: SETUP_ACTION, state: "advice", text: "missing, so checks get only the tools of the runner", next}];
}

/** The inputs with which `init` would write an action of the set-up now, if they are others. */
function otherVersions(project: Project, setup: SetupSteps): Finding[] {
  const present = listOf(valueAt(project.yaml(SETUP_ACTION), "runs", "steps"));
  return listOf(parse(setup.steps.join("\n"))).flatMap((wanted): Finding[] => {
    const [action = ""] = usesOf(wanted).split("@");
    const step = present.find((one) => action !== "" && usesOf(one).startsWith(`${action}@`));
    const given = [...mapOf(valueAt(wanted, "with"))].find(([input]) => input.includes("version"));
    if (step === undefined || given === undefined) return [];
    const [input, version] = given;
    const now = valueAt(step, "with", input);
    if (String(now) === String(version)) return [];
    const text = `\`${action}\` installs ${now === undefined ? "another version" : String(now)}, and CI ${String(version)}`;
    return [{about: SETUP_ACTION, state: "advice", text, next: `set \`${input}: "${String(version)}"\` there`}];
  });
}

const names = (words: readonly string[]): string => [...new Set(words)].join(", ");

/** The triggers that `on:` names with their action. Without `types`, an event is there for its other actions too. */
const namedTriggers = (on: unknown): Trigger[] =>
  TRIGGERS.filter(({event, action}) =>
    action === "" ? mapOf(on).has(event) : [valueAt(on, event, "types")].flat().includes(action),
  );

function triggers(file: string, {on, named}: {on: unknown; named: readonly Trigger[]}): Finding {
  const events = typeof on === "string" ? [on] : Array.isArray(on) ? on : [...mapOf(on).keys()];
  return events.includes("issue_comment")
    ? okFinding(file, `runs on ${names(["comments", ...named.flatMap(({option}) => option ?? [])])}`)
    : {
        about: file,
        state: "missing",
        text: "does not run on comments, so commands have no effect",
        next: "add `issue_comment: {types: [created]}` under `on:`",
      };
}

/** GitHub starts no workflow for a commit that a workflow's own token pushed. */
function redCi(file: string, {on, steps}: {on: unknown; steps: readonly unknown[]}): Finding[] {
  if (!mapOf(on).has("workflow_run")) return [];
  const about = `${file} failed workflows`;
  if (steps.some((step) => runsAssay(step) && valueAt(step, "with", "github-token") !== undefined))
    return [okFinding(about, "start a run")];
  const text = "start no run: CI starts on Assay's commits only if they are pushed with the token of an app";
  return [{about, state: "missing", text, next: "give Assay the token of an app: docs/app-token.md"}];
}

function permissions(file: string, given: unknown): Finding {
  const about = `${file} permissions`;
  if (given === "write-all")
    return {
      about,
      state: "advice",
      text: "allow everything",
      next: `reduce them to ${writeScopes(Object.keys(SCOPES))}`,
    };
  if (given === undefined)
    return {
      about,
      state: "unknown",
      text: "not set; the repository's default cannot be checked from here",
      next: `add \`permissions: {${writeScopes(Object.keys(SCOPES))}}\``,
    };
  const lackingScopes = Object.entries(SCOPES).filter(([scope]) => valueAt(given, scope) !== "write");
  if (lackingScopes.length === 0) return okFinding(about, "sufficient");
  return {
    about,
    state: "missing",
    text: `Assay cannot ${lackingScopes.map(([, action]) => action).join(", ")}`,
    next: `add \`${writeScopes(lackingScopes.map(([scope]) => scope))}\``,
  };
}

function checkout(file: string, steps: readonly unknown[]): Finding {
  const isBefore = steps
    .slice(0, steps.findIndex(runsAssay))
    .some((step) => usesOf(step).startsWith("actions/checkout@"));
  return isBefore
    ? okFinding(`${file} checkout`, "runs before Assay")
    : {
        about: `${file} checkout`,
        state: "missing",
        text: "no step checks out the repository before Assay",
        next: "add a step with `actions/checkout` before Assay",
      };
}

/** `places` are the parts of the workflow with `env`. A job that calls a workflow may only have `secrets`. */
function key(options: {
  file: string;
  keys: ReadonlySet<string>;
  isCaller: boolean;
  places: readonly unknown[];
  page: string | null;
}): Finding {
  const about = `${options.file} model key`;
  const passed = options.places
    .flatMap((place) => [...mapOf(valueAt(place, "env"))])
    .filter(([name]) => options.keys.has(name));
  if (passed.length > 0) {
    const secrets = names(passed.map(([name, value]) => /\bsecrets\.(\w+)/.exec(String(value))?.[1] ?? name));
    const what = secrets.includes(",") ? "secrets" : "secret";
    return {
      about,
      state: "unknown",
      text: `${names(passed.map(([name]) => name))} is passed to Assay; whether the ${what} exists cannot be checked from here`,
      next: `add the ${what} ${secrets}, unless \`gh secret list\` shows it: ${settings(options.page, "secrets/actions/new", "Secrets and variables → Actions")}`,
    };
  }
  const line = 'ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}"';
  return {
    about,
    state: "missing",
    text: "no API key of a model provider is passed to Assay",
    next: options.isCaller ? `write \`${line}\` under \`secrets:\` of the job` : `add \`env: {${line}}\` to the step`,
  };
}

/** Without this setting, the workflow's token cannot open a pull request. `page` is as for `workflowFindings`. */
export function pullRequestFindings(project: Project, page: string | null): Finding[] {
  if (findWorkflow(project) === null) return [];
  return [
    {
      about: "pull requests",
      state: "unknown",
      text: "whether workflows may open them is a setting that cannot be checked from here",
      next: `turn on "Allow GitHub Actions to create and approve pull requests": ${settings(page, "actions", "Actions → General")}`,
    },
  ];
}

const settings = (page: string | null, path: string, menu: string): string =>
  page === null ? `Settings → ${menu}` : `${page}/settings/${path}`;

const writeScopes = (scopes: readonly string[]): string => scopes.map((scope) => `${scope}: write`).join(", ");

export const stepsOf = (job: unknown): readonly unknown[] => listOf(valueAt(job, "steps"));

/** True for a step that uses Assay, and for a job that calls its workflow. */
export const runsAssay = (step: unknown): boolean => USES_ASSAY.test(`uses: ${usesOf(step)}`);

function usesOf(step: unknown): string {
  const uses = valueAt(step, "uses");
  return typeof uses === "string" ? uses : "";
}
