/** Runs the held-out tests of one file twice on a commit, and tells why each of them fails. */
import {posix} from "node:path";
import {type OverlayEntry, overlayCommit} from "../../changes/overlay.ts";
import {isBelow} from "../../detect/files/project.ts";
import {isFileTitle} from "../../diagnostics/not-loaded.ts";
import {chooseTests} from "../../diagnostics/rerun.ts";
import type {Checkouts} from "../../engine/checkout/checkout.ts";
import {scriptsAt} from "../../engine/commands/expand-scripts.ts";
import {wholeText} from "../../engine/stage/stage.ts";
import {plainPath} from "../../git/paths.ts";
import type {Repository} from "../../git/repository.ts";
import type {ChangedTest} from "../../integrity/changed-tests/new-tests.ts";
import type {Diagnostic, StageResult} from "../../record/evidence.ts";
import type {Plan} from "../../record/plan.ts";
import {biteReason} from "../bite/failure-reason.ts";
import {judgeBite} from "../bite/judge-bite.ts";
import {runChosenTests} from "../bite/run-chosen-tests.ts";

/** `names` and `modules` are all that the messages call missing. */
export type SeenTest =
  | {readonly kind: "passes" | "assertion" | "flaky"; readonly detail: string}
  | {readonly kind: "error" | "syntax" | "unknown"; readonly detail: string}
  | {readonly kind: "missing"; readonly detail: string; readonly isWholeFile: boolean; readonly missing: Missing};

interface Missing {
  readonly names: readonly string[];
  readonly modules: readonly string[];
}

export interface HeldOutRuns {
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly plan: Plan;
  readonly signal: AbortSignal;
}

const MAX_TIMEOUT_S = 120;

/** The results in the order of `tests`, which are all in one file. `entries` are that file and those that it may need. */
export async function observeTests(
  {plan, repository, ...options}: HeldOutRuns,
  about: {readonly onto: string; readonly entries: readonly OverlayEntry[]; readonly tests: readonly ChangedTest[]},
): Promise<SeenTest[]> {
  const {onto, entries, tests} = about;
  const [path = ""] = tests.map((test) => test.path);
  const unknown = (detail: string) => tests.map(() => ({kind: "unknown", detail}) as const);
  const [stage] = plan.stages
    .filter(({kind, cwd}) => kind === "test" && isBelow(path, cwd))
    .toSorted((one, other) => other.cwd.length - one.cwd.length);
  if (stage === undefined) return unknown("no check runs tests in its folder");
  const {cwd} = stage;
  const scripts = await scriptsAt({repository, commit: onto, cwd});
  const file = posix.relative(cwd, path);
  const named = tests.map((test) => ({...test, file}));
  const command = chooseTests({command: stage.command, files: [file], tests: named, scripts});
  if (command === null) return unknown("its check cannot be limited to some tests");
  const overlay = await overlayCommit({repository, onto, entries});
  if (!overlay.ok) return unknown("its file could not be added");
  const run = {stage: {...stage, timeout: Math.min(stage.timeout, MAX_TIMEOUT_S)}, command};
  const {commit} = overlay.value;
  const ran = await runChosenTests({...options, repository, plan, commit, runs: [run, run]});
  if (!ran.ok) return unknown(ran.failure);
  const [first = [], second = []] = ran.value.map((result) => seenIn(result, tests));
  return first.map((one, at) =>
    one.kind === second[at]?.kind ? one : {kind: "flaky", detail: "two runs on the same files differ"},
  );
}

