/** Which entries of a proposed `verify.json` hold, in terms of what one run of each has shown. */
import {expect, test} from "vitest";
import {applyConfig} from "../../../src/detect/config/apply-config.ts";
import {composeProposal} from "../../../src/detect/config/compose-proposal.ts";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {parseConfig} from "../../../src/detect/config/parse-config.ts";
import {judgeProposal} from "../../../src/proof/prove/judge-proposal.ts";
import type {CiCommandReport, Plan, Stage} from "../../../src/record/plan.ts";
import type {ProofOutcome} from "../../../src/record/proof.ts";
import {plannedStage} from "../../rig/plans.ts";
import "../integrity/all-grammars.ts";

const TEST = plannedStage({name: "test", kind: "test", command: "npm test", timeout: 300});
const LINT = plannedStage({name: "lint", kind: "lint", command: "npm run lint", timeout: 60, optional: true});
const ofCi = (outcome: CiCommandReport["outcome"]): CiCommandReport => ({
  ...{command: "npm test", cwd: ".", file: ".github/workflows/ci.yml", key: "jobs.test"},
  outcome,
});
const SETUP = {
  ...{command: "npm ci", cwd: ".", timeout: 600, inputs: ["**"], provides: [], tools: []},
  origin: {file: "package.json", key: "", why: ""},
};

/** The plan with a `verify.json`, where these stages are detected. */
function planned(text: string | null, detected: readonly Stage[], ci: readonly CiCommandReport[]): Plan {
  const parsed = text === null ? null : parseConfig({file: "verify.json", text});
  if (parsed?.ok === false) throw new Error(JSON.stringify(parsed.failure));
  const applied = applyConfig({config: parsed?.value ?? DEFAULT_CONFIG, stages: detected, setup: [SETUP]});
  if (!applied.ok) throw new Error(JSON.stringify(applied.failure));
  return {schema: "assay.plan/1", ...applied.value, notRun: [], notes: [], ci: [...ci]};
}

interface Judged {
  readonly base?: string;
  readonly proposed: string;
  readonly detected?: readonly Stage[];
  readonly ci?: readonly CiCommandReport[];
  /** what one run of a command shows; without an entry it passes, with a test if it is one */
  readonly seen?: (command: string, setup: string) => ProofOutcome | undefined;
}

async function judge({base, proposed, detected = [TEST, LINT], ci = [], seen = () => undefined}: Judged) {
  const before = base ?? null;
  const runs: string[] = [];
  const judged = await judgeProposal({
    file: "verify.json",
    base: {text: before, plan: planned(before, detected, ci)},
    proposed: {text: proposed, plan: planned(proposed, detected, ci)},
    prove: async (lines, setup) => {
      const installed = setup.map(({command}) => command).join(" && ");
      const proofs = lines.map(({stage: {name, command, cwd, env, kind}}) => {
        runs.push(`${command} after ${installed}`);
        const outcome = seen(command, installed) ?? {kind: "proved" as const};
        const tests = kind === "test" && command !== "silent" ? {passed: 1, failed: 0, skipped: 0} : null;
        const facts = {
          exitCode: 0,
          changedFiles: [],
          missingTools: [],
          networkAttempts: null,
          durationMs: 1,
          excerpt: "",
        };
        return {name, command, cwd, env, outcome, tests, ...facts};
      });
      return {ok: true, value: {setup: [], proofs}};
    },
  });
  if (!judged.ok) throw new Error(JSON.stringify(judged.failure));
  const {rows, weaker} = judged.value;
  const decisions = Object.fromEntries(rows.map(({name, isKept, seen}) => [name, isKept ? "kept" : seen]));
  return {decisions, weaker, runs, text: composeProposal({base: before, text: proposed, rows})};
}

test("a stage of CI is neither removed nor changed, in each way that a file can do that", async () => {
  for (const ci of [ofCi({kind: "stage", stage: "test"}), ofCi({kind: "covered", by: ["test"]})]) {
    for (const entry of [
      '"overrides": {"test": false}',
      '"overrides": {"test": {"command": "npm test -- one.test.js"}}',
      '"overrides": {"test": {"env": {"SKIP": "1"}}}',
      '"overrides": {"test": {"when": ["docs/**"]}}',
      '"overrides": {"test": {"kind": "check"}}',
      '"overrides": {"test": {"cwd": "docs"}}',
      '"stages": []',
    ]) {
      const {decisions, text} = await judge({proposed: `{${entry}}`, ci: [ci]});
      expect(decisions["test"], entry).toMatch(/^it stays as it is/);
      expect(
        planned(text, [TEST, LINT], []).stages.find(({name}) => name === "test"),
        entry,
      ).toEqual(TEST);
    }
  }
});

