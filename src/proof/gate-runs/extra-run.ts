/** Runs tests of a stage in a separate checkout with some files replaced, never in the verified one. */
import {existsSync, realpathSync} from "node:fs";
import {mkdir, rm, writeFile} from "node:fs/promises";
import {dirname, join, posix} from "node:path";
import {isBelow as isFileBelow} from "../../detect/files/project.ts";
import {chooseTests} from "../../diagnostics/rerun.ts";
import type {Checkouts} from "../../engine/checkout/checkout.ts";
import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import {openReadyCheckout} from "../../engine/checkout/open-ready.ts";
import {rewrittenFiles} from "../../engine/checkout/rewritten-files.ts";
import {scriptsOf} from "../../engine/commands/expand-scripts.ts";
import {prerequisitesOf} from "../../engine/schedule/order.ts";
import {runStage, type StageEnvironment} from "../../engine/stage/stage.ts";
import type {Repository} from "../../git/repository.ts";
import type {SourceTest} from "../../integrity/changed-tests/new-tests.ts";
import {isBelow} from "../../process/mounts.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {ok, type Result, refused} from "../../record/words.ts";

export interface ExtraRunOptions {
  readonly candidate: ComparedCommits;
  readonly plan: Plan;
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

/** A stage that ran on the candidate and passed. */
export interface PassedStage {
  readonly stage: Stage;
  readonly result: StageResult;
}

/** A file to write before the run; null removes it. */
export interface ReplacedFile {
  readonly path: string;
  readonly content: string | Buffer | null;
  readonly isExecutable: boolean;
}

interface WantedRun {
  readonly passed: PassedStage;
  readonly files: readonly ReplacedFile[];
  /** null for the whole stage */
  readonly tests: readonly SourceTest[] | null;
  /** the shortest time limit, in seconds; a minute by default */
  readonly minTimeoutS?: number;
  /** true for a product with a fault, which may delete other files: it runs only in a sandbox */
  readonly isFaulty?: boolean;
}

interface ExtraRun {
  readonly result: StageResult;
  /** true if the whole stage ran, not only the chosen tests */
  readonly isWhole: boolean;
}

/** Opened by the first run and shared by all, because an install may take longer than the tests. */
export interface ExtraCheckout {
  /** Restores the files after the run. Never rejects; a refusal contains the reason. */
  run(wanted: WantedRun): Promise<Result<ExtraRun, string>>;
}

export function openExtraCheckout(options: ExtraRunOptions, on: "candidate" | "base"): ExtraCheckout {
  const {candidate, repository} = options;
  const commit = on === "base" ? candidate.base : candidate.commit;
  let opening: Promise<Result<StageEnvironment, string>> | undefined;
  return {
    async run(wanted) {
      opening ??= openReadyCheckout({...options, commit});
      const environment = await opening;
      if (!environment.ok) return environment;
      const {folder, sandbox} = environment.value;
      if (wanted.isFaulty === true && sandbox({}, {discardsInstallWrites: false}) === null)
        return refused("there is no sandbox");
      try {
        const command = await replaceFiles(folder, wanted);
        if (!command.ok) return command;
        return ok(await runWanted(options.plan, {...wanted, ...command.value, environment: environment.value}));
      } catch (error) {
        return refused(String(error));
      } finally {
        const written = wanted.files.flatMap(({path, content}) => (content === null ? [] : [join(folder, path)]));
        for (const target of written)
          if (isInside(target, folder)) await rm(target, {force: true}).catch(() => undefined);
        await rewrittenFiles({repository, folder, commit, except: []}).catch(() => []);
      }
    },
  };
}

/** A longer stage is not run as a whole for a few tests. */
export const SHORT_MS = 30_000;
const MIN_TIMEOUT_S = 60;

/** Writes the files, and returns the command that runs the wanted tests with them. */
async function replaceFiles(folder: string, wanted: WantedRun): Promise<Result<{command: string | null}, string>> {
  for (const {path, content, isExecutable} of wanted.files) {
    const target = join(folder, path);
    if (!isInside(target, folder)) return refused(`\`${path}\` leads out of the checkout`);
    await rm(target, {force: true, recursive: true});
    if (content === null) continue;
    await mkdir(dirname(target), {recursive: true});
    await writeFile(target, content, {flag: "wx", mode: isExecutable ? 0o755 : 0o644});
  }
  const {passed, tests} = wanted;
  const {stage, result} = passed;
  if (tests === null) return ok({command: null});
  const testsInFolder = tests
    .filter(({path}) => isFileBelow(path, stage.cwd))
    .map((test) => ({...test, file: posix.relative(stage.cwd, test.path)}));
  const files = [...new Set(testsInFolder.map(({file}) => file))];
  const scripts = await scriptsOf(join(folder, stage.cwd));
  const command =
    files.length === 0 ? null : chooseTests({command: stage.command, files, tests: testsInFolder, scripts});
  if (command === null && result.durationMs > SHORT_MS)
    return refused(`\`${stage.name}\` cannot be limited to some tests`);
  return ok({command});
}

/** False if a link of the candidate, or of its run, leads out of the checkout. */
function isInside(target: string, folder: string): boolean {
  try {
    return isBelow(realFolderOf(target), realpathSync(folder));
  } catch {
    return false;
  }
}

function realFolderOf(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? realpathSync(folder) : realFolderOf(folder);
}

async function runWanted(
  plan: Plan,
  options: WantedRun & {command: string | null; environment: StageEnvironment},
): Promise<ExtraRun> {
  const {stage, result} = options.passed;
  const {minTimeoutS = MIN_TIMEOUT_S} = options;
  for (const needed of prerequisitesOf(stage, plan)) await runStage(needed, options.environment);
  const timeout = Math.min(stage.timeout, Math.max(minTimeoutS, (2 * result.durationMs) / 1000));
  // Python treats compiled code as current if its file has the same size and was written in the same second.
  const env = {...stage.env, PYTHONDONTWRITEBYTECODE: "1"};
  const ran = await runStage({...stage, env, timeout, command: options.command ?? stage.command}, options.environment);
  return {result: ran, isWhole: options.command === null};
}
