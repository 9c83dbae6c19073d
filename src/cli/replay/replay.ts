/** `assay replay`: runs the verification of a record or of a commit again in this clone, and compares the two. */
import {mkdtemp} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import picocolors from "picocolors";
import {openRemover} from "../../engine/checkout/folders.ts";
import {chooseSandbox, type StageIsolation} from "../../engine/isolation/choose-sandbox.ts";
import {openRepository, type Repository} from "../../git/repository.ts";
import {compareChecks, toldCheck} from "../../proof/replay/compare-checks.ts";
import type {Failure} from "../../record/failure.ts";
import type {Agreement, Circumstance, NamedCommand, ReplayDocument, ReplayReason} from "../../record/replay.ts";
import type {ToolVersion, Verification} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {short, withCount} from "../../report/format.ts";
import {VERSION} from "../../run/version.ts";
import {printFailure} from "../error-text.ts";
import {folderGit} from "../folder-git.ts";
import {bareProblem, gitTop} from "../git-top.ts";
import {type LocalSetup, prepareLocal, type WrongArgument} from "../local-setup.ts";
import {printable} from "../on-last-commit.ts";
import {jsonText} from "../reporters/json-text.ts";
import {lineReporter} from "../reporters/line.ts";
import {verifyLocally} from "../verify-locally.ts";
import {readClaimFile, readClaimOfCommit, type VerificationClaim} from "./claim.ts";
import {findCommits, foreignCommands, isTrusted, withClaim} from "./rebuild.ts";
import {nextStep, replayText} from "./replay-text.ts";

interface ReplayOptions {
  readonly trustCommands: boolean;
  readonly json: boolean;
}

/** Exit 0 reproduced, 1 differs or refused, 2 could not be decided, 3 wrong arguments. */
export async function replayCommand(source: string, options: ReplayOptions): Promise<number> {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  const folder = gitTop(process.cwd());
  const wrongPlace = bareProblem(process.cwd()) ?? (folder === null ? NO_CLONE : null);
  if (folder === null || wrongPlace !== null) return printFailure({kind: "wrong-argument", sentence: wrongPlace ?? ""});
  const remove = openRemover();
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    const place = {source: {kind: "local" as const, folder}, variables: process.env, lfsFolder: folder};
    const repository = await openRepository({folder: join(scratch, "git"), ...place});
    if (!repository.ok) return printFailure(repository.failure);
    const run = {folder, scratch, repository: repository.value, signal: controller.signal, ...options};
    const claim = await readClaim(source, run);
    if (!claim.ok) return printFailure(claim.failure);
    const document =
      claim.value === null ? notRun(null, {reason: "no-verification", detail: ""}) : await replay(claim.value, run);
    process.stdout.write(options.json ? jsonText(document) : printable(replayText(document, picocolors)));
    return EXIT_CODES[document.result];
  } finally {
    await remove(scratch);
  }
}

const NO_CLONE =
  "error: this folder is not in a git repository. Run the command in a clone of the recorded repository.";

const EXIT_CODES: Readonly<Record<ReplayDocument["result"], number>> = {
  reproduced: 0,
  differs: 1,
  refused: 1,
  undecided: 2,
};

