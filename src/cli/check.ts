/** `assay check`: whether a signed statement holds for a commit, by the rules of its branch now. Runs nothing. */

import {mkdtemp, readFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {DEFAULT_CONFIG} from "../detect/config/config.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import {plan as makePlan} from "../detect/plan.ts";
import {policyDigest} from "../detect/policy.ts";
import {openRemover} from "../engine/checkout/folders.ts";
import {commonAncestor} from "../git/history.ts";
import {originBranch, readNote} from "../git/notes.ts";
import {openRepository, type Repository, type Revision} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {
  type CarriedStatement,
  digestOf,
  MAX_STATEMENT_BYTES,
  PREDICATE_TYPE,
  readStatements,
  STATEMENT_NOTES,
  type Statement,
} from "../record/statement.ts";
import {UNSIGNED_WORDS} from "../record/unsigned.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {openCommit} from "../run/open-commit.ts";
import {type Expectation, refuseSigner, refuseStatement} from "./check/decide.ts";
import {type CheckRefusal, REFUSAL_WORDS, REFUSALS} from "./check/refusals.ts";
import {printFailure} from "./error-text.ts";
import {extendedFile} from "./extended-file.ts";
import {bareRepository, gitTop, revisionHint} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";
import {originPage} from "./origin-server.ts";
import {withPolicy} from "./policy-option.ts";
import {jsonText} from "./reporters/json-text.ts";

export interface CheckCommandOptions {
  readonly statement?: string;
  readonly repository?: string;
  readonly workflow: string;
  readonly base?: string;
  readonly maxAge?: number;
  readonly trustedRoot?: string;
  readonly allowUnsigned?: boolean;
  readonly again?: boolean;
  readonly json?: boolean;
  readonly policy?: string;
}

type Expected = Omit<Expectation, "policy">;
interface Answer {
  readonly refusal: CheckRefusal | null;
  readonly statement: Statement | null;
  readonly isSigned: boolean;
}

/** Exit 0 it holds, 1 it does not, 2 that could not be decided, 3 wrong arguments. With `--again`, as `assay verify`. */
export async function checkCommand(name: string, options: CheckCommandOptions): Promise<number> {
  const remove = openRemover();
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    const policy = await withPolicy(DEFAULT_CONFIG, options.policy);
    if (!policy.ok) return printFailure(policy.failure);
    const place = await openPlace(name, {...options, scratch});
    if (!place.ok) return printFailure(place.failure);
    const {expected} = place.value;
    const answer = await answerFor(options, {...place.value, scratch});
    if (options.again === true && answer.refusal !== null) {
      process.stderr.write(`${sentenceOf(answer.refusal, answer.statement)}\nVerifying ${name} again.\n`);
      const {verifyCommand} = await import("./verify.ts");
      const json = options.json === true;
      const wanted = {base: expected.branch.tip, head: expected.commit, stage: [], json};
      return await verifyCommand([], {...wanted, needsEvidence: true});
    }
    process.stdout.write(options.json === true ? toJson(expected, answer) : `${toText(expected, answer)}\n`);
    return answer.refusal === null ? 0 : REFUSAL_WORDS[answer.refusal.kind].exit;
  } finally {
    await remove(scratch);
  }
}

