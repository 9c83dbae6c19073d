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
import type {Agreement, Circumstance, ReplayDocument, ReplayReason} from "../../record/replay.ts";
import type {ToolVersion, Verdict, Verification} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {short, withCount} from "../../report/format.ts";
import {VERSION} from "../../run/version.ts";
import {printFailure} from "../error-text.ts";
import {folderGit} from "../folder-git.ts";
import {bareProblem, gitTop} from "../git-top.ts";
import {type LocalSetup, prepareLocal, type WrongArgument} from "../local-setup.ts";
import {printable} from "../on-last-commit.ts";
import {lineReporter} from "../reporters/line.ts";
import {verifyLocally} from "../verify-locally.ts";
import {readClaimFile, readClaimOfCommit, type VerificationClaim} from "./claim.ts";
import {findCommits, foreignCommands, isTrusted, type Obstacle, withClaim} from "./rebuild.ts";
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
    const document = claim.value === null ? withoutVerification() : await replay(claim.value, run);
    process.stdout.write(
      options.json ? `${JSON.stringify(document, null, 2)}\n` : printable(replayText(document, picocolors)),
    );
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
  const pull = /^(?:#?|https:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/)(\d{1,6})$/.exec(source)?.[1];
  const file = pull === undefined ? await readClaimFile(source) : null;
  if (file !== null) return file.ok ? file : wrong(file.failure);
  const tip = pull === undefined ? source : await fetchPullRequest(pull, folder);
  if (tip === null) {
    const message = `the head of pull request ${pull} cannot be fetched from \`origin\`. Run \`git fetch origin refs/pull/${pull}/head\`, then \`assay replay FETCH_HEAD\`.`;
    return refused({kind: "git-refused", message});
  }
  const commit = await repository.fetch(tip);
  if (!commit.ok) return wrong("is neither a file nor a commit of this clone");
  const claim = await readClaimOfCommit(repository, commit.value.commit);
  return claim === null ? wrong("has no trailer of Assay, so there is no verification to repeat") : ok(claim);
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
  const {repository, folder, scratch} = run;
  const commits = await findCommits(claim, run);
  if (!commits.ok) return notRun(claim, commits.failure);
  const rules = await prepareLocal({
    ...{scratch, cwd: folder, base: claim.rules, head: claim.rules, paths: [], mayBreakConfig: false},
  });
  if (!rules.ok) return notRun(claim, {reason: "not-started", detail: detailOf(rules.failure)});
  const isOwn = await isTrusted(claim.rules, repository);
  const foreign = isOwn || run.trustCommands ? foreignCommands(claim, rules.value) : claim.commands;
  const circumstances = circumstancesOf(claim, {setup: rules.value, hasForeign: foreign.length > 0});
  const about = {circumstances, foreignCommands: [...foreign]};
  if (!isOwn && !run.trustCommands) return {...notRun(claim, {reason: "foreign-base", detail: claim.rules}), ...about};
  if (foreign.length > 0 && !run.trustCommands)
    return {...notRun(claim, {reason: "foreign-command", detail: ""}), ...about};
  const setup = await withClaim(rules.value, {claim, commits: commits.value, usesCommands: foreign.length > 0});
  if (!setup.ok) return {...notRun(claim, setup.failure), ...about};
  const sandbox = await chooseSandbox({...setup.value.config, sandbox: "auto", folder: scratch, mayBeOpen: true});
  if (!sandbox.confines || sandbox.refusal !== null)
    return {...notRun(claim, {reason: "no-sandbox", detail: sandbox.refusal ?? ""}), ...about};
  const verification = await verifyAgain(setup.value, {claim, sandbox, run});
  return compare(claim, {verification, ...about});
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

/** The circumstances that are known before anything runs. Those of the machine follow in `compare`. */
function circumstancesOf(
  claim: VerificationClaim,
  {setup, hasForeign}: {setup: LocalSetup; hasForeign: boolean},
): Circumstance[] {
  const files = short(claim.tree);
  const {stages, setup: steps} = setup.plan;
  const count = `${withCount(stages.length, "check")}, ${withCount(steps.length, "set-up step")}`;
  const isKnown = claim.commands.length > 0;
  return [
    {name: "files", recorded: files, here: files, reason: null},
    {name: "rules", recorded: short(claim.rules), here: short(setup.rules), reason: null},
    {
      name: "commands",
      ...{recorded: isKnown ? (hasForeign ? "other commands" : count) : null, here: count},
      reason: hasForeign ? "foreign-command" : isKnown ? null : "unknown-recorded",
    },
  ];
}

function machineCircumstances(claim: VerificationClaim, {tools = [], isolation}: Verification): Circumstance[] {
  const versionOf = (list: readonly ToolVersion[] | null, name: string) =>
    list?.find((tool) => tool.name === name)?.version ?? null;
  const names = new Set([...(claim.tools ?? []), ...tools].map(({name}) => name));
  const compareTo = (name: string, recorded: string | null, here: string | null, unlike: ReplayReason) =>
    ({
      ...{name, recorded, here},
      reason:
        recorded === null ? "unknown-recorded" : here === null ? "unknown-here" : recorded === here ? null : unlike,
    }) satisfies Circumstance;
  return [
    ...[...names].map((name) => compareTo(name, versionOf(claim.tools, name), versionOf(tools, name), "other-tool")),
    compareTo("isolation", claim.isolation, isolation, "other-isolation"),
    compareTo("assay", claim.assay, VERSION, "other-assay"),
  ];
}

function compare(
  claim: VerificationClaim,
  {verification, ...about}: {verification: Verification} & Pick<ReplayDocument, "circumstances" | "foreignCommands">,
): ReplayDocument {
  const here = verification.stages.map(toldCheck);
  const checks = compareChecks(claim.checks ?? here, here);
  const verdict = {
    ...{recorded: claim.verdict, here: verification.verdict.kind},
    agreement: agreeOnVerdict(claim.verdict, verification.verdict),
  };
  // The trailers of a commit tell a verdict only.
  const agreements = [verdict, ...(claim.checks === null ? [] : checks)].map(({agreement}) => agreement);
  const result = agreements.includes("differs")
    ? "differs"
    : agreements.includes("not-replayed") || claim.verdict === "unverified"
      ? "undecided"
      : "reproduced";
  const {verdict: seen} = verification;
  const document = {
    ...notRun(claim, {reason: null, detail: "detail" in seen ? seen.detail : ""}),
    circumstances: [...about.circumstances, ...machineCircumstances(claim, verification)],
    ...{foreignCommands: about.foreignCommands, result, candidate: verification.candidate, verdict},
    checks: claim.checks === null ? checks.map((check) => ({...check, recorded: null, tests: null})) : checks,
  } satisfies ReplayDocument;
  return {...document, next: nextStep(document)};
}

/** Only a verdict that this machine could reach contradicts a record. */
function agreeOnVerdict(recorded: Verdict["kind"], here: Verdict): Agreement {
  if (recorded === here.kind) return "reproduced";
  return here.kind === "unverified" ? "not-replayed" : "differs";
}

/** The document of a replay that ran nothing. */
function notRun(claim: VerificationClaim, {reason, detail}: Omit<Obstacle, "reason"> & {reason: ReplayReason | null}) {
  const isDifference = reason === "other-files";
  const isRefusal = reason === "foreign-command" || reason === "foreign-base";
  const document: ReplayDocument = {
    schema: "assay.replay/1",
    source: {kind: claim.kind, run: claim.run, isSigned: false},
    result: isDifference ? "differs" : isRefusal ? "refused" : "undecided",
    ...{reason, detail, candidate: null, circumstances: [], foreignCommands: [], checks: []},
    verdict: {recorded: claim.verdict, here: null, agreement: "not-replayed"},
    next: "",
  };
  return {...document, next: nextStep(document)};
}

function withoutVerification(): ReplayDocument {
  const nothing = {commit: "", tree: "", base: null, rules: "", only: [], plan: null, commands: [], checks: null};
  const claim = {...nothing, assay: null, tools: null, isolation: null, approval: null};
  return notRun({...claim, kind: "record", run: "", verdict: "unverified"}, {reason: "no-verification", detail: ""});
}
