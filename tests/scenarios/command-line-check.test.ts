/** `assay check` from a terminal: a signed statement holds, and each of twelve forgeries is refused with its true reason. */
import {rmSync, writeFileSync} from "node:fs";
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from "vitest";
import {extendedFile} from "../../src/cli/extended-file.ts";
import {type OrganizationPolicy, tighten} from "../../src/detect/config/organization-policy.ts";
import {readConfig} from "../../src/detect/config/read-config.ts";
import {openProject} from "../../src/detect/files/open-project.ts";
import {plan as makePlan} from "../../src/detect/plan.ts";
import {policyDigest} from "../../src/detect/policy.ts";
import {signStatements} from "../../src/publish/sign-statement.ts";
import {makeStatement, type Statement} from "../../src/record/statement.ts";
import {ok} from "../../src/record/words.ts";
import {assay, type CommandEnd, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {GITHUB_ISSUER, identityToken, type JobClaims, type LocalSigstore, startSigstore} from "../rig/sigstore.ts";
import {isSweep} from "../sweep.ts";

const REPOSITORY = "ada/shop";
const CLAIMS = {
  repository: REPOSITORY,
  workflow: `${REPOSITORY}/.github/workflows/assay.yml@refs/heads/main`,
  jobWorkflow: `assay-run/assay/.github/workflows/attested.yml@${"a".repeat(40)}`,
} satisfies JobClaims;
const RULES = {stages: [{name: "test", kind: "test", command: "node --test"}], sandbox: "auto"};

const TEST_FILE = `import {existsSync} from "node:fs";
import test from "node:test";
test("is whole", () => {
  if (existsSync("broken")) throw new Error("broken");
});
`;

let sigstore: LocalSigstore;
/** for forgeries that leave the clone as it is */
let untouched: Shop;
beforeAll(async () => {
  sigstore = await startSigstore();
  untouched = await openShop();
});
afterAll(async () => {
  rmSync(untouched.folder, {recursive: true});
  await sigstore[Symbol.asyncDispose]();
});

interface Shop {
  readonly folder: string;
  readonly git: (...args: string[]) => string;
  readonly commit: string;
  /** what the verifying job saw of that commit */
  readonly statement: Statement;
  readonly sign: (statement: object, how?: {claims?: JobClaims; by?: LocalSigstore}) => Promise<string>;
  readonly check: (text: string, ...options: string[]) => CommandEnd;
}

/** A clone with a verified commit on a branch, and the statement of its verification. */
async function openShop(): Promise<Shop> {
  const folder = repositoryOf({"verify.json": JSON.stringify(RULES), "a.test.mjs": TEST_FILE});
  const git = gitIn(folder);
  const base = {ref: "refs/heads/main", commit: git("rev-parse", "HEAD"), tree: git("rev-parse", "HEAD^{tree}")};
  git("checkout", "-q", "-b", "assay/issue-1");
  put(folder, {"a.js": "1\n"});
  git("add", "-A");
  git("commit", "-qm", "Add a");
  const commit = git("rev-parse", "HEAD");
  const statement = makeStatement({
    subject: {commit, tree: git("rev-parse", "HEAD^{tree}"), content: Buffer.from(git("cat-file", "commit", commit))},
    verification: {
      candidate: null,
      ...{where: "checkout", isolation: "sandbox", job: "own", setup: [], durationMs: 1, verdict: {kind: "verified"}},
      stages: [await ranStage()],
    },
    policy: {ref: base.ref, commit: base.commit, digest: await digestOfRules(folder)},
    base,
    run: {
      ...{id: "comment-1", url: null, assay: "0.1.0"},
      startedAt: new Date(Date.now() - 60_000).toISOString(),
      finishedAt: new Date().toISOString(),
    },
    record: null,
  });
  const sign: Shop["sign"] = async (signed, {claims = CLAIMS, by = sigstore} = {}) => {
    const instance = {certificates: by.url, log: by.url, time: null};
    const bundles = await signStatements([signed], {instance, getToken: async () => identityToken(claims)});
    if (!bundles.ok) throw new Error(bundles.failure);
    return bundles.value[0] ?? "";
  };
  const roots = join(folder, ".git/roots.jsonl");
  const file = join(folder, ".git/statement.json");
  writeFileSync(roots, sigstore.trustedRoot);
  const check: Shop["check"] = (text, ...options) => {
    writeFileSync(file, text);
    const place = ["--repository", REPOSITORY, "--base", "main", "--trusted-root", roots, "--statement", file];
    return assay(folder, ["check", "HEAD", ...place, ...options]);
  };
  return {folder, git, commit, statement, sign, check};
}

/** For one test, which may change it. */
async function openOwnShop(): Promise<Shop> {
  const shop = await openShop();
  onTestFinished(() => rmSync(shop.folder, {recursive: true}));
  return shop;
}

interface Forgery {
  readonly reason: string;
  readonly changesClone?: true;
  readonly forge: (shop: Shop) => Promise<string>;
}
const shopFor = async ({changesClone}: Forgery) => (changesClone ? openOwnShop() : untouched);

async function digestOfRules(folder: string, policy: OrganizationPolicy = {}): Promise<string> {
  const text = await readFile(join(folder, "verify.json"), "utf8");
  const config = await readConfig(async (path) => ok(path === "verify.json" ? text : null), extendedFile);
  if (!config.ok) throw new Error("verify.json is wrong");
  const project = await openProject(folder);
  const plan = makePlan({project, config: config.value});
  if (!plan.ok) throw new Error("there is no plan");
  return policyDigest(tighten(config.value, policy), plan.value, project);
}

async function ranStage() {
  const {stage} = await import("../unit/report/records.ts");
  return stage({command: "node --test", tests: {passed: 1, failed: 0, skipped: 0}});
}

test("a signed statement holds for its commit, in words and as JSON", async () => {
  const {statement, sign, check, commit} = await openOwnShop();
  const bundle = await sign(statement);
  const held = check(bundle);
  expect([held.status, held.stderr, held.left]).toEqual([0, "", []]);
  expect(held.stdout).toMatch(
    /^✅ [0-9a-f]{12} is verified: 1 of 1 checks passed, signed by this repository's workflow/,
  );
  const document = JSON.parse(check(bundle, "--json").stdout);
  expect(document).toMatchObject({schema: "assay.check/1", commit, holds: true, signed: true, refusal: null});
});

test("it holds from a note of the commit, and for a workflow file of the repository itself", async () => {
  const {statement, sign, folder, git, check} = await openOwnShop();
  const bundle = await sign(statement, {claims: {...CLAIMS, jobWorkflow: CLAIMS.workflow}});
  expect(check(bundle).status).toBe(0);
  git("notes", "--ref=assay", "add", "-f", "-m", bundle);
  const place = ["--repository", REPOSITORY, "--base", "main", "--trusted-root", join(folder, ".git/roots.jsonl")];
  expect(assay(folder, ["check", "HEAD", ...place])).toMatchObject({status: 0});
  expect(assay(folder, ["check", "main", ...place])).toMatchObject({
    status: 2,
    stdout: expect.stringContaining("This clone has no statement about this commit."),
  });
  const offline = {GITHUB_TOKEN: "token", GITHUB_API_URL: "http://127.0.0.1:1"};
  expect(assay(folder, ["check", "main", ...place], offline)).toMatchObject({
    status: 2,
    stdout: expect.stringContaining("GitHub could not be reached."),
  });
});

test("with an organization's policy, only a verification within it holds", async () => {
  const {statement, sign, check, folder} = await openOwnShop();
  const file = join(folder, ".git/policy.json");
  writeFileSync(file, '{"sandbox": "required"}');
  const {predicate} = statement;
  const digest = await digestOfRules(folder, {sandbox: "required"});
  const within = await sign({...statement, predicate: {...predicate, policy: {...predicate.policy, digest}}});
  const without = await sign(statement);
  expect(check(within, "--policy", file).status).toBe(0);
  expect(check(without).status).toBe(0);
  const reasonOf = (...args: Parameters<Shop["check"]>) => JSON.parse(check(...args).stdout).refusal.kind;
  expect(reasonOf(without, "--policy", file, "--json")).toBe("policy-changed");
  expect(reasonOf(within, "--json")).toBe("policy-changed");
  writeFileSync(file, '{"sandbox": "none"}');
  expect(check(within, "--policy", file)).toMatchObject({status: 3, stderr: expect.stringContaining("sandbox")});
});

test("a time authority is enough for an instance without a log, and without its time the statement is refused", async () => {
  const {statement, check, folder} = await openOwnShop();
  await using own = await startSigstore({hasLog: false});
  const signBy = async (time: string | null) => {
    const instance = {certificates: own.url, log: null, time};
    const bundles = await signStatements([statement], {instance, getToken: async () => identityToken(CLAIMS)});
    return bundles.ok ? (bundles.value[0] ?? "") : bundles.failure;
  };
  const roots = join(folder, ".git/own.jsonl");
  // As `gh attestation trusted-root` prints them: one root on each line.
  writeFileSync(roots, `${sigstore.trustedRoot}\n${own.trustedRoot}\n`);
  const held = check(await signBy(own.url), "--trusted-root", roots);
  expect([held.status, held.stdout]).toEqual([0, expect.stringContaining("is verified")]);
  expect(check(await signBy(null), "--trusted-root", roots)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("the time of the signature, is missing"),
  });
});

