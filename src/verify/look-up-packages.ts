/** A source of findings: looks up the known vulnerabilities and the age of the packages that a change adds. */
import {mkdir, mkdtemp, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {textAt} from "../detect/files/manifest-values.ts";
import {comparedCommits} from "../engine/checkout/compared-commits.ts";
import type {StageEnvironment} from "../engine/stage/stage.ts";
import {
  ADVISORY_TOOLS,
  type AdvisoryTool,
  type PackageEcosystem,
  type PackageVersion,
  type ToolAnswer,
} from "../integrity/advisories/advisory-tools.ts";
import {ecosystemOf, type NewPackages, newPackagesIn} from "../integrity/advisories/new-packages.ts";
import {
  notLookedUp,
  type PackageAdvisory,
  packageFindings,
  type ReleaseDate,
} from "../integrity/advisories/package-findings.ts";
import {findProgram} from "../process/isolation.ts";
import {run} from "../process/run.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {parseJson} from "../record/parse-json.ts";
import type {Verification} from "../record/verification.ts";
import {claimsSomething, ok, type Result, refused} from "../record/words.ts";
import type {InspectedCommits} from "./inspect-files.ts";
import type {VerifyOptions} from "./verify-options.ts";

const MAX_LOCK_BYTES = 8 * 1024 * 1024;
/** A longer list means a new lock file; only its first packages are looked up. */
const MAX_PACKAGES = 500;
/** At most this many versions of one package in a lock file are looked up. */
const MAX_ROUNDS = 3;
/** Each query for a date costs a start of the package manager. */
const MAX_DATED = 4;

interface LookUpContext extends Omit<InspectedCommits, "plan"> {
  readonly verification: Pick<VerifyOptions, "changes" | "checkouts">;
  readonly evidence: Promise<Pick<Verification, "verdict">>;
}

/** Runs nothing unless the change adds packages to a lock file. Reads only names and versions of it. Never rejects. */
export async function lookUpPackages(context: LookUpContext): Promise<readonly IntegrityFinding[]> {
  const {verification, rules, evidence} = context;
  if (rules.level.advisories === "off" && rules.lowestLevel.advisories === undefined) return [];
  const lockPaths = verification.changes.flatMap(({path, status}) =>
    status !== "deleted" && ecosystemOf(path) !== null ? [path] : [],
  );
  if (lockPaths.length === 0) return [];
  const {additions, unread} = await readAdditions(context, lockPaths);
  const {verdict} = await evidence;
  if (!claimsSomething(verdict)) return [];
  if (additions.length === 0) return unread;
  const environment = await verification.checkouts.openEmpty();
  const lists = await Promise.all(additions.map((added) => lookUp(added, {...environment, signal: context.signal})));
  return [...lists.flat(), ...unread];
}

interface ReadAdditions {
  readonly additions: readonly NewPackages[];
  /** the findings about lock files whose new packages could not be read */
  readonly unread: readonly IntegrityFinding[];
}

async function readAdditions(context: LookUpContext, paths: readonly string[]): Promise<ReadAdditions> {
  const commits = comparedCommits(context);
  const unreadAt = (path: string, why: string) => notLookedUp({path}, null, why);
  if (commits === null)
    return {additions: [], unread: paths.map((path) => unreadAt(path, "the pull request is behind its base"))};
  const read = async (commit: string, path: string): Promise<string | null> => {
    const text = await context.repository.readText(commit, path, {maxBytes: MAX_LOCK_BYTES});
    return text.ok ? text.value : null;
  };
  const settings = await Promise.all([".npmrc", ".yarnrc.yml", ".yarnrc"].map((path) => read(commits.base, path)));
  const hasOwnRegistry = settings.some((text) => /registry/i.test(text ?? ""));
  const additions: NewPackages[] = [];
  const unread: IntegrityFinding[] = [];
  for (const path of paths) {
    const [before, after] = await Promise.all([read(commits.base, path), read(commits.commit, path)]);
    const newPackages = after === null ? "unreadable" : newPackagesIn({path, before, after, hasOwnRegistry});
    if (newPackages === "unreadable") unread.push(unreadAt(path, "the file could not be read"));
    else if (newPackages !== null) additions.push(newPackages);
  }
  return {additions, unread};
}

/** All findings about one lock file. */
async function lookUp(added: NewPackages, environment: StageEnvironment): Promise<IntegrityFinding[]> {
  const {ecosystem, packages, privateCount} = added;
  const rounds = roundsOf(packages.slice(0, MAX_PACKAGES)).slice(0, MAX_ROUNDS);
  const skippedCount = packages.length - rounds.flat().length + privateCount;
  const skipped = skippedCount === 0 ? [] : [notLookedUp(added, skippedCount, "a private source, or too many")];
  if (packages.length === 0) return skipped;
  const totalCount = packages.length + privateCount;
  const tool = findTool(ecosystem, environment);
  if (typeof tool === "string") return [notLookedUp(added, totalCount, tool)];
  const answers = await Promise.all(rounds.map((round) => ask(tool, {round, ecosystem, environment})));
  const refusal = answers.find((answer) => typeof answer === "string");
  if (refusal !== undefined) return [notLookedUp(added, totalCount, `\`${tool.label}\`: ${refusal}`)];
  const read = answers.filter((answer) => typeof answer !== "string");
  const unknown = read.flatMap((answer) => answer.unknown ?? []);
  const knownPackages = packages.filter(({name}) => !unknown.includes(name));
  const dates = tool.dates === undefined ? [] : await releaseDates(tool.dates, {packages, environment});
  const advisories = read.flatMap((answer) => answer.advisories);
  return [
    ...packageFindings({...added, packages: knownPackages}, {advisories, dates, label: tool.label, today: new Date()}),
    ...(unknown.length > 0 ? [notLookedUp(added, unknown.length, `\`${tool.label}\` does not know them`)] : []),
    ...skipped,
  ];
}

/** The program for this ecosystem, or the reason why there is none. */
function findTool(ecosystem: PackageEcosystem, environment: StageEnvironment): AdvisoryTool | string {
  const {PATH = ""} = environment.variables({pathFirst: [], extra: {}});
  const tools = ADVISORY_TOOLS.filter((tool) => tool.ecosystems.includes(ecosystem));
  const tool = tools.find(({program}) => findProgram(program, {cwd: environment.folder, path: PATH}) !== null);
  return tool ?? `this machine has no ${tools.map(({program}) => `\`${program}\``).join(" or ")}`;
}

/** One version of each package in each round, because a program reads one version of a name. */
function roundsOf(packages: readonly PackageVersion[]): PackageVersion[][] {
  const rounds: PackageVersion[][] = [];
  const roundByName = new Map<string, number>();
  for (const one of packages) {
    const round = roundByName.get(one.name) ?? 0;
    roundByName.set(one.name, round + 1);
    rounds[round] = [...(rounds[round] ?? []), one];
  }
  return rounds;
}

interface RoundAnswer extends ToolAnswer {
  readonly advisories: readonly PackageAdvisory[];
}

/** The advisories for the packages of one round, or the reason why there is no answer. */
async function ask(
  tool: AdvisoryTool,
  {
    round,
    ecosystem,
    environment,
  }: {round: PackageVersion[]; ecosystem: PackageEcosystem; environment: StageEnvironment},
): Promise<RoundAnswer | string> {
  const files = tool.files(round, ecosystem);
  const document = await askTool({environment, argv: [tool.program, ...tool.args], files});
  if (!document.ok) return document.failure;
  const answer = tool.read(document.value);
  if (answer === null) return textAt(document.value, "message")?.slice(0, MAX_REASON) ?? "its answer could not be read";
  const advisories = answer.advisories.flatMap((advisory) => {
    const version = round.find(({name}) => name === advisory.name)?.version;
    return version === undefined ? [] : [{...advisory, version}];
  });
  return {...answer, advisories};
}

async function releaseDates(
  dates: NonNullable<AdvisoryTool["dates"]>,
  {packages, environment}: {packages: readonly PackageVersion[]; environment: StageEnvironment},
): Promise<ReleaseDate[]> {
  const read = async (one: PackageVersion): Promise<ReleaseDate[]> => {
    const answer = await askTool({environment, argv: dates.argv(one), files: {}});
    const date = answer.ok ? dates.read(answer.value, one) : null;
    return date === null ? [] : [{...one, date}];
  };
  return (await Promise.all(packages.slice(0, MAX_DATED).map(read))).flat();
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** A reason is shown as one line of a report. */
const MAX_REASON = 160;

/**
 * `environment` is one of `openEmpty`: nothing of the change is in it. The exit code does not count, because these
 * programs also end with 1 if they found something. Never rejects; a refusal contains the reason.
 */
async function askTool(options: {
  environment: StageEnvironment;
  argv: readonly [string, ...string[]];
  files: Readonly<Record<string, string>>;
}): Promise<Result<unknown, string>> {
  const {environment, argv, files} = options;
  const {isolation, signal, hidden} = environment;
  try {
    await mkdir(environment.folder, {recursive: true});
    const cwd = await mkdtemp(join(environment.folder, "packages-"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const env = environment.variables({pathFirst: [], extra: {}});
    const sandbox = environment.sandbox(env, {});
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const onStdout = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
    };
    const confined = {isolation, signal, ...(sandbox !== null && {sandbox}), ...(hidden && {hidden})};
    const {exit, stderr} = await run({argv, cwd, env}, {...confined, timeoutMs: TIMEOUT_MS, onStdout});
    if (exit.kind === "timed-out") return refused(`it did not answer within ${TIMEOUT_MS / 1000} s`);
    if (exit.kind === "not-started") return refused(exit.message);
    const document = parseJson(Buffer.concat(chunks).toString());
    if (document !== undefined && document !== null && bytes <= MAX_ANSWER_BYTES) return ok(document);
    return refused(stderr.head.trim().split("\n")[0]?.slice(0, MAX_REASON) || "its answer could not be read");
  } catch (error) {
    return refused(String(error));
  }
}
