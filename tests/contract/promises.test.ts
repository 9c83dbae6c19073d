/** Whether the checker can fail: a run that keeps its promises passes, and each broken promise is named. */
import {afterAll, beforeAll, expect, test} from "vitest";
import {brokenPromises} from "../rig/promises.ts";
import {everyNth} from "../sweep.ts";
import {CLAIMS, type Lie} from "./false-claims.ts";
import {DIVISION, excuse, type GoodRun, message, openGoodRun, SECRET, set, spoilt} from "./good-run.ts";

let run: GoodRun;
beforeAll(async () => {
  run = await openGoodRun();
});
afterAll(() => run[Symbol.asyncDispose]());

test("a run that keeps its promises passes", async () => {
  expect(await brokenPromises(run.seen)).toEqual([]);
});

const LIES: readonly Lie[] = [
  ...CLAIMS,
  ["another tree is pushed", /^P1: the pushed tree/, (it) => run.publish(it, {tree: run.other.tree})],
  ["another parent", /^P1: the parents/, (it) => run.publish(it, {base: it.publication.commit})],
  ["no trailers", /^P1: the trailer Assay-Verified-Tree/, (it) => run.publish(it, {message: "Mend it"})],
  [
    "trailers that are no trailers",
    /^P1: the trailer Assay-Base/,
    (it) => run.publish(it, {message: `${message({tree: it.publication.tree, base: run.other.commit})}\nBye.`}),
  ],
  ["the ref moved on", /^P1: the branch's head/, (it) => set(it.publication, {ref: "refs/heads/main"})],
  ["another tree was verified", /^P1: the verified tree/, (it) => set(it.verification, {candidate: null})],
  [
    "verified in the working folder",
    /^P2: attempt 1 was verified in-place/,
    (it) => set(it.verification, {where: "in-place"}),
  ],
  [
    "a stage saw another tree",
    /^P2: stage test ran on/,
    (it) => set(it.stage, {output: {head: "", tail: `rig: the tree is ${run.other.tree}\n`, droppedBytes: 0}}),
  ],
  [
    "a pass that rewrites",
    /^P3: stage test passed, and rewrites/,
    (it) => {
      for (const target of [it.stage, it.planned]) set(target, {command: "echo 3 >> a.js"});
    },
  ],
  [
    "the agent's own rules",
    /^P4: the rules do not come/,
    (it) => set(it.record, {rules: {ref: "refs/heads/main", commit: it.publication.commit}}),
  ],
  [
    "rules from a branch that nobody reviewed",
    /^P4: the rules come from refs\/heads\/assay/,
    (it) => set(it.record, {rules: {ref: it.publication.ref, commit: it.publication.commit}}),
  ],
  ["another command is planned", /^P4: the plan is not/, (it) => set(it.planned, {command: "true"})],
  ["another command ran", /^P4: stage test ran `true`/, (it) => set(it.stage, {command: "true"})],
  ["a required stage became optional", /^P4: .*as optional/, (it) => set(it.stage, {optional: true})],
  ["a source that is not there", /^P4: test comes from/, (it) => set(it.planned.origin, {file: "Makefile"})],
  [
    "a forced push",
    /^P5: refs\/heads\/x was moved/,
    (it) =>
      set(it.seen, {
        updates: [{repository: "", ref: "refs/heads/x", before: it.publication.commit, after: run.other.commit}],
      }),
  ],
  [
    "a branch that is deleted because it has a good name",
    /^P5: refs\/heads\/assay\/signing was deleted/,
    (it) =>
      set(it.seen, {
        updates: [{repository: "", ref: "refs/heads/assay/signing", before: it.publication.commit, after: null}],
      }),
  ],
  [
    "a signing branch that stays",
    /^P5: refs\/heads\/assay\/signing\/comment-1 was left/,
    (it) => set(it.outcome, {refs: {...it.outcome.refs, "refs/heads/assay/signing/comment-1": it.publication.commit}}),
  ],
  ["the work is nowhere", /^P8: the work of attempt 1/, (it) => set(it.record, {publication: {kind: "none"}})],
  [
    "parked on a ref that is not there",
    /^P8: refs\/heads\/assay\/parked/,
    ({record, publication: {commit, tree}}) =>
      set(record, {publication: {kind: "parked", ref: "refs/heads/assay/parked/issue-1", commit, tree}}),
  ],
  [
    "something else was parked",
    /^P8: no ref reaches/,
    (it) => set(it.attempt, {candidate: {commit: run.other.commit, base: run.other.commit, tree: "1".repeat(40)}}),
  ],
  [
    "a branch is gone",
    /^P8: refs\/heads\/old is gone/,
    (it) => set(it.outcome, {refsBefore: {...it.outcome.refsBefore, "refs/heads/old": run.other.commit}}),
  ],
  [
    "a session is gone that is on no other ref",
    /^P8: refs\/heads\/assay\/session\/issue-1 is gone/,
    (it) =>
      set(it.outcome, {refsBefore: {...it.outcome.refsBefore, "refs/heads/assay/session/issue-1": run.other.commit}}),
  ],
  ["a refused run pushed", /^P8: .*without a record/, (it) => set(it.outcome, {record: null})],
  ["no record", /^P9: there is no record/, (it) => set(it.outcome, {record: null})],
  ["a run of nothing", /^P9: there is a run, though/, (it) => set(it.seen, {nothingAsked: true})],
  ["a crash", /^P9: the product crashed/, (it) => set(it.outcome, {log: "Error: x\n\nNode.js v24.21.0\n"})],
  [
    "two reports",
    /^P9: there are 2 comments/,
    (it) => set(it.outcome, {comments: [...it.outcome.comments, it.comment]}),
  ],
  ["no report", /^P9: there are 0 comments/, (it) => set(it.outcome, {comments: []})],
  ["somebody else's report", /^P9: there are 0 comments/, (it) => set(it.comment, {author: "otto"})],
  [
    "a comment that still works",
    /^P9: the comment was never/,
    (it) => set(it.comment, {body: "<!-- assay:run=comment-1 -->\nWorking…"}),
  ],
  ["nobody is told", /^P9: nobody was told/, (it) => set(it.outcome, {notices: []})],
  [
    "a second reply",
    /^P9: there is a second reply/,
    (it) => set(it.outcome, {notices: [...it.outcome.notices, ...it.outcome.notices]}),
  ],
  [
    "a reply that mentions another person",
    /^P9: the reply mentions ada,otto/,
    (it) => set(it.outcome, {notices: it.outcome.notices.map((one) => ({...one, body: `${one.body} @otto`}))}),
  ],
  ["a reply that nobody wants", /^P9: there is a reply where/, (it) => set(it.record, {isQuiet: true})],
  ["an open record", /^P9: the record was never/, (it) => set(it.record.run, {finishedAt: null})],
  ["a process is left", /^P10: still running: 7: sleep/, (it) => set(it.outcome, {processes: ["7: sleep"]})],
  ["a program is another", /^P2: verified, although/, (it) => set(it.outcome, {changedOnMachine: ["/bin/node"]})],
  ["a file is left", /^P10: left in/, (it) => set(it.outcome, {leftInTmp: ["assay-x"]})],
  ["a token in the log", /^P11: secret 1 stands in the log/, (it) => set(it.outcome, {log: `x${SECRET}x`})],
  ["a token in a comment", /^P11: .*the comments/, (it) => set(it.comment, {body: `${it.comment.body} ${SECRET}`})],
  ["a token in the record", /^P11: .*the record/, (it) => set(it.stage, {excerpt: SECRET})],
  [
    "a token as checkout leaves it",
    /^P11: .*the job summary/,
    (it) => set(it.outcome, {summary: Buffer.from(`x-access-token:${SECRET}`).toString("base64")}),
  ],
  [
    "a token in a stage's hands",
    /^P12: the token was given to: bash -c npm test/,
    (it) => set(it.outcome, {tokenHolders: ["bash -c npm test"]}),
  ],
  ["a long report", /^P13: comment 2 has/, (it) => set(it.comment, {body: it.comment.body + "x".repeat(60_000)})],
  [
    "much output",
    /^P13: .*are kept at one end/,
    (it) => set(it.stage, {output: {head: "x".repeat(70_000), tail: "", droppedBytes: 0}}),
  ],
  ["attempts out of order", /^P13: the attempts are numbered 2/, (it) => set(it.attempt, {number: 2})],
  ["a base that passes is blamed", /^P15: test is excused, and passes on the base/, (it) => excuse(it, {})],
  ["a new failure is excused", /^P15: test is excused, and has new failures/, (it) => excuse(it, {new: [DIVISION]})],
  ["nothing is excused", /^P15: test is excused without/, (it) => excuse(it, {preexisting: []})],
  [
    "more fails than is excused",
    /^P15: test is excused for some/,
    (it) => {
      excuse(it, {});
      set(it.stage, {diagnostics: [DIVISION, {...DIVISION, testId: "others"}]});
    },
  ],
  [
    "excused by half an output",
    /^P15: .*not whole/,
    (it) => {
      excuse(it, {});
      set(it.stage, {output: {head: "", tail: "", droppedBytes: 7}});
    },
  ],
  [
    "excused after a signal",
    /^P15: .*did not end by itself/,
    (it) => {
      excuse(it, {});
      set(it.stage, {exit: {kind: "signaled", signal: "SIGSEGV"}});
    },
  ],
  [
    "an excuse without evidence",
    /^P15: attempt 1 excuses test, the evidence nothing/,
    (it) => set(it.attempt, {verdict: {kind: "verified-with-preexisting", stages: ["test"]}}),
  ],
  [
    "an old failure is called verified",
    /^P15: attempt 1 is verified, and test fails/,
    (it) => {
      excuse(it, {});
      set(it.attempt, {verdict: {kind: "verified"}});
    },
  ],
  [
    "an old failure is charged",
    /^P15: attempt 1 is charged with test/,
    (it) => {
      excuse(it, {});
      set(it.attempt, {verdict: {kind: "failed", stages: ["test"]}});
    },
  ],
  [
    "a second request for tests",
    /^P15: a turn followed attempt 2/,
    (it) => {
      const fault = {path: "a.js", line: 1, from: "<", to: "<="};
      const attempt = {...it.attempt, sensitivity: {noticed: 0, notNoticed: [fault], left: 0, durationMs: 1}};
      set(it.record, {attempts: [1, 2, 3].map((number) => ({...attempt, number}))});
    },
  ],
  [
    "a turn for an old failure",
    /^P15: a turn followed attempt 1/,
    (it) => {
      excuse(it, {});
      set(it.record, {attempts: [it.attempt, {...it.attempt, number: 2}]});
    },
  ],
  [
    "an old failure is called a pass",
    /^P15: the comment calls test a pass/,
    (it) => {
      excuse(it, {});
      set(it.comment, {body: `${it.comment.body}\n| ✅ | test | \`node --test\` |\n`});
    },
  ],
  [
    "a wrong request",
    /^rig: POST \/x: bad/,
    (it) => set(it.seen, {invalidRequests: [{request: "POST /x", problems: ["bad"]}]}),
  ],
  ["an unexpected prompt", /^rig: a prompt without/, (it) => set(it.seen, {unmatchedPrompts: ["hello"]})],
];

test.each(everyNth(LIES, 2))("%s: broken", async (_, sentence, spoil) => {
  const it = spoilt(run.seen);
  await spoil(it);
  expect(await brokenPromises(it.seen)).toContainEqual(expect.stringMatching(sentence));
});

test("a token in a commit is found, whatever ref has it", async () => {
  await run.origin.commit({branch: "leak", files: {"notes.txt": `token ${SECRET}\n`}});
  expect(await brokenPromises(run.seen)).toEqual(["P11: secret 1 stands in the repository"]);
});