/** Each gives the text that is checked, and prepares the clone for it. */
const FORGERIES: Readonly<Record<string, Forgery>> = {
  "other tree": {
    reason: "other-files",
    forge: ({statement, sign, git}) =>
      sign({
        ...statement,
        subject: [statement.subject[0], {name: "tree", digest: {gitTree: git("rev-parse", "main^{tree}")}}],
      }),
  },
  "other repository": {
    reason: "other-repository",
    forge: ({statement, sign}) => {
      const workflow = "eve/shop/.github/workflows/assay.yml@refs/heads/main";
      return sign(statement, {claims: {...CLAIMS, repository: "eve/shop", workflow}});
    },
  },
  "other workflow": {
    reason: "other-workflow",
    forge: ({statement, sign}) => {
      const workflow = `${REPOSITORY}/.github/workflows/evil.yml@refs/heads/main`;
      return sign(statement, {claims: {repository: REPOSITORY, workflow}});
    },
  },
  "changed policy": {
    reason: "policy-changed",
    changesClone: true,
    forge: async ({statement, sign, folder, git}) => {
      git("checkout", "-q", "main");
      put(folder, {"verify.json": JSON.stringify({...RULES, sandbox: "required"})});
      git("commit", "-qam", "Require a sandbox");
      git("checkout", "-q", "assay/issue-1");
      return sign(statement);
    },
  },
  expired: {
    reason: "expired",
    forge: ({statement, sign}) => {
      const validUntil = new Date(Date.now() - 1000).toISOString();
      return sign({...statement, predicate: {...statement.predicate, validUntil}});
    },
  },
  unsigned: {reason: "unsigned", forge: async ({statement}) => JSON.stringify(statement)},
  "edited statement": {
    reason: "edited",
    forge: async ({statement, sign}) => {
      const failed = {...statement, predicate: {...statement.predicate, verdict: {kind: "failed", stages: ["test"]}}};
      const bundle = JSON.parse(await sign(failed));
      bundle.dsseEnvelope.payload = Buffer.from(JSON.stringify(statement)).toString("base64");
      return JSON.stringify(bundle);
    },
  },
  "statement of another commit": {
    reason: "other-commit",
    changesClone: true,
    forge: async ({statement, sign, folder, git}) => {
      const bundle = await sign(statement);
      put(folder, {"a.js": "process.exit(0)\n"});
      git("commit", "-qam", "Change a");
      return bundle;
    },
  },
  "missing check": {
    reason: "missing-check",
    forge: ({statement, sign}) => sign({...statement, predicate: {...statement.predicate, checks: []}}),
  },
  "foreign key": {
    reason: "foreign-key",
    forge: async ({statement, sign}) => {
      await using foreign = await startSigstore();
      return await sign(statement, {by: foreign});
    },
  },
  "cut log entry": {
    reason: "not-logged",
    forge: async ({statement, sign}) => {
      const bundle = JSON.parse(await sign(statement));
      bundle.verificationMaterial.tlogEntries = [];
      return JSON.stringify(bundle);
    },
  },
  "rebased commit": {
    reason: "rebased",
    changesClone: true,
    forge: async ({statement, sign, git}) => {
      const bundle = await sign(statement);
      git("commit", "-q", "--amend", "-m", "Add a file");
      return bundle;
    },
  },
};

