/** Finds tests of a reported case that pass on the base, if the agent left nothing else. */
import type {Checkouts} from "../engine/checkout/checkout.ts";
import {openReadyCheckout} from "../engine/checkout/open-ready.ts";
import {runStage, type StageEnvironment} from "../engine/stage/stage.ts";
import {compareTests} from "../integrity/changed-tests/compare-tests.ts";
import {type ChangedTest, changedTests, isTestFile} from "../integrity/changed-tests/new-tests.ts";
import {loadTestGrammars} from "../integrity/load-parsers.ts";
import type {InspectedChange} from "../integrity/source/inspected-change.ts";
import {isProductCode, isTestPath} from "../integrity/source/kinds.ts";
import type {Reproduction} from "../record/reproduction.ts";
import type {TestFacts} from "../test-code/facts.ts";
import {loadGrammars} from "../test-code/grammars.ts";
import {findNodes} from "../test-code/read-source.ts";
import {languageOf} from "../test-code/text/languages.ts";
import {recordRun} from "./executed-lines.ts";
import {faultsInText} from "./sensitivity/choose-faults.ts";
import {faultOutcomeFor} from "./sensitivity/fault-outcome.ts";
import {withFault} from "./sensitivity/inject.ts";
import {type FaultRun, planRun, type RunOptions, stageWithLimit} from "./sensitivity/plan-runs.ts";

const MAX_TESTS = 10;
const MAX_WORDS = 60;
const MAX_FILES = 40;
const MAX_BYTES = 512 * 1024;
const MAX_TEXT = 3000;
const MAX_LISTED = 6;
const MAX_TRIED = 6;
/** in one function */
const MAX_FAULTS = 3;

export interface ReproductionOptions extends Omit<RunOptions, "only"> {
  readonly checkouts: Checkouts;
  readonly signal: AbortSignal;
  /** all texts of the request */
  readonly request: string;
}

/**
 * Null if the change is anything else, if a test asserts nothing, or if the tests do not run the code that the request
 * names, or notice no fault in it.
 * Never rejects.
 */
export async function findReproduction(options: ReproductionOptions): Promise<Reproduction | null> {
  return find(options).catch(() => null);
}

async function find(options: ReproductionOptions): Promise<Reproduction | null> {
  const only = await usableTests(options.change);
  if (only === null) return null;
  const {repository, candidate, request} = options;
  const code = await functionsNamed({repository, commit: candidate.base, words: namesIn(request)});
  if (code.length === 0) return null;
  const [firstPath = ""] = only.map(({path}) => path);
  const run = await planRun({...options, only}, firstPath);
  if (run === null || run.commands.length !== 1) return null;
  const checkout = await openReadyCheckout({...options, commit: options.candidate.commit});
  if (!checkout.ok) return null;
  const [command] = run.commands;
  const environment = checkout.value;
  const lines = await recordRun({run, command, environment}, [...new Set(code.map(({path}) => path))]);
  const ran = code.filter(({path, from, to}) => linesOf(from, to).some((line) => lines?.get(`${path}:${line}`)));
  const tested: NamedFunction[] = [];
  for (const one of ran.slice(0, MAX_TRIED)) {
    const tries = {...options, run, only, environment};
    if (await noticesFault(one, tries)) tested.push(one);
  }
  // Of a bug that is fixed in part only, the tests may run the other part.
  if (!code.every(({name}) => tested.some((one) => one.name === name))) return null;
  const added = compareTests(options.change).added;
  return {
    tests: added.map(({file, test: {line, name, text}}) => ({
      ...{path: file.path, line, name},
      text: text.slice(0, MAX_TEXT),
    })),
    ran: tested.slice(0, MAX_LISTED).map(({path, name, line}) => ({path, name, line})),
  };
}

const linesOf = (from: number, to: number): number[] =>
  Array.from({length: Math.max(0, to - from + 1)}, (_, at) => from + at);

interface FaultTries extends ReproductionOptions {
  readonly run: FaultRun;
  readonly only: readonly ChangedTest[];
  readonly environment: StageEnvironment;
}

/** True if the tests fail with a fault in the function: a test may call it, and assert something else. */
async function noticesFault({path, from, to}: NamedFunction, tries: FaultTries): Promise<boolean> {
  const {repository, candidate, run, only, environment} = tries;
  const text = await repository.readText(candidate.commit, path, {maxBytes: MAX_BYTES});
  const language = languageOf(path);
  if (!text.ok || text.value === null || language === null) return false;
  const after = text.value;
  // The last fault of a line is the one that is noticed most easily, and most functions end with their result.
  const faults = faultsInText({path, before: null, after, language}).flatMap((line) => line.at(-1) ?? []);
  const within = faults.filter(({line}) => from <= line && line <= to);
  for (const {line, newLine} of within.slice(-MAX_FAULTS)) {
    const place = {folder: environment.folder, path, line, oldLine: after.split("\n")[line - 1] ?? "", newLine};
    const stage = {...stageWithLimit(run), command: run.commands[0].line};
    const result = await withFault(place, () => runStage(stage, environment));
    if (result && faultOutcomeFor(only, {result, verified: run.verified}) === "noticed") return true;
  }
  return false;
}

