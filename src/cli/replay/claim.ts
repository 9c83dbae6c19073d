/** Reads what `assay replay` repeats: a record, a statement, or the trailers of a commit. All of it is data from others. */
import {open} from "node:fs/promises";
import {readHistory} from "../../git/history.ts";
import {readNote} from "../../git/notes.ts";
import type {Repository} from "../../git/repository.ts";
import {type ToldCheck, toldCheck} from "../../proof/replay/compare-checks.ts";
import {readTrailers} from "../../publish/message.ts";
import {keptAttempt} from "../../record/attempt.ts";
import {parseJson} from "../../record/parse-json.ts";
import type {Plan} from "../../record/plan.ts";
import {type RunRecord, recordSchema} from "../../record/record.ts";
import type {NamedCommand} from "../../record/replay.ts";
import {type CarriedStatement, readStatements, STATEMENT_NOTES} from "../../record/statement.ts";
import type {Approval, ToolVersion, Verdict} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {assignments} from "../../shell/quote.ts";

/** One verification as its source tells it. What the source does not name is null. */
export interface VerificationClaim {
  readonly run: string;
  /** true if it comes with a signature, which only `assay check` verifies */
  readonly hasSignature: boolean;
  readonly assay: string | null;
  readonly commit: string;
  readonly tree: string;
  /** null for the head of a pull request, which is its own base in a record */
  readonly base: string | null;
  /** the commit of verify.json and the plan */
  readonly rules: string;
  readonly only: readonly string[];
  readonly plan: Plan | null;
  readonly commands: readonly NamedCommand[];
  readonly checks: readonly ToldCheck[] | null;
  readonly tools: readonly ToolVersion[] | null;
  readonly isolation: string | null;
  readonly approval: Approval | null;
  readonly verdict: Verdict["kind"];
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Null without a file of this name. The text of a file is never quoted (T32). */
export async function readClaimFile(path: string): Promise<Result<VerificationClaim | null, string> | null> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return null;
  const stat = await file.stat();
  const isFit = stat.isFile() && stat.size <= MAX_BYTES;
  const text = isFit ? await file.readFile("utf8") : null;
  await file.close();
  if (text === null) return refused(`is no file of at most ${MAX_BYTES / 1024 / 1024} MB`);
  const statement = readStatements(text);
  if (statement.ok && statement.value[0] !== undefined) return ok(claimOfStatement(statement.value[0]));
  const parsed = recordSchema.safeParse(parseJson(text));
  if (parsed.success) return ok(claimOfRecord(parsed.data));
  const place = (parsed.error.issues[0]?.path ?? []).filter((step) => /^[A-Za-z0-9]+$/.test(String(step)));
  return refused(`is no record of Assay (assay.record/1)${place.length === 0 ? "" : `: see \`${place.join(".")}\``}`);
}

/** Null for a record without a verified commit: nothing ran, or it ran in the working folder itself. */
function claimOfRecord(record: RunRecord): VerificationClaim | null {
  const {run, request, plan, rules} = record;
  const verification = keptAttempt(record.attempts)?.verification;
  const candidate = verification?.candidate;
  if (!verification || !candidate || rules === null) return null;
  const {stages, setup, tools = null, isolation, approval = null, verdict} = verification;
  const isOwnBase = candidate.base === candidate.commit;
  return {
    ...{run: run.id, hasSignature: false, assay: run.assay, plan, tools, isolation, approval},
    ...{commit: candidate.commit, tree: candidate.tree, base: isOwnBase ? null : candidate.base, rules: rules.commit},
    only: request?.kind === "verify" ? request.only : [],
    commands: [
      ...(plan === null ? [] : planCommands(plan)),
      ...[...setup, ...stages].map(({name, command, cwd}) => ({name, command, cwd})),
    ],
    checks: stages.map(toldCheck),
    verdict: verdict.kind,
  };
}

function claimOfStatement({statement: {subject, predicate}, bundle}: CarriedStatement): VerificationClaim {
  const {base, policy, checks, setup, run, verdict, tools, isolation, approval} = predicate;
  const [{digest: commit}, {digest: tree}] = subject;
  return {
    ...{
      run: run.id,
      hasSignature: bundle !== null,
      assay: run.assay,
      only: [],
      plan: null,
      tools,
      isolation,
      verdict: verdict.kind,
    },
    ...{commit: commit.gitCommit, tree: tree.gitTree, rules: policy.commit},
    base: base.commit === commit.gitCommit ? null : base.commit,
    commands: [
      ...setup.map(({command, cwd}) => ({name: "set-up", command, cwd})),
      ...checks.map(({name, command, cwd}) => ({name, command, cwd})),
    ],
    checks: checks.map(({report, ...check}) => ({
      ...check,
      ...{isPart: false, listed: null, digests: report === null ? [] : [report]},
    })),
    approval: approval && {by: approval.by, tree: tree.gitTree},
  };
}

/** The statement in the notes of a commit, else the trailers of its message; null without both. */
export async function readClaimOfCommit(
  tip: string,
  {repository, folder}: {repository: Repository; folder: string},
): Promise<VerificationClaim | null> {
  const note = await readNote({git: repository.git, source: folder, ref: STATEMENT_NOTES, commit: tip});
  const statements = readStatements(note ?? "");
  const carried = statements.ok ? statements.value : [];
  const told = carried.find(({statement}) => statement.subject[0].digest.gitCommit === tip);
  if (told !== undefined) return claimOfStatement(told);
  const history = await readHistory({repository, tip, most: 1});
  const trailers = history.ok ? readTrailers(history.value[0]?.message ?? "") : null;
  if (trailers === null) return null;
  const {run, tree, base, isVerified} = trailers;
  return {
    ...{run, hasSignature: false, commit: tip, tree, base, rules: base, only: [], commands: []},
    ...{assay: null, plan: null, checks: null, tools: null, isolation: null, approval: null},
    verdict: isVerified ? "verified" : "unverified",
  };
}

/** The lines that a plan would run, with their variables. */
export function planCommands({stages, setup}: Pick<Plan, "stages" | "setup">): NamedCommand[] {
  return [
    ...setup.map(({command, cwd}) => ({name: "set-up", command, cwd})),
    ...stages.map(({name, command, cwd, env}) => ({name, command: [...assignments(env), command].join(" "), cwd})),
  ];
}