/** The commit, the branch with the rules, and the repository whose jobs may sign. */
async function openPlace(name: string, options: CheckCommandOptions & {readonly scratch: string}) {
  const source = gitTop(process.cwd()) ?? bareRepository(process.cwd());
  if (source === null) return wrongArgument("not a git repository. Change to a repository.");
  const folder = join(options.scratch, "git");
  const opening = await openRepository({folder, source: {kind: "local", folder: source}, variables: process.env});
  if (!opening.ok) return opening;
  const repository = opening.value;
  const commit = await repository.fetch(name);
  if (!commit.ok) return wrongArgument(`\`${name}\` is not a commit here. ${revisionHint(source)}`);
  const branch = options.base ?? (await originBranch(repository.git, source));
  const tip = branch === null ? null : await branchTip(repository, branch);
  if (branch === null || tip === null)
    return wrongArgument("the branch with the rules is not known here. Name it, for example `--base main`.");
  const page = options.repository === undefined ? await originPage(source) : `https://github.com/${options.repository}`;
  if (page === null) return wrongArgument("the repository is not known. Name it: `--repository OWNER/NAME`.");
  const workflow = options.workflow.includes("@") ? options.workflow : `${options.workflow}@refs/heads/${branch}`;
  const has = (await commonAncestor(repository, commit.value.commit, tip.commit)) === commit.value.commit;
  const expected: Expected = {
    ...commit.value,
    ...{repository: page, workflow, nowMs: Date.now(), maxAgeDays: options.maxAge ?? null},
    branch: {tip: tip.commit, has},
  };
  return ok({repository, source, expected});
}

async function branchTip(repository: Repository, branch: string): Promise<Revision | null> {
  for (const ref of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]) {
    const revision = await repository.fetch(ref);
    if (revision.ok) return revision.value;
  }
  return null;
}

interface CheckPlace {
  readonly repository: Repository;
  /** the clone */
  readonly source: string;
  readonly expected: Expected;
  readonly scratch: string;
}

/** The first statement that holds; else the answer of the one that came closest. */
async function answerFor(options: CheckCommandOptions, place: CheckPlace): Promise<Answer> {
  const statements = await findStatements(options, place);
  if (!statements.ok) return {refusal: statements.failure, statement: null, isSigned: false};
  const policy = await readPolicy(place, options.policy);
  if (policy === null) return {refusal: {kind: "no-policy"}, statement: null, isSigned: false};
  const expectation: Expectation = {...place.expected, policy};
  const answers: Answer[] = [];
  for (const carried of statements.value) answers.push(await judgeStatement(carried, {expectation, options}));
  const rankOf = ({refusal}: Answer) => (refusal === null ? REFUSALS.length : REFUSALS.indexOf(refusal.kind));
  const [best] = answers.toSorted((one, other) => rankOf(other) - rankOf(one));
  return best ?? {refusal: {kind: "no-statement"}, statement: null, isSigned: false};
}

async function findStatements(
  {statement}: CheckCommandOptions,
  place: CheckPlace,
): Promise<Result<readonly CarriedStatement[], CheckRefusal>> {
  if (statement !== undefined) {
    const bytes = await readFile(statement).catch(() => null);
    const text = bytes === null || bytes.length > MAX_STATEMENT_BYTES ? "" : bytes.toString();
    const statements = readStatements(text);
    return statements.ok ? statements : refused({kind: "unreadable"});
  }
  const {repository, source, expected} = place;
  const note = await readNote({git: repository.git, source, ref: STATEMENT_NOTES, commit: expected.commit});
  const statements = readStatements(note ?? "");
  return statements.ok ? statements : searchGitHub(place);
}

/** GitHub's attestations about the commit, with the token of the environment. */
async function searchGitHub({
  repository,
  expected,
}: CheckPlace): Promise<Result<readonly CarriedStatement[], CheckRefusal>> {
  const {GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL} = process.env;
  const token = GITHUB_TOKEN || GH_TOKEN;
  const isOnGitHub = expected.repository.startsWith("https://github.com/");
  const apiUrl = GITHUB_API_URL || (isOnGitHub ? "https://api.github.com" : null);
  const content = await repository.git(["cat-file", "commit", expected.commit]);
  if (!token || !content.ok || apiUrl === null) return refused({kind: "no-statement"});
  const {connect} = await import("../github/client.ts");
  const name = new URL(expected.repository).pathname.slice(1);
  const github = connect({token, apiUrl, repository: name, log: () => {}});
  const digest = `sha256:${digestOf(content.value)}`;
  const found = await github.attestations({digest, predicateType: PREDICATE_TYPE});
  const statements = readStatements(found.ok ? found.value.map((bundle) => JSON.stringify(bundle)).join("\n") : "");
  if (statements.ok) return statements;
  return refused({kind: "no-statement", detail: `GitHub ${found.ok ? "has none either" : unanswered(found.failure)}.`});
}