describe("twelve forgeries", () => {
  test.each(Object.keys(FORGERIES))("%s: refused with exit code 1, the true reason and a next step", async (name) => {
    const forgery = FORGERIES[name] as Forgery;
    const shop = await shopFor(forgery);
    const text = await forgery.forge(shop);
    const ended = shop.check(text, "--json");
    expect(ended).toMatchObject({status: 1, stderr: ""});
    const {holds, refusal} = JSON.parse(ended.stdout);
    expect({holds, kind: refusal.kind}).toEqual({holds: false, kind: forgery.reason});
    expect([refusal.text, refusal.next]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    if (!isSweep && name !== "unsigned") return;
    const words = shop.check(text).stdout;
    expect(words).toContain(refusal.text);
    expect(words).toContain(`\nNext: ${refusal.next}\n`);
  });

  test("there are twelve", () => expect(Object.keys(FORGERIES)).toHaveLength(12));
});

describe("further forgeries", () => {
  const further: typeof FORGERIES = {
    "the right workflow on another branch": {
      reason: "other-workflow",
      forge: ({statement, sign}) => {
        const workflow = CLAIMS.workflow.replace("main", "evil");
        return sign(statement, {claims: {repository: REPOSITORY, workflow}});
      },
    },
    "a called workflow of somebody else": {
      reason: "other-workflow",
      forge: ({statement, sign}) => {
        const jobWorkflow = CLAIMS.jobWorkflow.replace("assay-run/assay", "eve/assay");
        return sign(statement, {claims: {...CLAIMS, jobWorkflow}});
      },
    },
    "an issuer other than GitHub": {
      reason: "other-issuer",
      forge: ({statement, sign}) => sign(statement, {claims: {...CLAIMS, iss: `${GITHUB_ISSUER}.example.com`}}),
    },
    "a verdict that is not verified": {
      reason: "not-verified",
      forge: ({statement, sign}) =>
        sign({...statement, predicate: {...statement.predicate, verdict: {kind: "failed", stages: ["test"]}}}),
    },
    "a required check that failed": {
      reason: "missing-check",
      forge: ({statement, sign}) => {
        const checks = statement.predicate.checks.map((check) => ({...check, outcome: "failed"}));
        return sign({...statement, predicate: {...statement.predicate, checks}});
      },
    },
    "a moved branch": {
      reason: "base-moved",
      changesClone: true,
      forge: async ({statement, sign, folder, git}) => {
        git("checkout", "-q", "main");
        put(folder, {"b.js": "2\n"});
        git("add", "-A");
        git("commit", "-qm", "Add b");
        git("checkout", "-q", "assay/issue-1");
        return sign(statement);
      },
    },
    "another signature in the bundle": {
      reason: "edited",
      forge: async ({statement, sign}) => {
        const [one, other] = [JSON.parse(await sign(statement)), JSON.parse(await sign({...statement, subject: []}))];
        one.dsseEnvelope.signatures = other.dsseEnvelope.signatures;
        return JSON.stringify(one);
      },
    },
    "no log entry, but a time of the time authority": {
      reason: "not-logged",
      forge: async ({statement}) => {
        const instance = {certificates: sigstore.url, log: null, time: sigstore.url};
        const bundles = await signStatements([statement], {instance, getToken: async () => identityToken(CLAIMS)});
        return bundles.ok ? (bundles.value[0] ?? "") : bundles.failure;
      },
    },
    "a verification in the agent's job": {
      reason: "shared-job",
      forge: ({statement, sign}) => sign({...statement, predicate: {...statement.predicate, ownJob: false}}),
    },
    "another payload type": {
      reason: "edited",
      forge: async ({statement, sign}) => {
        const bundle = JSON.parse(await sign(statement));
        bundle.dsseEnvelope.payloadType = "text/plain";
        return JSON.stringify(bundle);
      },
    },
  };

  test.each(Object.keys(further))("%s is refused", async (name) => {
    const forgery = further[name] as Forgery;
    const shop = await shopFor(forgery);
    const ended = shop.check(await forgery.forge(shop), "--json");
    const {refusal} = JSON.parse(ended.stdout);
    expect({status: ended.status, kind: refusal?.kind}).toEqual({status: 1, kind: forgery.reason});
  });

  test("a merged commit holds, also if its branch has newer commits", async () => {
    const {statement, sign, check, folder, git} = await openOwnShop();
    git("checkout", "-q", "main");
    git("merge", "-q", "--ff-only", "assay/issue-1");
    put(folder, {"b.js": "2\n"});
    git("add", "-A");
    git("commit", "-qm", "Add b");
    git("checkout", "-q", "assay/issue-1");
    expect(check(await sign(statement)).status).toBe(0);
  });
});

test("an unsigned statement holds only with --allow-unsigned, and is never called signed", async () => {
  const {statement, check} = await openOwnShop();
  const unsigned = JSON.stringify({...statement, predicate: {...statement.predicate, unsigned: "one-job"}});
  expect(check(unsigned).stdout).toContain("not signed, so anybody could have written it. The agent and the");
  const allowed = check(unsigned, "--allow-unsigned");
  expect([allowed.status, allowed.stdout]).toEqual([
    0,
    expect.stringMatching(/^⚠️ [0-9a-f]+ is verified: .* NOT SIGNED/),
  ]);
  expect(JSON.parse(check(unsigned, "--allow-unsigned", "--json").stdout)).toMatchObject({holds: true, signed: false});
});

test("--max-age refuses an older verification, and --again verifies the commit here", async () => {
  const {statement, sign, check, folder, git} = await openOwnShop();
  const finishedAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const old = await sign({
    ...statement,
    predicate: {...statement.predicate, run: {...statement.predicate.run, finishedAt}},
  });
  expect(check(old).status).toBe(0);
  expect(check(old, "--max-age", "2")).toMatchObject({status: 1, stdout: expect.stringContaining("too old")});
  const again = check(old, "--max-age", "2", "--again");
  expect([again.status, again.stderr]).toEqual([0, expect.stringContaining("too old")]);
  put(folder, {broken: ""});
  git("add", "-A");
  git("commit", "-qm", "Break it");
  expect(check(old, "--again")).toMatchObject({status: 1, stderr: expect.stringContaining("about another commit")});
});

test("--again ends with 2 if the branch turns verification off, because nothing was verified", async () => {
  const {check, folder, git} = await openShop();
  git("checkout", "-q", "main");
  put(folder, {"verify.json": JSON.stringify({...RULES, enabled: false})});
  git("commit", "-qam", "Turn it off");
  git("checkout", "-q", "assay/issue-1");
  git("rebase", "-q", "main");
  expect(check("{}", "--again")).toMatchObject({status: 2, stdout: expect.stringContaining("Nothing to verify")});
});

test("a file of many documents is refused at once", async () => {
  const {check, statement} = await openShop();
  const start = performance.now();
  expect(check("{}\n".repeat(340_000)).status).toBe(2);
  expect(performance.now() - start).toBeLessThan(6000);
  expect(check(`{}\n${JSON.stringify(statement)}\n`).stdout).toContain("The statement is not signed");
});

test("wrong arguments end with 3, and no text of a damaged file is shown", async () => {
  const {check, folder} = await openOwnShop();
  expect(assay(folder, ["check", "nowhere"]).status).toBe(3);
  expect(assay(folder, ["check", "HEAD"]).stderr).toContain("Name it, for example `--base main`");
  expect(assay(folder, ["check", "HEAD", "--max-age", "x"]).status).toBe(3);
  const damaged = check('{"_type": "::error::injected"}');
  expect(damaged.status).toBe(2);
  expect(damaged.stdout + damaged.stderr).not.toContain("injected");
});