test("a list that would replace the detected stages adds to them", async () => {
  const same = {name: "unit", command: "npm test"};
  const proposed = JSON.stringify({
    stages: [{name: "docs", command: "make docs"}, {name: "lint", command: "true"}, same],
  });
  const {decisions, text} = await judge({proposed});
  expect(decisions).toEqual({docs: "kept", lint: "another check has this name", unit: "it already runs as test"});
  expect(JSON.parse(text)).toEqual({extraStages: [{name: "docs", command: "make docs"}]});
});

test("the owner's list and comments stay, whatever a proposal leaves out", async () => {
  const base = '{\n  // ours\n  "stages": [{"name": "test", "command": "npm test"}]\n}';
  const proposed = '{\n  // ours\n  "stages": [{"name": "docs", "command": "make docs"}]\n}';
  const {decisions, text} = await judge({base, proposed});
  expect(decisions).toMatchObject({docs: "kept", test: expect.stringMatching(/^it stays/)});
  expect(text).toContain("// ours");
  expect(planned(text, [], []).stages.map(({name}) => name)).toEqual(["test", "docs"]);
});

test("a set-up with which a required stage no longer passes is dropped, and the rest is proved without it", async () => {
  const proposed = '{"setup": ["npm ci --omit=dev"], "extraStages": [{"name": "docs", "command": "make docs"}]}';
  const seen: Judged["seen"] = (command, setup) =>
    command === "npm test" && setup.includes("omit") ? {kind: "failed", why: "exit code 1"} : undefined;
  const {decisions, text, runs} = await judge({proposed, seen});
  expect(decisions).toEqual({docs: "kept", setup: "with it, test: failed: exit code 1"});
  expect(JSON.parse(text)).toEqual({extraStages: [{name: "docs", command: "make docs"}]});
  expect(runs.at(-1)).toBe("make docs after npm ci");
});

test("a set-up with which every required stage passes is kept", async () => {
  const seen: Judged["seen"] = (command, setup) =>
    command === "npm test" && !setup.includes("playwright") ? {kind: "failed", why: "exit code 1"} : undefined;
  const {decisions, text} = await judge({proposed: '{"setup": ["npm ci", "npx playwright install"]}', seen});
  expect(decisions).toEqual({setup: "kept"});
  expect(JSON.parse(text)).toEqual({setup: ["npm ci", "npx playwright install"]});
});

test("a test runner has to count tests, whatever kind the entry gives it", async () => {
  const proposed = JSON.stringify({
    extraStages: [
      {name: "unit", command: "silent", kind: "test"},
      {name: "after", command: "make after", needs: ["unit"]},
      {name: "last", command: "make last", needs: ["after"]},
    ],
  });
  const {decisions, text} = await judge({proposed});
  expect(decisions).toEqual({
    unit: "passed, but no test was counted",
    after: "it needs unit, which is not kept",
    last: "it needs unit, which is not kept",
  });
  expect(JSON.parse(text)).toEqual({});
});

test("lines beyond the limit are not kept, and a check that stays may be needed", async () => {
  const many = Array.from({length: 60}, (_, i) => ({name: `c${i}`, command: `make c${i}`, needs: ["test"]}));
  const seen: Judged["seen"] = (command) => (command === "npm test" ? {kind: "timed-out", seconds: 1} : undefined);
  const overrides = {test: {timeout: 1}};
  const proposed = JSON.stringify({extraStages: many, setup: ["npm ci"], overrides});
  const {decisions, text} = await judge({proposed, seen});
  expect([decisions["c0"], decisions["c59"]]).toEqual(["kept", "not run: only 50 entries are"]);
  expect(decisions["test"]).toBe("did not end within its limit of 1 s");
  expect(JSON.parse(text).overrides).toBeUndefined();
});

test("each value that checks less than before is named, and no other", async () => {
  const base = '{"protectedPaths": ["db/**"], "sandbox": "auto"}';
  const proposed = JSON.stringify({
    ...{
      sandbox: "off",
      notify: false,
      onFailure: "commit",
      publish: "direct",
      coverage: "strict",
      maxFixAttempts: 4,
    },
    ...{limits: {files: 900, megabytes: 1}, integrity: {enabled: false, approvers: 2}},
    overrides: {test: {timeout: 900, optional: true}, lint: false},
  });
  const {weaker, text} = await judge({base, proposed, ci: [ofCi({kind: "stage", stage: "test"})]});
  expect(weaker.toSorted()).toEqual([
    "integrity enabled false",
    "limits files 900",
    "onFailure commit",
    "overrides lint false",
    "overrides test optional true",
    "overrides test timeout 900",
    "protectedPaths removed",
    "sandbox off",
  ]);
  expect(JSON.parse(text).publish).toBeUndefined();
});