/** The new tests of a change that contains nothing else. */
export async function addedTestsOnly(change: InspectedChange): Promise<[ChangedTest, ...ChangedTest[]] | null> {
  await loadTestGrammars(change);
  const {added, removed} = compareTests(change);
  const [first, ...others] = changedTests(change);
  const isOnly =
    change.files.every((file) => isTestFile(file) && file.after !== null) &&
    removed.length === 0 &&
    others.length + 1 === added.length;
  return first !== undefined && isOnly ? [first, ...others] : null;
}

/** Those tests; null if one of them cannot fail, or may not run. */
async function usableTests(change: InspectedChange) {
  const tests = await addedTestsOnly(change);
  const isUsable =
    tests?.every(({isNew, mayBeSkipped}) => isNew && !mayBeSkipped) &&
    tests.length <= MAX_TESTS &&
    compareTests(change).added.every(({test}) => mayFail(test));
  return isUsable ? tests : null;
}

export const mayFail = ({assertions, isEmpty, endsEarly}: TestFacts): boolean =>
  !isEmpty && !endsEarly && assertions.some(({strength, isDetached}) => strength > 0 && !isDetached);

interface NamedFunction {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  /** the lines that only a call runs: reports count the lines with the ends of `const f = () => {…};` when loading */
  readonly from: number;
  readonly to: number;
}

const FUNCTIONS = [
  ...["function_declaration", "function_definition", "generator_function_declaration", "function_item"],
  ...["method_definition", "method_declaration", "constructor_declaration", "variable_declarator"],
];
/** As `exports.parse = (text) => …`, and express's `app.use = function use(fn) {…}`. */
const ASSIGNED = {on: "assignment_expression", name: "left.property"};

/** The functions of the product with these names. */
export async function functionsNamed(options: {
  readonly repository: ReproductionOptions["repository"];
  readonly commit: string;
  readonly words: ReadonlySet<string>;
}): Promise<NamedFunction[]> {
  const {repository, commit, words} = options;
  if (words.size === 0) return [];
  const patterns = [...words].flatMap((word) => ["-e", word]);
  const grep = await repository.git(["grep", "-l", "-z", "-I", "-i", "-w", "-F", ...patterns, commit]);
  const found = grep.ok ? grep.value.split("\0").map((row) => row.slice(row.indexOf(":") + 1)) : [];
  const paths = found.filter((path) => isProductCode(path) && !isTestPath(path)).slice(0, MAX_FILES);
  await loadGrammars(paths);
  const code: NamedFunction[] = [];
  for (const path of paths) {
    const text = await repository.readText(commit, path, {maxBytes: MAX_BYTES});
    for (const {node, name} of findNodes(path, text.ok ? text.value : null, [
      {on: FUNCTIONS, name: "name"},
      ASSIGNED,
    ])) {
      const field = {variable_declarator: "value", assignment_expression: "right"}[node.type];
      const definition = field === undefined ? node : node.childForFieldName(field);
      const isFunction = field === undefined || definition?.type.includes("function") === true;
      const body = definition?.childForFieldName("body");
      const isIndented = path.endsWith(".py");
      const line = node.startPosition.row + 1;
      const from = Math.max(line, (body ?? node).startPosition.row + (isIndented ? 0 : 1)) + 1;
      const to = body ? body.endPosition.row + (isIndented ? 1 : 0) : 0;
      if (isFunction && words.has(name)) code.push({path, name, line, from, to});
    }
  }
  return code;
}

/** The words of a text that look like names of code: in a code span or a block, called, or not written as in prose. */
export function namesIn(text: string): ReadonlySet<string> {
  const code = [...text.matchAll(/```[\s\S]*?(?:```|$)|`[^`\n]+`/g)].map(([span]) => span).join("\n");
  const inCode = code.match(/[A-Za-z_]\w{2,}/g) ?? [];
  const inProse = text.match(/\b[A-Za-z_]\w{2,}(?=\()|\b[A-Za-z]\w*_\w+\b|\b[A-Za-z]*[a-z][A-Z]\w*\b/g) ?? [];
  return new Set([...inCode, ...inProse].slice(0, MAX_WORDS));
}
