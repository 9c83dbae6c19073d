/** Adds tests that must fail to the candidate: if a run still passes, it does not notice failures. */
import {randomBytes} from "node:crypto";
import {isBelow} from "../../detect/files/project.ts";
import {wholeText} from "../../engine/stage/stage.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {canaryIn} from "../../test-code/canary.ts";
import type {ExtraCheckout, ExtraRunOptions, PassedStage, ReplacedFile} from "./extra-run.ts";

/** A test file to which a failing test is added. */
export interface CanaryFile {
  readonly path: string;
  /** the path in the base; null if the file is new */
  readonly basePath: string | null;
}

const MAX_FILE_BYTES = 512 * 1024;
const FIX = "Remove the code that ends the run early or changes its result; a failing test must fail the run.";

/**
 * Null if a failing test in each of these files makes the stage fail, or if such tests do not fail it on the base
 * either.
 */
export async function findUnnoticed(
  options: ExtraRunOptions & {readonly checkout: ExtraCheckout; readonly control: ExtraCheckout},
  passed: PassedStage,
  testFiles: readonly CanaryFile[],
): Promise<IntegrityFinding | null> {
  const {checkout, control} = options;
  const stageFiles = testFiles.filter(({path}) => isBelow(path, passed.stage.cwd));
  const firstTry = await tryCanaries(options, {checkout, passed, testFiles: stageFiles, onBase: false});
  if (firstTry.kind === "unknown") return notChecked(passed, stageFiles, firstTry.why);
  for (const testFile of firstTry.silent) {
    // The runner may stop at its first failure.
    const alone =
      stageFiles.length === 1
        ? firstTry
        : await tryCanaries(options, {checkout, passed, testFiles: [testFile], onBase: false});
    if (alone.kind === "unknown") return notChecked(passed, [testFile], alone.why);
    if (alone.silent.length === 0) continue;
    const onBase = await tryCanaries(options, {checkout: control, passed, testFiles: [testFile], onBase: true});
    if (onBase.kind === "unknown") return notChecked(passed, [testFile], onBase.why);
    // The base does not run this file either, or the new file does not belong to this stage.
    if (onBase.silent.length > 0) continue;
    return {
      check: "unnoticed-failures",
      level: "block",
      path: testFile.path,
      line: null,
      message: `\`${passed.stage.name}\` still passes with a test in this file that must fail; on the default branch it fails`,
      fix: FIX,
    };
  }
  return null;
}

function notChecked({stage}: PassedStage, testFiles: readonly CanaryFile[], why: string): IntegrityFinding {
  return {
    check: "unnoticed-failures",
    level: "note",
    path: testFiles[0]?.path ?? ".",
    line: null,
    message: `Whether \`${stage.name}\` notices a failing test could not be checked: ${why}`,
    fix: `Add a failing test to a changed test file and run \`${stage.name}\`: it must fail.`,
  };
}

type CanaryOutcome =
  | {readonly kind: "seen"; readonly silent: readonly CanaryFile[]}
  | {readonly kind: "unknown"; readonly why: string};

async function tryCanaries(
  options: ExtraRunOptions,
  {
    checkout,
    passed,
    testFiles,
    onBase,
  }: {checkout: ExtraCheckout; passed: PassedStage; testFiles: readonly CanaryFile[]; onBase: boolean},
): Promise<CanaryOutcome> {
  const {candidate, repository} = options;
  const canaries: {testFile: CanaryFile; name: string; file: ReplacedFile}[] = [];
  for (const testFile of testFiles) {
    const path = onBase ? (testFile.basePath ?? testFile.path) : testFile.path;
    const commit = onBase && testFile.basePath !== null ? candidate.base : candidate.commit;
    const readResult = await repository.readText(commit, path, {maxBytes: MAX_FILE_BYTES});
    const text = readResult.ok ? readResult.value : null;
    const canary = text === null ? null : canaryIn({path, text, word: randomWord()});
    if (canary === null) continue;
    canaries.push({testFile, name: canary.name, file: {path, content: canary.text, isExecutable: false}});
  }
  if (canaries.length === 0) return {kind: "unknown", why: "no failing test could be added"};
  const runResult = await checkout.run({
    passed,
    files: canaries.map(({file}) => file),
    tests: canaries.map(({file, name}) => ({path: file.path, groups: [], name})),
  });
  if (!runResult.ok) return {kind: "unknown", why: runResult.failure};
  const {result} = runResult.value;
  if (result.exit?.kind !== "exited") return {kind: "unknown", why: result.reason};
  const silent = canaries.filter(({name}) => !isNoticed(result, name));
  // Neither a pass nor the expected failure: the test did not compile, or the runner collected no test.
  if (result.exit.code !== 0 && silent.length === canaries.length)
    return {kind: "unknown", why: `the run with it ended differently (${result.reason})`};
  return {kind: "seen", silent: silent.map(({testFile}) => testFile)};
}

/** A name that neither the runner nor the change can predict. */
function randomWord(): string {
  return `Order${randomBytes(6).toString("hex")}`;
}

function isNoticed({exit, output, reported, diagnostics}: StageResult, name: string): boolean {
  if (exit?.kind !== "exited" || exit.code === 0) return false;
  const isNamed = (text: string) => text.toLowerCase().includes(name.toLowerCase());
  return (
    (reported?.failed ?? []).some(({title}) => isNamed(title)) ||
    diagnostics.some(({testId = "", message}) => isNamed(testId) || isNamed(message)) ||
    (output !== null && isNamed(wholeText(output)))
  );
}
