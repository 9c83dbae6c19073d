/** Whether the checker catches a bot that breaks a promise: each is broken once in the sources, built, and run as it is. */
import {describe, expect, test} from "vitest";
import {editFile, type ScriptedTurn} from "../rig/model.ts";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";
import {around, buildBroken, type Edit, GIT_FROM_PATH} from "./broken-bot.ts";

interface Mutation {
  readonly what: string;
  readonly edits: readonly Edit[];
  /** keys of the base's `verify.json` */
  readonly verify?: Record<string, unknown>;
  /** what the agent writes and says; default: work that is right */
  readonly turn?: (rig: Rig) => Partial<ScriptedTurn>;
  /** default: a comment on a new issue */
  readonly act?: (rig: Rig) => Promise<Outcome>;
}

const wrong = () => ({
  do: WRITES.wrong,
});
const skipping = () => ({
  do: [...WRITES.right, editFile("tests/sum.test.js", 'test("sums', 'test.skip("sums')],
});
const stage = (command: string, kind = "build") => ({
  stages: [{name: "odd", kind, command, timeout: 10}],
  maxFixAttempts: 0,
});

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  P1: {
    what: "publishes the base's tree",
    edits: [
      {
        file: "src/publish/commit.ts",
        text: "parent]), candidate.tree]",
        by: "parent]), `${candidate.base}^{tree}`]",
      },
      {file: "src/publish/commit.ts", text: "if (final.ok &&", by: "if (!final.ok &&"},
    ],
  },
  P2: {
    what: "runs the stages on the base",
    edits: [
      {
        file: "src/engine/checkout/checkout.ts",
        text: "checkOut({commit, folder: root, withSubmodules: true})",
        by: "checkOut({commit: options.base, folder: root, withSubmodules: true})",
      },
    ],
  },
  P3: {
    what: "believes a stage that rewrites",
    edits: [
      {
        file: "src/engine/checkout/rewritten-files.ts",
        text: "if (paths.length === 0)",
        by: "if (paths.length >= 0)",
      },
    ],
    verify: stage(`node -e "require('node:fs').appendFileSync('src/sum.js', '// formatted')"`),
  },
  P4: {
    what: "takes the rules from the pull request's own branch",
    edits: [
      {
        file: "src/run/prepare-run.ts",
        text: "run.head?.baseBranch ??",
        by: 'run.head?.ref.replace("refs/heads/", "") ??',
      },
    ],
    act: async (rig) => {
      const files = {"verify.json": JSON.stringify({setup: false, stages: [{name: "check", command: "node -e 0"}]})};
      return rig.comment("/assay multiply", {on: await rig.openPullRequest({title: "Easy", branch: "easy", files})});
    },
  },
  P5: {
    what: "pushes by force",
    edits: [{file: "src/git/push.ts", text: '`--force-with-lease=${ref}:${expect ?? ""}`', by: '"--force"'}],
    act: async (rig) => {
      const on = await rig.openPullRequest({title: "Docs", branch: "docs", files: {"NOTES.md": "notes\n"}});
      const run = await rig.begin("/assay multiply", {on});
      await run.saw(/The agent starts/);
      await rig.origin.commit({branch: "docs", files: {"NOTES.md": "more notes\n"}});
      return run.ended;
    },
  },
  P6: {
    what: "takes a run of no tests for a pass",
    edits: [
      {file: "src/diagnostics/reports/reconcile.ts", text: "testCountOf(counts) === 0", by: "testCountOf(counts) < 0"},
    ],
    verify: stage("cd src && node --test", "test"),
    // A changed test that this stage does not read would take the verdict away too.
    turn: () => ({do: WRITES.right.slice(0, 1)}),
  },
  P7: {
    what: "takes a timeout for a pass",
    edits: [{file: "src/engine/stage/outcome.ts", text: 'outcome: "timed-out",', by: 'outcome: "passed",'}],
    verify: {stages: [{name: "odd", kind: "build", command: "node -e 'setTimeout(() => {}, 3000)'", timeout: 1}]},
  },
  P8: {
    what: "throws away what failed",
    edits: [
      {
        file: "lifecycle/3-publish.ts",
        text: "await parkCandidate(run, {repository, candidate, exampleSecrets});",
        by: '({kind: "none"} as const);',
      },
    ],
    turn: wrong,
    verify: {maxFixAttempts: 0},
  },
  P9: {
    what: "never finishes the comment",
    edits: [
      {
        file: "lifecycle/4-settle.ts",
        text: "await run.comment.finish(renderReport(closed));",
        by: "renderReport(closed);",
      },
    ],
  },
  P10: {
    what: "leaves what a stage started",
    edits: [
      {
        file: "src/process/run.ts",
        text: "const survivors = await killRemaining(child.tree, UNKILLABLE_MS);",
        by: "const survivors = 0;",
      },
      {
        file: "src/process/probes.ts",
        text: 'if (isolation === "degraded") return ok(null);',
        by: 'if (isolation !== "sandbox") return ok(null);',
      },
    ],
    verify: {...stage("setsid sleep 60 > /dev/null 2>&1 & echo started"), sandbox: "off"},
  },
  P11: {
    what: "masks nothing",
    edits: [
      {
        file: "src/secrets/redact.ts",
        text: "maskedText += text.slice(from, start) + MASK;",
        by: "masked += text.slice(from, end);",
      },
    ],
    turn: (rig) => ({say: `The key is ${rig.model.key}.`}),
  },
  P12: {
    what: "gives a stage all variables",
    edits: [
      {
        file: "src/engine/isolation/stage-variables.ts",
        text: "...Object.fromEntries(copiedVariables),",
        by: "...Object.fromEntries(copiedVariables), ...options.source,",
      },
    ],
    verify: stage("sleep 1"),
  },
  P13: {
    what: "keeps a megabyte of each end of an output",
    edits: [{file: "src/process/run.ts", text: "const KEPT_BYTES = 65_536;", by: "const KEPT_BYTES = 1_000_000;"}],
    verify: stage("for n in $(seq 10000); do echo line $n of many, with some more words in it; done"),
  },
  P14: {
    what: "ends with 0 whatever it saw",
    edits: [{file: "lifecycle/main.ts", text: "process.exitCode = isGreen ? 0 : 1;", by: "process.exitCode = 0;"}],
    turn: wrong,
    verify: {maxFixAttempts: 0},
  },
  P15: {
    what: "excuses what the base passes",
    edits: [
      {
        file: "src/diagnostics/compare.ts",
        text: 'return {...noFailures, outcome: "new", new: failures, why: "the base passes this check"};',
        by: 'return {...noFailures, outcome: "pre-existing", preexisting: failures, why: ""};',
      },
    ],
    turn: wrong,
    verify: {maxFixAttempts: 0},
  },
  P16: {
    what: "lets blocking findings pass",
    edits: [{file: "src/verify/verdict.ts", text: "blockers.length > 0 ?", by: "blockers.length < 0 ?"}],
    turn: skipping,
    verify: {maxFixAttempts: 0},
  },
  "P16 (silence)": {
    what: "looks and says nothing",
    edits: [
      {
        file: "src/verify/inspect-files.ts",
        text: "return isExact ? inspection.value : inspection.value.map(lowerLevel)",
        by: "return isExact ? [] : inspected.value.map(asPossible).slice(1)",
      },
    ],
    turn: skipping,
    verify: {maxFixAttempts: 0},
  },
  "P16 (headline)": {
    what: "hides its findings below",
    edits: [
      {
        file: "src/report/headline.ts",
        text: "const {headline, sentence} = WITH_WARNINGS;",
        by: 'const [headline, sentence] = ["", ""];',
      },
    ],
    turn: () => ({do: [...WRITES.right, editFile("src/sum.js", "export", "// eslint-disable-next-line\nexport")]}),
  },
  "P16 (approval)": {
    what: "takes the approval of another tree",
    edits: [{file: "src/run/approval.ts", text: "if (!tree.startsWith(approves))", by: 'if (tree === "")'}],
    turn: skipping,
    verify: {maxFixAttempts: 0},
    act: async (rig) => {
      await rig.comment("/assay multiply");
      return rig.comment("/approve 0123456789ab", {noModel: true});
    },
  },
};

