/** Makes the statement about the verified commit, signs it in the publishing job, and attaches it as a note of git. */
import {z} from "zod";
import {policyDigest} from "../detect/policy.ts";
import {addNote} from "../git/notes.ts";
import {sendByProxy, strictFetch} from "../github/fetch.ts";
import {otherServer} from "../github/server.ts";
import {decodeOutput} from "../handover/encode-output.ts";
import {idsOf} from "../publish/commit.ts";
import type {SigningInstance} from "../publish/sign-statement.ts";
import {parseJson} from "../record/parse-json.ts";
import type {Attestation} from "../record/record.ts";
import {makeStatement, STATEMENT_NOTES, type Statement, testResultOf} from "../record/statement.ts";
import {UNSIGNED_WORDS, type UnsignedReason} from "../record/unsigned.ts";
import type {Candidate, Verification} from "../record/verification.ts";
import {isVerified, ok, type Result, refused} from "../record/words.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {PreparedRun} from "./prepare-run.ts";
import type {RunContext} from "./run-context.ts";

/** Records what became of the statement. Without a verified commit, or without the input, there is none. */
export async function attestCommit(run: PreparedRun): Promise<void> {
  const {context, record} = run;
  const isWanted = context.inputs.attest !== "false" && context.withheld === null;
  const subject = isWanted ? attestedCommit(run) : null;
  if (subject === null) return;
  const statement = await describeCommit(run, subject);
  const attestation: Attestation = statement.ok
    ? await attach(run, statement.value)
    : {kind: "not-attached", message: statement.failure};
  record.update({attestation});
  if (attestation.kind === "unsigned")
    record.addNotes([{about: "attestation", text: `is not signed. ${UNSIGNED_WORDS[attestation.why]}`}]);
  if (attestation.kind === "not-attached")
    record.addNotes([{about: "attestation", text: `could not be attached to the commit (${attestation.message})`}]);
}

interface AttestedCommit {
  readonly commit: string;
  readonly candidate: Candidate;
  readonly verification: Verification;
}

/** The published commit, or the head that `/verify` verified; null if it is not verified. */
function attestedCommit({record, context}: PreparedRun): AttestedCommit | null {
  const {publication, verdict, request, attempts} = redactRecord({record: record.current(), redact: context.redact});
  const {candidate, verification} = attempts.at(-1) ?? {};
  if (!isVerified(verdict) || !candidate || !verification) return null;
  if (publication.kind === "published") return {commit: publication.commit, candidate, verification};
  const isOfHead = request?.kind === "verify" || request?.kind === "review";
  return publication.kind === "none" && isOfHead ? {commit: candidate.commit, candidate, verification} : null;
}

/** Commit, files and policy are read again here: the verifying machine ran code of the change. */
async function describeCommit(run: PreparedRun, wanted: AttestedCommit): Promise<Result<Statement, string>> {
  const {repository, record, config, wholePlan, rulesProject, context} = run;
  const {base, rules, run: about} = record.current();
  const ids = await idsOf(repository, wanted.commit);
  const content = await repository.git(["cat-file", "commit", wanted.commit]);
  if (!ids.ok || !content.ok || base === null || rules === null) return refused("the commit could not be read");
  if (ids.value.tree !== wanted.candidate.tree) return refused("the commit has other files than the verified ones");
  const [digest = ""] = context.inputs.digest.map(decodeOutput);
  return ok(
    makeStatement({
      subject: {commit: wanted.commit, tree: ids.value.tree, content: Buffer.from(content.value)},
      verification: wanted.verification,
      policy: {...rules, digest: policyDigest(config, wholePlan, rulesProject)},
      base,
      run: {...about, finishedAt: about.finishedAt ?? context.now()},
      record: context.inputs.digest.length === 1 && digest !== "" ? digest : null,
    }),
  );
}

async function attach(run: PreparedRun, statement: Statement): Promise<Attestation> {
  const {repository, context} = run;
  const bundles = await sign(context, statement);
  const why = bundles.ok ? null : bundles.failure;
  const unsigned = why && {...statement, predicate: {...statement.predicate, unsigned: why}};
  const lines = bundles.ok ? bundles.value : [JSON.stringify(unsigned)];
  const {commit, ref} = {commit: statement.subject[0].digest.gitCommit, ref: STATEMENT_NOTES};
  const note = await addNote({repository, ref, commit, text: `${lines.join("\n")}\n`});
  if (bundles.ok) await store(run, bundles.value);
  if (!note.ok) return {kind: "not-attached", message: "message" in note.failure ? note.failure.message : ""};
  return why === null ? {kind: "signed", ref, commit} : {kind: "unsigned", ref, commit, why};
}

/** GitHub's attestations are a second place for the statement, so a refusal is only noted. */
async function store({context, record}: PreparedRun, bundles: readonly string[]): Promise<void> {
  for (const bundle of bundles) {
    const stored = await context.github.storeAttestation(JSON.parse(bundle));
    if (stored.ok) continue;
    const text = `is not in GitHub's attestations (${stored.failure.message}). The publishing job needs \`attestations: write\``;
    return record.addNotes([{about: "attestation", text}]);
  }
}

async function sign(context: RunContext, statement: Statement): Promise<Result<readonly string[], UnsignedReason>> {
  const {variables, inputs} = context;
  const [url, token] = [variables["ACTIONS_ID_TOKEN_REQUEST_URL"], variables["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]];
  if (inputs.job !== "publish" || !statement.predicate.ownJob) return refused("one-job");
  const instance = chooseInstance(context);
  if (instance === null) return refused("enterprise-server");
  if (!url || !token) return refused("no-identity");
  const {signStatements} = await import("../publish/sign-statement.ts");
  const bundles = await signStatements([statement, testResultOf(statement)], {
    instance,
    getToken: () => identityToken(url, token),
  });
  if (bundles.ok) return bundles;
  context.log(`The statement could not be signed: ${context.redact(bundles.failure)}`);
  return refused("service-failed");
}

/** Asks GitHub for this job's identity, for Sigstore only (docs.github.com, "OpenID Connect reference"). */
async function identityToken(url: string, token: string): Promise<string> {
  const address = new URL(url);
  address.searchParams.set("audience", "sigstore");
  const headers = {accept: "application/json", authorization: `Bearer ${token}`};
  const answer = await strictFetch(10_000, sendByProxy(url))(address.href, {headers});
  return z.object({value: z.string()}).parse(await answer.json()).value;
}

const eventSchema = z.object({repository: z.object({private: z.boolean(), visibility: z.string().optional()})});

/**
 * The public Sigstore only for a repository that is known to be public, because its log shows the repository's name.
 * GitHub's own otherwise. Null on a server that has none.
 */
export function chooseInstance({
  inputs,
  runner,
  event,
}: Pick<RunContext, "inputs" | "runner" | "event">): SigningInstance | null {
  if (inputs.attest !== "true") return {certificates: inputs.attest, log: inputs.attest, time: null};
  const {hostname} = new URL(runner.serverUrl);
  if (otherServer(runner.serverUrl) !== null) return null;
  const repository = eventSchema.safeParse(parseJson(event)).data?.repository;
  const isPublic = repository?.private === false && (repository.visibility ?? "public") === "public";
  if (isPublic && hostname === "github.com")
    return {certificates: "https://fulcio.sigstore.dev", log: "https://rekor.sigstore.dev", time: null};
  const domain = hostname === "github.com" ? "githubapp.com" : hostname;
  return {certificates: `https://fulcio.${domain}`, log: null, time: `https://timestamp.${domain}`};
}