function seenIn(result: StageResult, tests: readonly ChangedTest[]): SeenTest[] {
  return judgeBite({tests, result}).map(({onBase}, at): SeenTest => {
    if (onBase.kind !== "fails") return {kind: onBase.kind, detail: onBase.kind === "unknown" ? onBase.why : ""};
    const test = tests[at];
    const own = result.diagnostics.find((one) => test !== undefined && isOf(one, test));
    if (own?.testId === undefined && onBase.why === "not-loaded") return unloaded(result);
    const messages = [own?.message ?? "", onBase.message];
    const detail = messages.find((message) => message !== "") ?? "";
    if (isOwnAssertion(messages, {isElsewhere: own?.file !== undefined && !isFileOf(own.file, test?.path ?? "")}))
      return {kind: "assertion", detail};
    const missing = missingIn(messages.join("\n"));
    return isSome(missing) ? {kind: "missing", detail, isWholeFile: false, missing} : {kind: "error", detail};
  });
}

const isFileOf = (file: string, path: string): boolean => path.endsWith(plainPath(file));

function isOf({testId, file, line}: Diagnostic, {name, path, line: first, lastLine}: ChangedTest): boolean {
  const isInside =
    file !== undefined && isFileOf(file, path) && line !== undefined && first <= line && line <= lastLine;
  return isInside || testId === name || [" > ", "::", "."].some((sign) => testId?.endsWith(`${sign}${name}`) === true);
}

const ASSERTED = /^(?:\w+\.)*Assertion\w*|^assert\b/;
/** An error of another class, which may quote an assertion. */
const OTHER_ERROR = /^(?:\w+\.)*(?!\w*Assert)\w*(?:Error|Exception)\b(?!:? expect\()|^panic:/;

/** Code outside of the test may assert, too. */
function isOwnAssertion(messages: readonly string[], {isElsewhere}: {isElsewhere: boolean}): boolean {
  if (isElsewhere || messages.some((message) => OTHER_ERROR.test(message))) return false;
  if (messages.some((message) => ASSERTED.test(message))) return true;
  return messages.some((message) => biteReason({message, isWholeFile: false}) === "assertion");
}

/** Each error must be about a name, so that another mistake in the file is not overlooked. */
function unloaded({diagnostics, output}: StageResult): SeenTest {
  const errors = diagnostics.filter(
    ({severity, line, message}) => severity === "error" && line !== undefined && !isFileTitle(message),
  );
  const text = output === null ? "" : wholeText(output);
  const found = errors.map(({message}) => missingIn(message));
  const missing = missingIn(
    found.length > 0 && found.every(isSome) ? errors.map((one) => one.message).join("\n") : text,
  );
  const detail = errors[0]?.message ?? "";
  // javac names the symbol in a line below
  const isAboutNames = errors.every(
    ({message}, at) => isSome(found[at] ?? missing) || message === "cannot find symbol",
  );
  const isOnlyMissing = isSome(missing) && isAboutNames;
  return isOnlyMissing ? {kind: "missing", detail, isWholeFile: true, missing} : {kind: "syntax", detail};
}

const isSome = ({names, modules}: Missing): boolean => names.length + modules.length > 0;

/** The places of the names in the messages of JavaScript, TypeScript, Python, Go, Rust and Java. */
const NAMES = [
  /does not provide an export named '([\w$]+)'|([\w$]+)\)? is not a (?:function|constructor)|([\w$]+) is not defined/g,
  /(?:Property|has no exported member|Cannot find name|cannot import name|has no attribute|^NameError: name|keyword argument) '(\w+)'/gm,
  /undefined: (?:\w+\.)?(\w+)|has no field or method (\w+)|unknown field (\w+)/g,
  /unresolved import `(?:\w+::)*(\w+)`|cannot find \w+ `(\w+)`|no (?:method|function|variant|field).* `(\w+)` found|no `(\w+)` in/g,
  /symbol: +(?:method|variable|class) (\w+)/g,
];
const MODULES = /(?:Cannot find (?:module|package)|No module named|Failed to resolve import) ['"]([^'"]+)['"]/g;

function missingIn(text: string): Missing {
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match.slice(1).find(Boolean) ?? "");
  return {names: NAMES.flatMap(found), modules: found(MODULES)};
}