const ALL = Object.entries(MUTATIONS).map(([key, mutation]) => ({promise: key.replace(/ .*/, ""), ...mutation}));
test.each(ALL)("$promise: what is to be broken is there", async ({edits}) => {
  for (const edit of edits) expect(await around(edit)).toHaveLength(2);
});

test("the sweeps can put a gate in git's place", async () => {
  for (const edit of GIT_FROM_PATH) expect(await around(edit)).toHaveLength(2);
});

// In each run `tests/contract/promises.test.ts` breaks each promise in a record.
if (isSweep)
  describe("a bot broken on purpose", () => {
    test.each(ALL)("$promise: a bot that $what is caught", async ({promise, ...mutation}) => {
      await using bot = await buildBroken(mutation.edits);
      await using rig = await createRig({files: plain({verify: mutation.verify ?? {}}), product: bot.folder});
      const right = WRITES.right;
      rig.model.script([{when: "multiply", do: right, say: "Done.", ...mutation.turn?.(rig)}]);
      const outcome = await (mutation.act?.(rig) ?? rig.comment("/assay multiply"));
      const broken = await assertPromises(rig, outcome).then(
        () => "no promise is broken",
        (error: Error) => error.message,
      );
      expect(broken, rig.story()).toContain(`- ${promise}: `);
    });
  });
