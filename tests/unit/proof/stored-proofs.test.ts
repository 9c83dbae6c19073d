/** What a stored proof changes in a plan: it adds, and explains, and never removes or relaxes. */
import {expect, test} from "vitest";
import {createFileList} from "../../../src/detect/files/file-list.ts";
import {type Project, viewFiles} from "../../../src/detect/files/project.ts";
import {listedCandidates, proofCandidates} from "../../../src/proof/prove/candidates.ts";
import {countAttempts} from "../../../src/proof/prove/network-attempts.ts";
import {asProved, proofKey, withProofs} from "../../../src/proof/prove/stored-proofs.ts";
import type {Plan} from "../../../src/record/plan.ts";
import type {ProofOutcome} from "../../../src/record/proof.ts";
import {UNKNOWN_CHECK} from "../../../src/record/words.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";

const FILES = {Makefile: "style:\n\t./style\n", "package.json": "{}", "tools/style": "exit 0\n", "src/a.js": ""};

const projectOf = (files: Readonly<Record<string, string>>): Project =>
  viewFiles({
    files: createFileList(Object.keys(files)),
    read: (path) => ({kind: "bytes", bytes: Buffer.from(files[path] ?? "")}),
    parseYaml: null,
  });
const contextOf = (files: Readonly<Record<string, string>> = FILES) => ({
  ...{project: projectOf(files), versions: new Map([["make", "4.3"]])},
});

const listed = (fix: string, more: {command?: string; role?: "check" | "setup"} = {}) => ({
  ...{command: more.command ?? "make style", cwd: ".", file: ".github/workflows/ci.yml", key: "checks"},
  outcome: {kind: "listed" as const, role: more.role ?? "check", why: "unknown", fix},
});
const PLAN: Plan = {
  ...planWith(
    {name: "build", kind: "build", command: "npm run build"},
    {name: "owner", command: "npm run slow", optional: true},
    {name: "guess", command: "npm run guess", optional: true, unproved: true},
    {name: "lint", kind: "lint", command: "eslint .", optional: true, unproved: true},
    {name: "test", command: "npm test"},
  ),
  ci: [
    {...listed("", {command: "npm run build"}), outcome: {kind: "stage", stage: "build"}},
    listed('"extraStages": [{"name":"style","command":"make style"}]'),
    listed('"extraStages": [{"name":"filled","command":"make ${{ a }} style"}]', {command: "make ${{ a }} style"}),
    listed('"setup": [{"command":"make deps"}]', {role: "setup"}),
    listed(""),
    {
      ...listed("", {command: "scripts/coverage"}),
      outcome: {kind: "listed", role: "check", why: UNKNOWN_CHECK, fix: ""},
    },
  ],
};

test("the lines in question are the stages that are not required, and what CI offers, after the builds of its job", () => {
  const candidates = proofCandidates(PLAN).map(({stage, before}) => [stage.name, before.map(({name}) => name)]);
  expect(candidates).toEqual([
    ["owner", []],
    ["guess", []],
    ["lint", []],
    ["style", ["build"]],
    ["scripts-coverage-6", ["build"]],
  ]);
});

const OUTCOMES: readonly ProofOutcome[] = [
  {kind: "proved"},
  {kind: "failed", why: "exit code 2"},
  {kind: "changed-files", files: ["a"]},
  {kind: "no-evidence", why: "no test was run"},
  {kind: "wanted-network", why: "exit code 1"},
  {kind: "tools-missing", tools: ["buf"]},
  {kind: "timed-out", seconds: 60},
];

function provedWith(outcome: ProofOutcome, plan = PLAN, files: Readonly<Record<string, string>> = FILES): Plan {
  const at = new Date(0).toISOString();
  const stored = proofCandidates(PLAN).map(({stage}) => ({key: proofKey(stage, PLAN, contextOf()), at, outcome}));
  return withProofs(plan, stored, contextOf(files));
}