interface ReplayRun extends ReplayOptions {
  readonly folder: string;
  readonly scratch: string;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

/** A number or the address of a pull request names its head, else an existing file counts before a revision. */
async function readClaim(
  source: string,
  {repository, folder}: ReplayRun,
): Promise<Result<VerificationClaim | null, Failure | WrongArgument>> {
  const wrong = (text: string) => refused({kind: "wrong-argument" as const, sentence: `error: ${source} ${text}.`});
  const pull = /^(?:#?|https:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/)([1-9]\d{0,5})$/.exec(source)?.[1];
  const file = pull === undefined ? await readClaimFile(source) : null;
  if (file !== null) return file.ok ? file : wrong(file.failure);
  const tip = pull === undefined ? source : await fetchPullRequest(pull, folder);
  if (tip === null) {
    const message = `the head of pull request ${pull} cannot be fetched from \`origin\`. Run \`git fetch origin refs/pull/${pull}/head\`, then \`assay replay FETCH_HEAD\`.`;
    return refused({kind: "git-refused", message});
  }
  const commit = await repository.fetch(tip);
  if (!commit.ok) return wrong("is neither a file nor a commit of this clone");
  const claim = await readClaimOfCommit(commit.value.commit, {repository, folder});
  return claim === null
    ? wrong("has neither a statement nor a trailer of Assay, so there is no verification to repeat")
    : ok(claim);
}

async function fetchPullRequest(number: string, folder: string): Promise<string | null> {
  const git = await folderGit(folder);
  const fetched = await git
    ?.raw("fetch", "--quiet", "--no-tags", "origin", `refs/pull/${number}/head`)
    .catch(() => null);
  if (fetched == null) return null;
  return (await git?.raw("rev-parse", "--verify", "FETCH_HEAD").catch(() => ""))?.trim() || null;
}

async function replay(claim: VerificationClaim, run: ReplayRun): Promise<ReplayDocument> {
  const {repository, folder, scratch, trustCommands} = run;
  const commits = await findCommits(claim, run);
  if (!commits.ok) return notRun(claim, commits.failure);
  const base = {base: claim.rules, head: claim.rules, paths: [], mayBreakConfig: false};
  const rules = await prepareLocal({scratch, cwd: folder, ...base});
  if (!rules.ok) return notRun(claim, {reason: "not-started", detail: detailOf(rules.failure)});
  const isOwn = trustCommands || (await isTrusted(claim.rules, repository));
  const foreign = isOwn ? foreignCommands(claim, rules.value) : claim.commands;
  const told = {...claim, base: commits.value.base.commit};
  const found = {circumstances: circumstancesOf(told, rules.value, foreign), foreignCommands: [...foreign]};
  const stop = (reason: ReplayReason, detail = "") => ({...notRun(claim, {reason, detail}), ...found});
  if (!isOwn) return stop("foreign-base", claim.rules);
  if (foreign.length > 0 && !trustCommands) return stop("foreign-command");
  const setup = await withClaim(rules.value, {claim, commits: commits.value, usesCommands: foreign.length > 0});
  if (!setup.ok) return stop(setup.failure.reason, setup.failure.detail);
  const sandbox = await chooseSandbox({...setup.value.config, sandbox: "auto", folder: scratch, mayBeOpen: true});
  if (!sandbox.confines || sandbox.refusal !== null) return stop("no-sandbox", sandbox.refusal ?? "");
  const verification = await verifyAgain(setup.value, {claim, sandbox, run});
  return compare({...notRun(claim, {reason: null, detail: ""}), ...found}, claim, verification);
}

const detailOf = (failure: Failure | WrongArgument): string =>
  "message" in failure ? failure.message : "sentence" in failure ? failure.sentence : failure.kind;

async function verifyAgain(
  setup: LocalSetup,
  {claim, sandbox, run}: {claim: VerificationClaim; sandbox: StageIsolation; run: ReplayRun},
): Promise<Verification> {
  const {scratch, signal} = run;
  const streams = {out: process.stderr, err: process.stderr, colors: picocolors};
  const {onEvent} = lineReporter({...streams, isQuiet: false, readText: async () => null});
  onEvent({kind: "planned", stages: setup.plan.stages});
  const {approval, only} = claim;
  const options = {scratch, signal, sandbox, onEvent, approval, only, dependencies: {kind: "install" as const}};
  return (await verifyLocally(setup, options)).verification;
}

/** The circumstances that are known before anything runs. */
function circumstancesOf(
  {tree, base, rules, commands}: VerificationClaim & {base: string},
  {plan}: LocalSetup,
  foreign: readonly NamedCommand[],
): Circumstance[] {
  const same = (name: string, id: string) => ({name, recorded: short(id), here: short(id)});
  const here = `${withCount(plan.stages.length, "check")}, ${withCount(plan.setup.length, "set-up step")}`;
  const recorded = commands.length === 0 ? null : foreign.length === 0 ? here : "other commands";
  return [same("files", tree), same("base", base), same("rules", rules), {name: "commands", recorded, here}];
}

function compare(
  document: ReplayDocument,
  claim: VerificationClaim,
  {stages, tools = [], isolation, verdict: seen}: Verification,
): ReplayDocument {
  const here = stages.map(toldCheck);
  // The trailers of a commit tell a verdict only.
  const checks =
    claim.checks === null
      ? compareChecks(here, here).map((check) => ({...check, ...UNTOLD}))
      : compareChecks(claim.checks, here);
  // Only a verdict that this machine could reach contradicts a record.
  const isUnseen = claim.approval !== null && claim.verdict === seen.kind;
  const isOpen = isUnseen || seen.kind === "unverified" || claim.verdict === "unverified";
  const isSame = claim.verdict === seen.kind && !isOpen;
  const agreement: Agreement = isSame ? "reproduced" : isOpen ? "not-replayed" : "differs";
  const agreements = new Set([agreement, ...(claim.checks === null ? [] : checks).map((check) => check.agreement)]);
  const hasOpen = agreements.has("not-replayed");
  const result = agreements.has("differs") ? "differs" : hasOpen ? "undecided" : ("reproduced" as const);
  const versionIn = (list: readonly ToolVersion[] | null, name: string) =>
    list?.find((tool) => tool.name === name)?.version ?? null;
  const names = new Set([...(claim.tools ?? []), ...tools].map(({name}) => name));
  const replayed: ReplayDocument = {
    ...document,
    ...{result, checks, verdict: {recorded: claim.verdict, here: seen.kind, agreement}},
    detail: result !== "undecided" ? "" : isUnseen ? NO_APPROVAL : "detail" in seen ? seen.detail : "",
    circumstances: [
      ...document.circumstances,
      ...[...names].map((name) => ({name, recorded: versionIn(claim.tools, name), here: versionIn(tools, name)})),
      ...(claim.approval === null ? [] : [{name: "approval", recorded: claim.approval.by, here: null}]),
      {name: "isolation", recorded: claim.isolation, here: isolation},
      {name: "assay", recorded: claim.assay, here: VERSION},
    ],
  };
  return {...replayed, next: nextStep(replayed)};
}

const NO_APPROVAL = "nothing here shows that a person approved the findings";
const UNTOLD = {recorded: null, tests: null, agreement: "not-replayed", reason: "verdict-only"} as const;

const RESULTS: Readonly<Partial<Record<ReplayReason, ReplayDocument["result"]>>> = {
  "other-files": "differs",
  "foreign-base": "refused",
  "foreign-command": "refused",
};

/** The document of a replay that ran nothing; without a claim, the record has no verification. */
function notRun(
  claim: Pick<VerificationClaim, "run" | "hasSignature" | "verdict"> | null,
  {reason, detail}: {reason: ReplayReason | null; detail: string},
): ReplayDocument {
  const document: ReplayDocument = {
    ...{schema: "assay.replay/1", run: claim?.run ?? "", hasSignature: claim?.hasSignature ?? false},
    ...{result: (reason && RESULTS[reason]) ?? "undecided", reason, detail, next: ""},
    ...{circumstances: [], foreignCommands: [], checks: []},
    verdict: {recorded: claim?.verdict ?? "", here: null, agreement: "not-replayed"},
  };
  return {...document, next: nextStep(document)};
}
