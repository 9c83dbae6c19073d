/** `assay try REQUEST`: a whole run on this machine. The agent works on a copy of the last commit, and a branch gets the work. */
import {randomUUID} from "node:crypto";
import {existsSync} from "node:fs";
import {mkdir, mkdtemp, readdir, readFile, writeFile} from "node:fs/promises";
import {tmpdir, userInfo} from "node:os";
import {basename, join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import picocolors from "picocolors";
import {ADAPTERS} from "../agent/adapters/all.ts";
import {suggestWord} from "../detect/config/closest-word.ts";
import type {Project} from "../detect/files/project.ts";
import {openRemover} from "../engine/checkout/folders.ts";
import {chooseSandbox} from "../engine/isolation/choose-sandbox.ts";
import {offlineGitHub} from "../github/offline.ts";
import {escapeLog} from "../process/escape-log.ts";
import {isAlive} from "../process/pipes.ts";
import {AGENT_NAMES} from "../record/agent-names.ts";
import type {RunEvent} from "../record/events.ts";
import type {Plan} from "../record/plan.ts";
import {type RunRecord, recordSchema} from "../record/record.ts";
import {listSome} from "../record/words.ts";
import {runPage} from "../report/page.ts";
import {eventLine} from "../run/event-log.ts";
import {UNSEARCHED} from "../run/publish-checks.ts";
import {openRunContext, type RunContext} from "../run/run-context.ts";
import {printFailure} from "./error-text.ts";
import {folderGit} from "./folder-git.ts";
import {gitTop} from "./git-top.ts";
import {withLocalHints} from "./local-hints.ts";
import {verdictExitCode} from "./reporters/charged.ts";
import {lineReporter} from "./reporters/line.ts";
import {plain} from "./reporters/plain-text.ts";

interface TryOptions {
  readonly agent?: string;
  readonly agentArgs?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly agentConfig?: string;
  readonly report?: string;
  readonly needsSandbox: boolean;
}

const NO_BRANCH = "error: `assay try` needs a git repository with a commit and a checked-out branch.";
const NO_SANDBOX =
  "error: this machine has no sandbox, so the agent could change every file of yours. Install bubblewrap (`assay doctor` says more), or add --no-sandbox-ok.";

/** Runs all steps of a run, as the action does. */
type RunJob = (context: RunContext) => Promise<{readonly why: string; readonly recordFile?: string}>;

/** Exit codes as of `assay verify`; 3 also without a repository or a sandbox, and for a wrong option. */
export async function tryCommand(request: string, options: TryOptions & {readonly runJob: RunJob}): Promise<number> {
  const wrong = (sentence: string) => printFailure({kind: "wrong-argument", sentence});
  const clone = gitTop(process.cwd());
  const head = clone && (await checkedOut(clone));
  if (clone === null || head === null || head === "") return wrong(NO_BRANCH);
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  for (const folder of await leftFolders())
    process.stderr.write(`An earlier \`assay try\` left its files in ${plain(folder)}.\n`);
  const remove = openRemover();
  const scratch = await mkdtemp(join(tmpdir(), `assay-try-${process.pid}-`));
  let isNeeded = false;
  try {
    const sandbox = await chooseSandbox({sandbox: "auto", network: "all", folder: scratch, mayBeOpen: true});
    if (!sandbox.confines && options.needsSandbox) return wrong(NO_SANDBOX);
    const context = await openContext({request, clone, head, scratch, signal: controller.signal, options});
    if (!context.ok) return printFailure(context.failure);
    return await run(context.value, {
      file: options.report ?? (await reportFile(clone)),
      runJob: options.runJob,
      onRecord: (record) => (isNeeded = holdsWork(record)),
    });
  } finally {
    if (!isNeeded) await remove(scratch);
  }
}

/** Mistakes that would end the run only after the agent is installed. */
export function tryMistakes(request: string, {agent = "pi", agentArgs, provider, agentConfig}: Partial<TryOptions>) {
  const name = AGENT_NAMES.find((one) => one === agent);
  const {providers, needsNoKey} = ADAPTERS[name ?? "pi"];
  const isKnown =
    !name || provider === undefined || existsSync(agentConfig ?? "") || needsNoKey || provider in providers;
  const known = Object.keys(providers);
  const hint = isKnown ? "" : suggestWord(provider, known, "another one needs --agent-config");
  return [
    ...(request.trim() === "" ? ['say what to do: assay try "Fix the rounding in total()"'] : []),
    ...(name === undefined ? [`\`--agent\` must be one of ${AGENT_NAMES.join(", ")}`] : []),
    ...(name === "command" && !agentArgs?.trim()
      ? ['`--agent command` needs the program: --agent-args "my-agent"; each further line is an argument']
      : []),
    ...(isKnown
      ? []
      : [`--provider: ${name ?? agent} has the keys of ${listSome(known, 6)}, not of ${provider}; ${hint}`]),
  ];
}

/** Folders of runs whose process is gone: they were killed, or hold work that a clone did not take. */
async function leftFolders(): Promise<string[]> {
  const names = await readdir(tmpdir()).catch(() => []);
  const pidIn = (name: string) => /^assay-try-(\d+)-/.exec(name)?.[1];
  const left = names.filter((name) => pidIn(name) !== undefined && !isAlive(Number(pidIn(name))));
  return left.map((name) => join(tmpdir(), name));
}

/** The name of the branch; empty if there is none or no commit. */
async function checkedOut(clone: string): Promise<string> {
  const git = await folderGit(clone);
  const name = await git?.raw("symbolic-ref", "--quiet", "--short", "HEAD").catch(() => "");
  const commit = await git?.raw("rev-parse", "--verify", "--quiet", "HEAD").catch(() => "");
  return commit ? (name ?? "").trim() : "";
}

/** One more than the highest number of an earlier run's branch. */
async function nextNumber(clone: string): Promise<number> {
  const git = await folderGit(clone);
  const names = (await git?.raw("for-each-ref", "--format=%(refname)", "refs/heads/assay/")) ?? "";
  return Math.max(0, ...[...names.matchAll(/\/run-(\d{1,9})/g)].map(([, number]) => Number(number))) + 1;
}

/** In the git directory, a report neither changes the work tree nor is it committed. */
async function reportFile(clone: string): Promise<string> {
  const git = await folderGit(clone);
  const folder = ((await git?.raw("rev-parse", "--path-format=absolute", "--git-path", "assay")) ?? "").trim();
  await mkdir(folder, {recursive: true});
  return join(folder, "report.html");
}

/** The surroundings that a runner would give, for a manual run without an issue. */
async function openContext(options: {
  request: string;
  clone: string;
  head: string;
  scratch: string;
  signal: AbortSignal;
  options: TryOptions;
}) {
  const {clone, head, scratch, signal} = options;
  const {agent = "", agentArgs = "", provider = "", model = "", agentConfig = ""} = options.options;
  const workspace = join(scratch, "workspace");
  for (const name of Object.keys(process.env))
    if (/^(?:GITHUB|RUNNER|INPUT|STATE)_/.test(name)) delete process.env[name];
  const name = basename(clone).replaceAll(/[^\w.-]/g, "-");
  const surroundings = {
    ...{GITHUB_REPOSITORY: `local/${name}`, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: scratch},
    ...{INPUT_AGENT: agent, INPUT_PROVIDER: provider, INPUT_MODEL: model, "INPUT_GITHUB-TOKEN": randomUUID()},
    "INPUT_AGENT-ARGS": agentArgs,
    "INPUT_AGENT-CONFIG": agentConfig && resolve(agentConfig),
  };
  Object.assign(process.env, surroundings);
  const now = new Date().toISOString();
  const id = await nextNumber(clone);
  const user = {login: userInfo().username.replaceAll(/[^\w-]/g, "-") || "you", id: 1, type: "User"};
  const event = {
    action: "",
    run: {id, body: options.request, user, created_at: now},
    issue: {number: 0, title: "", state: "open", created_at: now},
    repository: {full_name: `local/${name}`, default_branch: head},
  };
  const print = (line: string) => void process.stderr.write(`${escapeLog(line, "")}\n`);
  const origin = {event: {name: "workflow_dispatch", path: ""}, keptEvent: JSON.stringify(event)};
  const hints = (plan: Plan, project: Project) => withLocalHints(plan, {variables: {}, project});
  const {needsSandbox} = options.options;
  return openRunContext({signal, print, ...origin, clone: {folder: clone, needsSandbox, withLocalHints: hints}});
}

/** Some work is only in the run's own folder: the clone did not take it, or it could not be searched for secrets. */
const holdsWork = ({publication, notes}: RunRecord): boolean =>
  publication.kind === "parked-locally" || notes.some(({about}) => about === UNSEARCHED);

async function run(
  context: RunContext,
  {file, runJob, onRecord}: {file: string; runJob: RunJob; onRecord: (record: RunRecord) => void},
): Promise<number> {
  const {out, err} = {out: process.stdout, err: process.stderr};
  const readText = (path: string) => readFile(join(context.runner.workspace, path), "utf8").catch(() => null);
  const wordEvent = (event: RunEvent) => {
    const line = OF_THE_AGENT.has(event.kind) ? eventLine(event) : null;
    return line && context.redact(plain(line));
  };
  const reporter = lineReporter({out, err, colors: picocolors, isQuiet: false, readText}, {wordEvent});
  const {recordFile, why} = await runJob({
    ...context,
    github: offlineGitHub(),
    log: () => {},
    onEvent: reporter.onEvent,
  });
  if (recordFile === undefined) return printFailure({kind: "wrong-argument", sentence: `error: ${why}`});
  const record = recordSchema.parse(JSON.parse(await readFile(recordFile, "utf8")));
  onRecord(record);
  await reporter.finish(record);
  await writeFile(file, runPage(record));
  out.write(`${ending(record, file, context.clone?.needsSandbox === true)}\n`);
  return record.failures.length > 0 && verdictExitCode(record.verdict) === 0 ? 2 : verdictExitCode(record.verdict);
}

/** The checks are shown by the reporter. */
const OF_THE_AGENT: ReadonlySet<RunEvent["kind"]> = new Set([
  "turn-started",
  "agent-acted",
  "turn-finished",
  "judge-started",
  "judged",
]);

/** Where the work and the report are. Only in a sandbox, the agent cannot have changed the person's files. */
function ending({publication}: RunRecord, file: string, isConfined: boolean): string {
  const page = `The report: ${pathToFileURL(file)}`;
  if (publication.kind === "parked-locally")
    return `This clone did not take the work. It is a git bundle in ${plain(publication.folder)}.\n${page}`;
  if (publication.kind !== "published" && publication.kind !== "parked") return page;
  const branch = plain(publication.ref.replace("refs/heads/", ""));
  const isUnverified = publication.kind === "parked" || publication.withWarning;
  const quality = isUnverified ? "The work, which is not verified," : "The work";
  return `${quality} is on the branch ${picocolors.bold(branch)} of this clone.${isConfined ? " Your files are as they were." : ""}\n  git log -p HEAD..${branch}${isUnverified ? "" : `\n  git merge ${branch}`}\n${page}`;
}
