/** A run that keeps every promise, as the checker sees it, and ways to spoil a copy of it. */
import type {Attempt} from "../../src/record/attempt.ts";
import type {StageResult} from "../../src/record/evidence.ts";
import type {RunRecord} from "../../src/record/record.ts";
import {git} from "../rig/git.ts";
import {startGitServer} from "../rig/git-server.ts";
import {BOT} from "../rig/github/people.ts";
import type {Origin} from "../rig/origin.ts";
import {planWith} from "../rig/plans.ts";
import type {Seen} from "../rig/promises/seen.ts";

export const SECRET = "ghs_0123456789abcdefghijklmnopqrstuvwxyz";
const TESTS = {name: "test", command: "node --test", optional: false};

export interface GoodRun extends AsyncDisposable {
  readonly origin: Origin;
  readonly seen: Seen;
  /** a commit that is not the one that was published */
  readonly other: {readonly commit: string; readonly tree: string};
  /** Publishes another commit than the one that was verified. */
  publish(it: Spoilt, options: {tree?: string; base?: string; message?: string}): Promise<void>;
}

/** A real repository on a real server, with the published commit; the rest of what is seen is written by hand. */
export async function openGoodRun(): Promise<GoodRun> {
  const server = await startGitServer({tokens: {}});
  const origin = await server.create("ada/demo");
  const commitTree = (options: {tree: string; base: string; message: string}) =>
    git(origin.folder, ["commit-tree", options.tree, "-p", options.base], options.message);
  const rules = JSON.stringify({stages: [{name: TESTS.name, command: TESTS.command, kind: "test"}]});
  const base = await origin.commit({files: {"verify.json": rules, "a.js": "1\n"}});
  const draft = await origin.commit({branch: "draft", from: base, files: {"a.js": "2\n"}});
  const {tree} = await origin.facts(draft);
  const commit = await commitTree({tree, base, message: message({tree, base})});
  await origin.setRef("refs/heads/assay/issue-1", commit);
  await git(origin.folder, ["update-ref", "-d", "refs/heads/draft"]);
  const other = {commit: base, tree: (await origin.facts(base)).tree};
  const before = {"refs/heads/main": base};
  const seen: Seen = {
    origin,
    nothingAsked: false,
    updates: [{repository: "ada/demo", ref: "refs/heads/assay/issue-1", before: null, after: commit}],
    invalidRequests: [],
    unmatchedPrompts: [],
    outcome: {
      exitCode: 0,
      postExitCode: 0,
      log: "verified\n",
      outputs: {verdict: "verified", verified: "true", attempts: "1"},
      summary: "**✅ Verified** Every stage passed.\n",
      record: recordOf({base, commit, tree, baseTree: other.tree}),
      leftInTmp: [],
      changedOnMachine: [],
      jobTokens: [],
      durationMs: 1000,
      thread: 1,
      refsBefore: before,
      refs: {...before, "refs/heads/assay/issue-1": commit},
      comments: [
        {id: 1, author: "ada", body: "/assay mend it"},
        {id: 2, author: BOT, body: "<!-- assay:run=comment-1 -->\nDone.\n\n**✅ Verified** Every stage passed."},
      ],
      notices: [
        {
          id: 3,
          author: BOT,
          body: "<!-- assay:notice=comment-1 -->\n@ada **✅ Verified** · [report](x#issuecomment-2)",
        },
      ],
      pullRequests: [],
      marks: [{commit, name: "assay/verified", conclusion: "success"}],
      jobs: {},
      processes: [],
      tokenHolders: [],
      secrets: [SECRET],
    },
  };
  return {
    origin,
    seen,
    other,
    async publish(it, options) {
      const {tree, parent} = it.publication;
      const text = options.message ?? message({tree, base: parent});
      const commit = await commitTree({tree: options.tree ?? tree, base: options.base ?? parent, message: text});
      const ref = `refs/heads/spoilt/${commit}`;
      await origin.setRef(ref, commit);
      set(it.publication, {commit, ref});
      set(it.outcome, {refs: {...it.outcome.refs, [ref]: commit}});
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The message of a commit with this tree and base. */
export const message = (options: {tree: string; base: string}) =>
  `Mend it\n\nAssay-Verified-Tree: ${options.tree}\nAssay-Base: ${options.base}\nAssay-Run: comment-1\n`;

function recordOf(options: {base: string; commit: string; tree: string; baseTree: string}): RunRecord {
  const {base, tree, commit} = options;
  const candidate = {commit, tree, base};
  const verdict = {kind: "verified"} as const;
  const stage: StageResult = {
    ...TESTS,
    kind: "test",
    cwd: ".",
    outcome: "passed",
    failureKind: null,
    reason: "",
    exit: {kind: "exited", code: 0},
    durationMs: 5,
    output: {head: `rig: the tree is ${tree}\n`, tail: "", droppedBytes: 0},
    excerpt: "",
    diagnostics: [],
    tests: {passed: 1, failed: 0, skipped: 0},
    baseline: null,
  };
  const attempt: Attempt = {
    number: 1,
    turn: null,
    candidate,
    changes: [{path: "a.js", status: "modified"}],
    verification: {
      candidate,
      where: "checkout",
      isolation: "degraded",
      setup: [],
      stages: [stage],
      verdict,
      durationMs: 9,
    },
    verdict,
  };
  return {
    schema: "assay.record/1",
    run: {id: "comment-1", url: null, startedAt: "a", finishedAt: "b", assay: "0.1.0"},
    request: {kind: "work", text: "mend it"},
    thread: {
      repository: "ada/demo",
      number: 1,
      isPullRequest: false,
      trigger: {kind: "comment", id: 1},
      actor: "ada",
      commentId: 2,
    },
    base: {ref: "refs/heads/main", commit: base, tree: options.baseTree},
    rules: {ref: "refs/heads/main", commit: base},
    plan: planWith(TESTS),
    attempts: [attempt],
    verdict,
    publication: {
      kind: "published",
      ref: "refs/heads/assay/issue-1",
      commit,
      tree,
      parent: base,
      pullRequest: null,
      withWarning: false,
    },
    failures: [],
    notes: [],
    session: null,
  };
}

/** A copy that can be spoilt; the parts that nearly every lie is about, at hand. */
export function spoilt(good: Seen) {
  const outcome = structuredClone(good.outcome);
  const {record} = outcome;
  const attempt = record?.attempts[0];
  const verification = attempt?.verification;
  const stage = verification?.stages[0];
  const planned = record?.plan?.stages[0];
  const publication = record?.publication;
  if (!record || !attempt || !verification || !stage || !planned || publication?.kind !== "published") {
    throw new Error("the good run lacks a part");
  }
  const comment = outcome.comments[1];
  if (!comment) throw new Error("the good run lacks its comment");
  return {seen: {...good, outcome}, outcome, record, attempt, verification, stage, planned, publication, comment};
}
export type Spoilt = ReturnType<typeof spoilt>;
type Writable<T> = {-readonly [K in keyof T]: T[K]};

/** Overwrites what the product's types would not let anybody write. */
export const set = <T extends object>(target: T, values: Partial<Writable<T>>) => void Object.assign(target, values);

export const DIVISION = {tool: "node:test", message: "6 !== 2", testId: "quotients", severity: "error"} as const;

/** Claims that the test fails as it does on the base, whose test in truth passes. */
export function excuse(it: Spoilt, baseline: Partial<NonNullable<StageResult["baseline"]>>) {
  set(it.stage, {
    outcome: "failed",
    failureKind: "code",
    reason: "exit code 1",
    exit: {kind: "exited", code: 1},
    diagnostics: [DIVISION],
    baseline: {outcome: "pre-existing", new: [], preexisting: [DIVISION], fixed: 0, why: "", ...baseline},
  });
  for (const target of [it.attempt, it.verification, it.record]) {
    set(target, {verdict: {kind: "verified-with-preexisting", stages: ["test"]}});
  }
}