test("a proof makes an unproved stage required and a line of CI a stage, and does not touch what the owner decided", () => {
  const {stages, ci, notes} = provedWith({kind: "proved"});
  expect(stages.map(({name, optional}) => [name, optional])).toEqual([
    ["build", false],
    ["owner", true],
    ["guess", false],
    ["lint", true],
    ["test", false],
    ["style", false],
    ["scripts-coverage-6", false],
  ]);
  expect(stages.at(-2)).toMatchObject({command: "make style", needs: ["build"], origin: {key: "checks"}});
  expect(ci?.[1]?.outcome).toEqual({kind: "stage", stage: "style"});
  expect([ci?.[2], ci?.[3], ci?.[4], notes]).toEqual([PLAN.ci?.[2], PLAN.ci?.[3], PLAN.ci?.[4], []]);
});

test.each(OUTCOMES)("no outcome removes or relaxes anything: $kind", (outcome) => {
  const {stages, ci} = provedWith(outcome);
  for (const stage of PLAN.stages) {
    const after = stages.find(({name}) => name === stage.name);
    expect(after).toMatchObject({command: stage.command, cwd: stage.cwd, kind: stage.kind, timeout: stage.timeout});
    expect(stage.optional || after?.optional === false).toBe(true);
  }
  expect(ci).toHaveLength(PLAN.ci?.length ?? 0);
  if (outcome.kind === "proved") return;
  expect(stages).toEqual(PLAN.stages);
  expect(ci?.[1]?.outcome).toMatchObject({
    kind: "listed",
    why: expect.stringMatching(/^one run without a change on \d{4}-\d\d-\d\d: ./),
  });
});

test("a proof makes no optional lint required, and neither a check that the owner made optional", () => {
  const optional = PLAN.stages.map((stage) => [stage.name, asProved(stage).optional]);
  expect(Object.fromEntries(optional)).toEqual({build: false, owner: true, guess: false, lint: true, test: false});
});

test("a proof counts for the same command, folder, variables, set-up, programs and defining files only", () => {
  const isProved = (plan: Plan, files: Readonly<Record<string, string>> = FILES): boolean =>
    provedWith({kind: "proved"}, plan, files).stages.find(({name}) => name === "guess")?.optional === false;
  const withGuess = (more: object) => ({
    ...PLAN,
    stages: PLAN.stages.map((stage) => (stage.name === "guess" ? {...stage, ...more} : stage)),
  });
  expect(isProved(PLAN)).toBe(true);
  expect(isProved(PLAN, {...FILES, "src/a.js": "changed"})).toBe(true);
  expect(isProved(PLAN, {...FILES, Makefile: "changed"})).toBe(false);
  expect(isProved(PLAN, {...FILES, "package.json": "{ }"})).toBe(false);
  for (const more of [{command: "npm run other"}, {cwd: "src"}, {env: {A: "1"}}, {needs: ["build"]}])
    expect(isProved(withGuess(more))).toBe(false);
  const step = {command: "npm ci", cwd: ".", timeout: 1, inputs: [], provides: [], tools: []};
  expect(isProved({...PLAN, setup: [{...step, origin: plannedStage().origin}]})).toBe(false);
  const other = {...contextOf(), versions: new Map([["make", "4.4"]])};
  const [stage = plannedStage()] = listedCandidates(PLAN).map((one) => one.stage);
  expect(proofKey(stage, PLAN, other)).not.toBe(proofKey(stage, PLAN, contextOf()));
});

test("the kernel's counters say whether another machine was asked; without them nothing is known", () => {
  const snmp = (noRoute: number, noPorts: number) =>
    `Ip: Forwarding OutNoRoutes FragOKs\nIp: 2 ${noRoute} 0\nUdp: InDatagrams NoPorts\nUdp: 0 ${noPorts}\n`;
  expect(countAttempts(snmp(0, 0))).toBe(0);
  expect(countAttempts(`${snmp(2, 1)}Ip6OutNoRoutes                  \t4\n`)).toBe(7);
  expect(countAttempts("")).toBeNull();
  expect(countAttempts("Ip: OutNoRoutes\nIp: many\n")).toBeNull();
});
