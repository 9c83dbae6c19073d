/** `assay doctor`: checks whether Assay can work here, with a next step for each problem. */

import {pi} from "../agent/adapters/pi.ts";
import {allMistakes} from "../detect/all-mistakes.ts";
import {versionsOfCi} from "../detect/ci/tool-versions.ts";
import {type Config, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {readConfigIn} from "../detect/config/read-config.ts";
import {openProject} from "../detect/files/open-project.ts";
import type {Project} from "../detect/files/project.ts";
import {plan} from "../detect/plan.ts";
import {compareWithCi, type FoundProgram, findVersion} from "../engine/program-versions.ts";
import {type Git, hardenedGit} from "../git/git.ts";
import {workTreeProblem} from "../git/local-state.ts";
import {isUnborn} from "../git/remote.ts";
import {showInvisible} from "../markdown/escape.ts";
import {committedFindings} from "../onboarding/doctor/committed.ts";
import {filterFindings} from "../onboarding/doctor/filters.ts";
import {judgeFindings} from "../onboarding/doctor/judge.ts";
import {serverFindings} from "../onboarding/doctor/server.ts";
import {serviceFindings} from "../onboarding/doctor/services.ts";
import {specFindings} from "../onboarding/doctor/specs.ts";
import {submoduleFindings} from "../onboarding/doctor/submodules.ts";
import {tokenFinding} from "../onboarding/doctor/token.ts";
import {toolFindings, unreliableCommandFindings} from "../onboarding/doctor/tools.ts";
import {variableFindings} from "../onboarding/doctor/variables.ts";
import {pinFindings} from "../onboarding/doctor/version.ts";
import {pullRequestFindings, workflowFindings} from "../onboarding/doctor/workflow.ts";
import {type DoctorDocument, exitCode, type Finding, findingLines, okFinding} from "../onboarding/finding.ts";
import {SETUP_ACTION} from "../onboarding/init/setup-action.ts";
import {setupSteps} from "../onboarding/init/setup-steps.ts";
import {findWorkflow} from "../onboarding/init/workflow-file.ts";
import {escapeLog} from "../process/escape-log.ts";
import {probeIsolation} from "../process/isolation.ts";
import {deviceProblem} from "../process/own-programs.ts";
import {probeSandbox} from "../process/probes.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {refused} from "../record/words.ts";
import {failureLines} from "../run/failure-lines.ts";
import {extendedFile} from "./extended-file.ts";
import {folderGit} from "./folder-git.ts";
import {bareRepository, gitTop} from "./git-top.ts";
import {withLocalHints} from "./local-hints.ts";
import {originPage, originServer} from "./origin-server.ts";
import {jsonText} from "./reporters/json-text.ts";

const KEYS = new Set(Object.values(pi.providers).flatMap((provider) => provider.keys));

/** Exit 0 if nothing is missing, 2 if something is, 3 if verify.json has mistakes. Runs nothing of the repository. */
export async function doctorCommand(options: {json?: boolean}): Promise<number> {
  const findings = await doctorFindings(gitTop(process.cwd()) ?? process.cwd());
  const document: DoctorDocument = {schema: "assay.doctor/1", findings};
  process.stdout.write(options.json ? jsonText(document) : printable(findingLines(findings)));
  return exitCode(findings);
}

/** What works in this folder, and what is missing. */
export async function doctorFindings(folder: string): Promise<Finding[]> {
  const find = (name: string) => findVersion(name, {folder, variables: process.env});
  const project = await openProject(folder, process.env);
  const config = await readConfigIn(folder, extendedFile, (path) => project.text(path));
  const planResult = plan({project, config: config.ok ? config.value : DEFAULT_CONFIG});
  const reading = config.ok ? planResult : refused(allMistakes(config.failure, project));
  const [server, page] = await Promise.all([originServer(folder), originPage(folder)]);
  return [
    node(),
    await git(find),
    await repositoryFinding(folder),
    ...(await isolation()),
    ...device(),
    configFinding(reading, config.ok ? config.value : DEFAULT_CONFIG),
    ...(planResult.ok
      ? await planFindings(withLocalHints(planResult.value, {variables: process.env, project}), {find, project})
      : []),
    ...(planResult.ok ? await versionFindings(planResult.value, {project, folder}) : []),
    ...(planResult.ok ? variableFindings({plan: planResult.value, project, variables: process.env}) : []),
    ...filterFindings(project),
    ...submoduleFindings(project),
    ...serviceFindings(project),
    ...pinFindings(project),
    ...workflowFindings({
      project,
      keys: KEYS,
      setup: planResult.ok ? setupSteps(planResult.value, project) : null,
      page,
    }),
    ...pullRequestFindings(project, page),
    ...(await committedFindings(await folderGit(folder), {
      folder,
      paths: [
        ...[findWorkflow(project), config.ok ? config.value.file : null].flatMap((path) => path ?? []),
        ...(project.has(SETUP_ACTION) ? [SETUP_ACTION] : []),
      ],
    })),
    ...judgeFindings({config: config.ok ? config.value : DEFAULT_CONFIG, project, variables: process.env}),
    ...specFindings((config.ok ? config.value : DEFAULT_CONFIG).specs, project),
    ...serverFindings({project, server}),
    await agent(find),
    modelKey(),
    await tokenFinding({
      token: process.env["GITHUB_TOKEN"] ?? process.env["GH_TOKEN"] ?? "",
      apiUrl: process.env["GITHUB_API_URL"] ?? "https://api.github.com",
      repository: process.env["GITHUB_REPOSITORY"] ?? "",
    }),
  ];
}

/** Names of the repository cannot move the cursor, or start a command of a runner. */
const printable = (text: string): string => `${escapeLog(showInvisible(text), "")}\n`;

async function planFindings(
  detectedPlan: Plan,
  {find, project}: {find: (name: string) => Promise<FoundProgram | null>; project: Project},
): Promise<Finding[]> {
  if (detectedPlan.stages.length > 0)
    return [
      ...unreliableCommandFindings(detectedPlan),
      ...(await toolFindings({plan: detectedPlan, find, read: (path) => project.text(path)})),
    ];
  const next = "add `stages` to verify.json (`assay init` writes a template)";
  return [{about: "plan", state: "missing", text: "no checks found, so nothing can be verified", next}];
}

/** A local run with another version than CI's may give another result. */
async function versionFindings(
  {stages}: Plan,
  {project, folder}: {project: Project; folder: string},
): Promise<Finding[]> {
  const notes = await compareWithCi(versionsOfCi(project, stages), {folder, variables: process.env});
  const next = "switch to CI's version for local runs, because another one may give other results";
  return notes.map(({about, text}) => ({about, state: "advice", text, next}));
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return okFinding("node", process.versions.node);
  const next = "install Node 20.19 or later";
  return {about: "node", state: "missing", text: `${process.versions.node} is too old`, next};
}

async function git(find: (name: string) => Promise<FoundProgram | null>): Promise<Finding> {
  const program = await find("git");
  if (program !== null) return okFinding("git", `${program.version ?? "version unknown"} (${program.path})`);
  return {about: "git", state: "missing", text: "not installed", next: "install git"};
}

/** Reads the latest commit with its files and the index: without them nothing can be verified. */
async function repositoryFinding(folder: string): Promise<Finding> {
  if (gitTop(process.cwd()) === null) return noRepository();
  const git = hardenedGit({variables: process.env, folder});
  const problem = await workTreeProblem({git, folder});
  const answers = problem === null ? await readRepository(git, folder) : [];
  const failure = answers.find((answer) => !answer.ok);
  const text = problem ?? (failure?.ok === false ? `git cannot read it: ${failure.failure.message}` : null);
  if (text === null) return okFinding("repository", folder);
  return {about: "repository", state: "missing", text, next: "run `git fsck`, and repair or clone it again"};
}

/** Git's answers for the index and the latest commit. An unborn branch has no commit to read. */
export async function readRepository(git: Git, folder: string) {
  const index = await git(["ls-files", "--cached", "-z", "--", ":/.gitattributes"], {cwd: folder});
  if (await isUnborn({git, source: folder})) return [index];
  return [index, await git(["cat-file", "-e", "HEAD^{tree}"], {cwd: folder})];
}

function noRepository(): Finding {
  const about = "repository";
  if (bareRepository(process.cwd()) !== null)
    return {
      about,
      state: "missing",
      text: "this is a bare repository without files",
      next: "run the command in a clone",
    };
  const next = "run `git init`, or change to a repository";
  return {about, state: "missing", text: "not a git repository", next};
}

async function isolation(): Promise<Finding[]> {
  const [sandbox, processes] = await Promise.all([probeSandbox({network: true}), probeIsolation()]);
  if (sandbox.ok) return [okFinding("sandbox", "bubblewrap works for the agent and the checks")];
  const finding: Finding = {
    about: "sandbox",
    state: "advice",
    text: `${sandbox.failure}, so the agent and the checks can read your files on this machine`,
    next: "install bubblewrap (`apt-get install bubblewrap`); on Ubuntu 24.04 also add the profile in docs/security.md",
  };
  if (processes === "pid-namespace")
    return [finding, okFinding("isolation", "the agent and the checks run in separate process namespaces")];
  return [
    finding,
    {
      about: "isolation",
      state: "advice",
      text: "this machine allows no process namespaces, so leftover processes are found by weaker methods",
      next: "allow unprivileged user namespaces",
    },
  ];
}

function device(): Finding[] {
  const problem = deviceProblem();
  return problem === null ? [] : [{about: "/dev/null", state: "missing", text: problem.what, next: problem.fix}];
}

function configFinding(read: {ok: true} | {ok: false; failure: Failure}, {file}: Config): Finding {
  if (read.ok) return okFinding("verify.json", file === null ? "none, so the detected checks run" : `${file} is valid`);
  const [about = "verify.json", ...mistakes] = failureLines(read.failure);
  return {
    about: "verify.json",
    state: "mistake",
    text: [about, ...mistakes.slice(0, -1)].join("\n"),
    next: mistakes.at(-1) ?? "",
  };
}

async function agent(find: (name: string) => Promise<FoundProgram | null>): Promise<Finding> {
  const {bin, name, version} = pi.package;
  const program = await find(bin);
  if (program !== null)
    return okFinding(`agent ${pi.name}`, `${program.version ?? "version unknown"} (${program.path})`);
  if ((await find("npm")) !== null)
    return okFinding(`agent ${pi.name}`, `not on PATH; each run installs ${name}@${version}`);
  const next = `install ${name}@${version}, or install npm`;
  return {
    about: `agent ${pi.name}`,
    state: "missing",
    text: "not installed, and npm is missing, so runs cannot install it",
    next,
  };
}

/** Prints the names of the variables, never their values. */
function modelKey(): Finding {
  const names = [...KEYS].filter((name) => (process.env[name] ?? "") !== "");
  if (names.length > 0) return okFinding("model key", `${names.join(", ")} is set`);
  const text = "no API key of a model provider is set";
  if (process.env["GITHUB_ACTIONS"] !== "true")
    return okFinding("model key", `${text} on this machine; only \`assay try\` and \`assay run\` need one here`);
  return {about: "model key", state: "missing", text, next: "set a key, for example ANTHROPIC_API_KEY"};
}
