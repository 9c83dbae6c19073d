/** `assay init`: writes `verify.json`, the workflow and its setup. Existing files are not changed. */

import {mkdir, readFile, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import picocolors from "picocolors";
import {servicesOfCi} from "../detect/ci/services.ts";
import {CONFIG_FILES, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {readConfigIn} from "../detect/config/read-config.ts";
import {openProject} from "../detect/files/open-project.ts";
import type {Project} from "../detect/files/project.ts";
import {plan} from "../detect/plan.ts";
import {NO_ARTIFACTS} from "../github/server.ts";
import {chooseTriggers} from "../onboarding/init/choose-triggers.ts";
import {configFile} from "../onboarding/init/config-file.ts";
import {placeProblem} from "../onboarding/init/file-place.ts";
import {HOOK_FILES, hookCommandLine} from "../onboarding/init/hook-file.ts";
import {fileLines, type InitDocument, initDocument, nextLines} from "../onboarding/init/init-result.ts";
import {majorTag, withTag} from "../onboarding/init/pins.ts";
import {presentForm} from "../onboarding/init/present-workflow.ts";
import {DEFAULT_PROVIDER, PROVIDER_KEYS, PROVIDERS, type WorkflowProvider} from "../onboarding/init/providers.ts";
import {separatedWorkflow} from "../onboarding/init/separated-workflow.ts";
import {serviceLines} from "../onboarding/init/services.ts";
import {SETUP_ACTION, setupAction} from "../onboarding/init/setup-action.ts";
import {type SetupSteps, setupSteps} from "../onboarding/init/setup-steps.ts";
import {isPlainPhrase, startCondition} from "../onboarding/init/start-condition.ts";
import {
  callerWorkflow,
  callsAssay,
  findWorkflow,
  hasSingleJob,
  namesOfChecks,
  singleWorkflow,
  WORKFLOW_FILE,
} from "../onboarding/init/workflow-file.ts";
import type {Surroundings} from "../onboarding/init/workflow-parts.ts";
import {judgeKey} from "../onboarding/judge-key.ts";
import {escapeLog} from "../process/escape-log.ts";
import {exists} from "../process/linked-out.ts";
import {proofCandidates} from "../proof/prove/candidates.ts";
import type {HookAgent} from "../record/agent-names.ts";
import type {Plan} from "../record/plan.ts";
import {commandsIn, TAKEN_WORD, takenWords} from "../request/command.ts";
import {DEFAULT_COMMANDS, DEFAULT_PHRASE} from "../request/default-phrase.ts";
import {isChosen} from "../request/triggers.ts";
import {printFailure} from "./error-text.ts";
import {extendedFile} from "./extended-file.ts";
import {bareProblem, gitTop} from "./git-top.ts";
import {hasLeftOutFile} from "./left-out-files.ts";
import {originBranch, originServer} from "./origin-server.ts";
import {openPrompt, type Prompt} from "./prompt.ts";
import type {InitialProofs} from "./prove.ts";
import {jsonText} from "./reporters/json-text.ts";

interface InitOptions {
  readonly json?: boolean;
  /** run the checks that are not required yet once on the last commit */
  readonly prove: boolean;
  readonly mode: "single" | "separated";
  readonly provider: WorkflowProvider;
  readonly shards: string;
  /** sign a statement about each verified commit */
  readonly attest?: boolean;
  readonly trigger: string;
  /** the words of the input `commands` */
  readonly commands: string;
  /** optional triggers, separated by commas */
  readonly on: string;
  /** `major`: the moving tag instead of commits */
  readonly pin?: "commit" | "major";
}

/** The options as given. A terminal is asked for the mode and the provider if they are absent. */
type GivenOptions = Omit<InitOptions, "mode" | "provider"> &
  Partial<Pick<InitOptions, "mode" | "provider">> & {
    /** write without asking */
    readonly yes?: boolean;
    readonly agent?: HookAgent;
    /** compare the existing workflow with the one of this version */
    readonly update?: boolean;
  };

/**
 * Exit 0, even if all files exist already; 3 if no plan can be made, a person wants no files, or the mode does not work
 * on the repository's server. The files are written first; only then commands of the repository run, in the sandbox.
 */
export async function initCommand(given: GivenOptions): Promise<number> {
  const problem = bareProblem(process.cwd());
  if (problem !== null) return printFailure({kind: "wrong-argument", sentence: problem});
  if (given.agent !== undefined) return writeHook(given.agent, given.json ?? false);
  const prompt = given.yes || given.json ? null : openPrompt();
  try {
    return await initFiles(given, prompt);
  } finally {
    prompt?.close();
  }
}

async function initFiles(given: GivenOptions, prompt: Prompt | null): Promise<number> {
  const defaults = {mode: "separated", provider: DEFAULT_PROVIDER, ...given} as const;
  const triggers = chooseTriggers(given.on);
  const mistake = triggers.ok ? mistakeIn(defaults, triggers.value) : `error: ${triggers.failure}`;
  if (mistake !== null || !triggers.ok) {
    process.stderr.write(`${mistake}\n`);
    return 3;
  }
  const top = gitTop(process.cwd());
  const folder = top ?? process.cwd();
  if (top === null && !given.yes && prompt === null) {
    process.stderr.write(`error: ${folder} is not a git repository. Run \`git init\`, or \`assay init --yes\`.\n`);
    return 3;
  }
  if (hasBadPlace(folder, [WORKFLOW_FILE, SETUP_ACTION])) return 3;
  if (await hasLeftOutFile(folder, [...CONFIG_FILES, dirname(WORKFLOW_FILE), SETUP_ACTION])) return 3;
  const project = await openProject(folder, process.env);
  const checks = namesOfChecks(project);
  if (checks.length === 0 && isChosen(triggers.value, "ci")) {
    process.stderr.write("error: --on ci needs a workflow that runs on pull requests or pushes, and there is none\n");
    return 3;
  }
  const on = withNames(triggers.value, {ci: JSON.stringify(checks), update: await originBranch(folder)});
  const planResult = plan({project, config: DEFAULT_CONFIG});
  if (!planResult.ok) return printFailure(planResult.failure);
  const workflow = existingPath(folder, WORKFLOW_FILE) ?? findWorkflow(project);
  if (given.update) return updateFile({given, prompt, folder, project, workflow, plan: planResult.value, on});
  const server = workflow === null ? await originServer(folder) : null;
  const unable = server === null ? null : unableServer(server, defaults);
  if (unable !== null) {
    process.stderr.write(`error: ${unable}\n`);
    return 3;
  }
  const options = workflow === null ? await askForm(given, prompt, {canSeparate: server === null}) : defaults;
  if (options === null) return refusedByPerson();
  const setup = setupSteps(planResult.value, project);
  const form = {options, workflow, setup, on, hasNewKeys: server === null};
  const drafts = await draftFiles({folder, project, plan: planResult.value, ...form});
  if (prompt !== null && !(await mayWrite(prompt, {drafts, folder, isRepository: top !== null})))
    return refusedByPerson();
  // Ctrl-C then stops the checks below.
  prompt?.close();
  const files: InitDocument["files"] = [];
  for (const draft of drafts) files.push(await write(folder, draft));
  if (!options.json) process.stdout.write(fileLines(files));
  const tried = await tryChecks(planResult.value, files, options);
  const document = initDocument({
    folder,
    files,
    isIncomplete: setup.comments.length > 0,
    ...compareForms(defaults, {project, workflow}),
    // The findings are those of `assay doctor`, so that the two commands never disagree.
    findings: await (await import("./doctor.ts")).doctorFindings(folder),
  });
  const proofsPart = tried.proofs.length === 0 ? {} : {proofs: [...tried.proofs]};
  const trust = options.pin === "major" ? [MOVING_TAG] : [];
  print({...document, ...proofsPart, next: [...tried.remaining, ...trust, ...document.next]}, options);
  return 0;
}

const MOVING_TAG =
  "The workflow follows a moving tag: whoever can move it decides what runs here with your token and keys. A commit stays.";

/** The triggers with what they need to know of this repository. */
const withNames = (triggers: readonly string[], names: Readonly<Record<string, string>>): string[] =>
  triggers.map((one) => (one in names ? `${one}:${names[one]}` : one));

/** The options of the present workflow count, except those that the person gives now. */
async function updateFile(context: {
  given: GivenOptions;
  prompt: Prompt | null;
  folder: string;
  project: Project;
  workflow: string | null;
  plan: Plan;
  on: readonly string[];
}): Promise<number> {
  const {given, folder, project, workflow, prompt} = context;
  const before = project.text(workflow ?? "") ?? "";
  const present = presentForm(before);
  if (workflow === null || present === null)
    return printFailure({
      kind: "wrong-argument",
      sentence: "error: no workflow here that `assay init` has written. Run `assay init`.",
    });
  const {yes = false, json = false} = given;
  const mode = given.mode ?? present.mode;
  const provider = given.provider ?? present.provider;
  const options = {
    ...{...given, ...present, mode, provider},
    attest: given.attest ?? present.attest,
    on: context.on.length > 0 ? context.on : present.on,
  };
  const mistake = mistakeIn({...options, on: ""}, options.on);
  if (mistake !== null) return printFailure({kind: "wrong-argument", sentence: mistake});
  const needs = await needsOf(folder, {project, provider});
  const hasNewKeys = (await originServer(folder)) === null;
  const setup = setupSteps(context.plan, project);
  const after = workflowText({...options, ...needs, hasNewKeys}, setup);
  const needsAction = isCaller(options, needs) && setupAction(setup) !== null && !exists(join(folder, SETUP_ACTION));
  const missing = needsAction ? SETUP_ACTION : null;
  const {updateWorkflow} = await import("./init-update.ts");
  return updateWorkflow({folder, path: workflow, before, after, prompt, yes, json, missing});
}

async function draftFiles(context: {
  folder: string;
  project: Project;
  plan: Plan;
  options: InitOptions;
  workflow: string | null;
  setup: SetupSteps;
  on: readonly string[];
  hasNewKeys: boolean;
}): Promise<Draft[]> {
  const {folder, project, options, workflow, setup, on, hasNewKeys} = context;
  // Only a workflow that calls Assay's workflow uses the setup action.
  const needs = await needsOf(folder, {project, provider: options.provider});
  const callsWorkflow = workflow === null ? isCaller(options, needs) : callsAssay(project, workflow);
  const action = callsWorkflow ? setupAction(setup) : null;
  // The project lists no ignored files, but these may be ignored.
  const config = CONFIG_FILES.find((path) => exists(join(folder, path))) ?? null;
  const text = workflowText({...options, ...needs, on, hasNewKeys}, setup);
  return [
    {there: config, path: CONFIG_FILES[0], text: configFile(context.plan)},
    {there: workflow, path: WORKFLOW_FILE, text},
    ...(action === null ? [] : [{there: existingPath(folder, SETUP_ACTION), path: SETUP_ACTION, text: action}]),
  ];
}

/** A file of `init`; `there` is the path of the present one, which stays. */
interface Draft {
  readonly there: string | null;
  readonly path: string;
  readonly text: string;
}

/** Asks what no option answers; null if the person gives no answer. */
async function askForm(
  given: GivenOptions,
  prompt: Prompt | null,
  {canSeparate}: {canSeparate: boolean},
): Promise<InitOptions | null> {
  const providers = [DEFAULT_PROVIDER, ...PROVIDERS.slice(1)] as const;
  const asksProvider = prompt !== null && given.provider === undefined;
  const provider = asksProvider ? await prompt.ask(PROVIDER_QUESTION, providers) : (given.provider ?? DEFAULT_PROVIDER);
  const asksMode = prompt !== null && given.mode === undefined && canSeparate && provider !== null;
  const mode = asksMode ? await prompt.ask(MODE_QUESTION, ["separated", "single"]) : (given.mode ?? "separated");
  return provider === null || mode === null ? null : {...given, provider, mode};
}

// Each fits into 80 columns.
const PROVIDER_QUESTION = `Model provider: ${PROVIDERS.join(", ")}? [${DEFAULT_PROVIDER}]`;
const MODE_QUESTION = "Jobs: separated (the agent cannot push), or single? [separated]";

const MAX_SHOWN_LINES = 40;

/** Shows the files before they are written, and asks. Outside of a repository they are usually a mistake. */
async function mayWrite(
  prompt: Prompt,
  {drafts, folder, isRepository}: {drafts: readonly Draft[]; folder: string; isRepository: boolean},
): Promise<boolean> {
  const fresh = drafts.filter(({there}) => there === null);
  if (fresh.length === 0) return true;
  const {bold, dim} = picocolors.createColors(picocolors.isColorSupported && process.stderr.isTTY);
  for (const {path, text} of fresh) {
    const lines = text.trimEnd().split("\n");
    const more = lines.length > MAX_SHOWN_LINES ? [`… ${lines.length - MAX_SHOWN_LINES} more lines`] : [];
    const shown = [...lines.slice(0, MAX_SHOWN_LINES), ...more].map((line) => dim(`  ${escapeLog(line, "")}`));
    process.stderr.write(`\n${[bold(path), ...shown].join("\n")}\n`);
  }
  const answer = isRepository
    ? await prompt.ask(`\nWrite ${fresh.length === 1 ? "this file" : "these files"}? [Y/n]`, ["yes", "no"])
    : await prompt.ask(`\n${folder} is not a git repository. Write the files anyway? [y/N]`, ["no", "yes"]);
  return answer === "yes";
}

function refusedByPerson(): 3 {
  process.stderr.write("Nothing was written.\n");
  return 3;
}

/** Tries nothing next to files of an earlier run. What runs a check is most of the product, so it is loaded on demand. */
async function tryChecks(
  plan: Plan,
  files: InitDocument["files"],
  {prove, json = false}: InitOptions,
): Promise<InitialProofs> {
  const isWorthTrying = prove && files.some(({done}) => done === "written") && proofCandidates(plan).length > 0;
  return isWorthTrying ? (await import("./prove.ts")).proveForInit({json}) : {proofs: [], remaining: []};
}

/** The document, or the part of it that follows its files. */
const print = (document: InitDocument, {json}: Pick<InitOptions, "json">): unknown =>
  process.stdout.write(json ? jsonText(document) : nextLines(document.next));

/** Why the workflow would not work on this server of one's own; null if it would. */
function unableServer(server: string, {mode, on}: InitOptions): string | null {
  if (mode === "separated")
    return `the workflow would run on ${server}, and ${NO_ARTIFACTS}. Run \`assay init --mode single\`. If the workflow runs on github.com, set GITHUB_SERVER_URL=https://github.com.`;
  return on === ""
    ? null
    : `--on needs the queue of github.com: ${server} may drop a waiting run, and Assay finds only dropped comments`;
}

/**
 * True if an option that affects the workflow differs from its default. An existing workflow is not changed, so it
 * cannot follow the option.
 */
const wantsOtherForm = ({mode, provider, shards, attest, trigger, on, commands}: InitOptions): boolean =>
  mode !== "separated" ||
  attest === true ||
  provider !== DEFAULT_PROVIDER ||
  shards !== "1" ||
  trigger !== DEFAULT_PHRASE ||
  on !== "" ||
  commands !== DEFAULT_COMMANDS;

/** What the owner asked for, next to the existing workflow. */
const compareForms = (options: InitOptions, {project, workflow}: {project: Project; workflow: string | null}) => ({
  wantsForm: wantsOtherForm(options),
  hasSingleJob: workflow !== null && options.mode === "separated" && hasSingleJob(project, workflow),
});

/** An agent's settings may have other entries, so an existing file is not changed; the output shows what to add. */
async function writeHook(agent: HookAgent, isJson: boolean): Promise<number> {
  const folder = gitTop(process.cwd()) ?? process.cwd();
  const {path, text, trust} = HOOK_FILES[agent];
  if (hasBadPlace(folder, [path]) || (await hasLeftOutFile(folder, [path]))) return 3;
  const file = await write(folder, {there: existingPath(folder, path), path, text});
  const next = [
    file.done === "written"
      ? `Commit ${path}. \`assay\` must be on the PATH of the agent.`
      : (await hasHook(join(folder, path), {agent, text}))
        ? `${path} has the hook already.`
        : `Add this to ${path}:\n\n${text}`,
    ...(trust === undefined ? [] : [trust]),
  ];
  const document: InitDocument = {schema: "assay.init/1", folder, files: [file], next};
  if (!isJson) process.stdout.write(fileLines(document.files));
  print(document, {json: isJson});
  return 0;
}

async function hasHook(file: string, {agent, text}: {agent: HookAgent; text: string}): Promise<boolean> {
  const present = await readFile(file, "utf8").catch(() => "");
  return present === text || present.includes(hookCommandLine(agent));
}

/** GitHub reads at most 21,000 characters of an expression. The called workflow's condition is longer than the one compared. */
const MAX_EXPRESSION = 18_000;

function mistakeIn(options: InitOptions, on: readonly string[]): string | null {
  if (options.pin === "major" && majorTag() === null)
    return "error: --pin major needs a release of Assay, and this version is none: no tag names it";
  if (options.mode === "single" && options.shards !== "1")
    return "error: --shards needs --mode separated, because one job has one machine";
  if (options.mode === "single" && options.attest)
    return "error: --attest needs --mode separated, because in one job the agent could sign";
  if (!isPlainPhrase(options.trigger))
    return "error: --trigger accepts only words of the letters A to Z, digits and @ / ! # . + _ -";
  const commands = commandsIn(options.commands);
  if (commands.length !== options.commands.split(/[\s,]+/).filter(Boolean).length)
    return `error: --commands accepts only these words: ${DEFAULT_COMMANDS}`;
  if (startCondition(options.trigger, {on, commands}).join(" ").length > MAX_EXPRESSION)
    return "error: --trigger has too many words for the condition of a workflow; leave some out";
  const taken = takenWords(options.trigger);
  return taken.length === 0 ? null : `error: --trigger cannot contain ${taken.join(", ")}: ${TAKEN_WORD}`;
}

type Needs = Required<Surroundings> & {
  /** the variable with the key of the judge's model; null without a judge */
  readonly judgeKey: string | null;
};

async function needsOf(
  folder: string,
  {project, provider}: {project: Project; provider: WorkflowProvider},
): Promise<Needs> {
  const config = await readConfigIn(folder, extendedFile);
  const {judge} = config.ok ? config.value : DEFAULT_CONFIG;
  return {
    hasSubmodules: project.has(".gitmodules"),
    services: serviceLines(servicesOfCi(project)),
    judgeKey: judge.enabled ? (judgeKey(judge) ?? PROVIDER_KEYS[provider]) : null,
  };
}

/**
 * Assay's workflow has one verifying machine, without submodules, services, judge and signature. Otherwise the jobs are
 * written in full.
 */
const isCaller = (
  options: Pick<InitOptions, "mode" | "shards" | "attest">,
  {hasSubmodules, services, judgeKey}: Needs,
): boolean =>
  options.mode === "separated" &&
  options.shards === "1" &&
  !options.attest &&
  !hasSubmodules &&
  services.length === 0 &&
  judgeKey === null;

function workflowText(
  options: Omit<InitOptions, "on"> & Needs & {on: readonly string[]; hasNewKeys: boolean},
  {steps, comments}: SetupSteps,
): string {
  const commands = commandsIn(options.commands);
  const tag = options.pin === "major" ? majorTag() : null;
  const pinned = (text: string) => (tag === null ? text : withTag(text, tag));
  if (isCaller(options, options))
    return pinned(callerWorkflow(options.trigger, options.on, commands, options.provider));
  const lines = [...comments, ...steps];
  if (options.mode === "single") return pinned(singleWorkflow(lines, options.trigger, {...options, commands}));
  const shards = Number(options.shards);
  return pinned(separatedWorkflow(lines, {...options, commands, shards, phrase: options.trigger}));
}

const existingPath = (folder: string, path: string): string | null => (exists(join(folder, path)) ? path : null);

/** Prints why files cannot be written, before any is written. */
function hasBadPlace(folder: string, paths: readonly string[]): boolean {
  const problem = paths.map((path) => placeProblem(folder, path)).find((one) => one !== null);
  if (problem !== undefined) process.stderr.write(`error: ${problem}. Nothing was written.\n`);
  return problem !== undefined;
}

async function write(folder: string, {there, path, text}: Draft): Promise<InitDocument["files"][number]> {
  if (there !== null) return {path: there, done: "left-alone"};
  await mkdir(dirname(join(folder, path)), {recursive: true});
  await writeFile(join(folder, path), text, {flag: "wx"});
  return {path, done: "written"};
}