const unanswered = ({status}: {readonly status: number}): string =>
  status === 0 ? "could not be reached" : `answered with status ${status}`;

async function judgeStatement(
  {statement, bundle}: CarriedStatement,
  {expectation, options}: {expectation: Expectation; options: CheckCommandOptions},
): Promise<Answer> {
  const isSigned = bundle !== null;
  const answer = (refusal: CheckRefusal | null): Answer => ({refusal, statement, isSigned});
  if (isSigned) {
    const {loadTrustedRoots, verifySignature} = await import("./check/signature.ts");
    const roots = await loadTrustedRoots(options.trustedRoot ?? null);
    if (roots === null) return answer({kind: "no-trust"});
    const signer = verifySignature(bundle, roots);
    if (!signer.ok) return answer({kind: signer.failure});
    const refusal = refuseSigner(signer.value, expectation);
    if (refusal !== null) return answer(refusal);
    if (!statement.predicate.ownJob) return answer({kind: "shared-job"});
  } else if (options.allowUnsigned !== true) {
    return answer({kind: "unsigned"});
  }
  return answer(refuseStatement(statement, expectation));
}

/** The rules at the tip of the branch; null if they cannot be read. */
async function readPolicy(
  {repository, expected, scratch}: CheckPlace,
  file: string | undefined,
): Promise<Expectation["policy"] | null> {
  const commit = expected.branch.tip;
  const own = await readConfig((path) => repository.readText(commit, path, {maxBytes: MAX_CONFIG_BYTES}), extendedFile);
  const limited = own.ok ? await withPolicy(own.value, file) : own;
  const config = limited.ok ? ok(limited.value.config) : limited;
  const project = await openCommit({repository, commit, folder: join(scratch, "rules")});
  if (!config.ok || !project.ok) return null;
  const planning = makePlan({project: project.value, config: config.value});
  return planning.ok ? {digest: policyDigest(config.value, planning.value, project.value), plan: planning.value} : null;
}

function sentenceOf({kind, detail}: CheckRefusal, statement: Statement | null): string {
  const reason = statement?.predicate.unsigned;
  const why = kind === "unsigned" && reason !== undefined ? UNSIGNED_WORDS[reason] : detail;
  return [REFUSAL_WORDS[kind].text, ...(why === undefined ? [] : [why])].join(" ");
}

function toText({commit}: Expected, {refusal, statement, isSigned}: Answer): string {
  const short = commit.slice(0, 12);
  if (refusal !== null)
    return `❌ ${short}: ${sentenceOf(refusal, statement)}\nNext: ${REFUSAL_WORDS[refusal.kind].next}`;
  const {checks = [], validUntil = ""} = statement?.predicate ?? {};
  const passed = checks.filter(({outcome}) => outcome === "passed").length;
  const count = `${passed} of ${checks.length} checks passed`;
  const origin = isSigned ? "signed by this repository's workflow" : "NOT SIGNED, so this proves nothing by itself";
  return `${isSigned ? "✅" : "⚠️"} ${short} is verified: ${count}, ${origin}, valid until ${validUntil.slice(0, 10)}.`;
}

function toJson({commit, tree}: Expected, {refusal, statement, isSigned}: Answer): string {
  const words = refusal && {
    kind: refusal.kind,
    text: sentenceOf(refusal, statement),
    next: REFUSAL_WORDS[refusal.kind].next,
  };
  const document = {schema: "assay.check/1", commit, tree, holds: refusal === null, signed: isSigned, refusal: words};
  return jsonText(document);
}

function wrongArgument(sentence: string): Result<never, Failure | WrongArgument> {
  return refused({kind: "wrong-argument", sentence: `error: ${sentence}`});
}
