/** Looks from outside during a whole run: at each step of the agent, the set-up and the stages, at requests of git, and after each `main`. */
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {bash, writeFileAt} from "./model.ts";
import {PRODUCT_FILES, plain} from "./projects.ts";
import {createRig} from "./rig.ts";
import {processesOf} from "./runner/processes.ts";
import {type Hunt, huntFor} from "./runner/token-hunt.ts";
import type {Outcome, Rig} from "./world.ts";

export interface Look extends Hunt {
  readonly job: string;
  readonly at: string;
}

export interface HuntOptions {
  /** the workflow file */
  readonly text: string;
  /** put before the command of each step, for the world in this folder */
  readonly under: (world: string) => readonly string[];
  /** looks at each request of git instead of the first of its kind in each job, and each push */
  readonly isLong: boolean;
  readonly product?: string;
  /** the run is cancelled when this step of the agent's work has been looked at */
  readonly cancelsAt?: "agent" | "stage";
  readonly onFailed?: (print: () => void) => void;
}

export interface Hunted {
  readonly rig: Rig;
  readonly outcome: Outcome;
  readonly looks: readonly Look[];
  /** see `Ran.changedOnMachine`, of all jobs */
  readonly changedOnMachines: readonly string[];
}

/**
 * Runs the agent, which waits, as set-up and stage do, until somebody has looked. The world is the caller's to dispose of. A token
 * has the name of its job.
 */
export async function huntAlong({text, under, isLong, cancelsAt, ...options}: HuntOptions): Promise<Hunted> {
  // `wait` is content when the sleep is ended. Where stages run once more, they do without.
  const id = `${process.pid}${Date.now() % 100_000}`;
  const sleeps = {agent: `sleep 110.${id}`, "set-up": `sleep 120.${id}`, stage: `sleep 130.${id}`};
  const pause = (sleep: string) => `if [ -n "$ASSAY_PROCESS" ]; then ${sleep} & wait; fi`;
  const verify = {
    setup: [{command: pause(sleeps["set-up"]), timeout: 150}],
    stages: [{name: "test", kind: "test", command: `${pause(sleeps.stage)}; node --test`, timeout: 150}],
    maxFixAttempts: 0,
  };
  const rig = await createRig({files: plain({verify}), watches: false, ...options});
  const right = writeFileAt("src/product.js", PRODUCT_FILES.right);
  rig.model.script([{when: "multiply", do: [bash(`${sleeps.agent} & wait`), right], say: "Done."}]);

  const place = join(rig.folder, "run-1");
  const tokens: Record<string, string> = {};
  const looks: Look[] = [];
  /** empty between the steps of ours */
  let job = "";
  const look = (at: string) => void looks.push({job, at, ...huntFor(tokens, place)});
  const hasLooked = (at: string) => looks.some((seen) => seen.job === job && seen.at === at);
  const sleeping = () =>
    processesOf(place).flatMap((line) =>
      Object.entries(sleeps)
        .filter(([, sleep]) => line.endsWith(`: ${sleep}`))
        .map(([step]) => ({step, pid: Number.parseInt(line, 10)})),
    );
  rig.git.beforeEachRequest(async ({path, isPush}) => {
    // `actions/checkout` asks between the steps.
    if (job === "") return;
    const [beside] = sleeping();
    const at = isPush ? "push" : "fetch";
    if (beside !== undefined) look(beside.step);
    else if (isLong || !hasLooked(at) || (isPush && path.endsWith("/git-receive-pack"))) look(at);
  });

  const changed: Promise<readonly string[]>[] = [];
  const begun = await rig.begin("/assay multiply", {
    watchesMachine: true,
    separated: {
      text,
      under: () => under(rig.folder),
      onStep(_, {ended}, token) {
        job = token.job;
        tokens[job] = token.token;
        changed.push(ended.then(({changedOnMachine}) => changedOnMachine));
      },
      async afterMain() {
        look("after main");
        job = "";
      },
    },
  });
  let outcome: Outcome | undefined;
  const ended = begun.ended.then((it) => {
    outcome = it;
  });
  let isCancelled = false;
  while (outcome === undefined) {
    for (const {step, pid} of isCancelled ? [] : sleeping()) {
      if (!hasLooked(step) || step !== "agent") look(step);
      // The first stage is the base's.
      isCancelled = step === cancelsAt && looks.filter(({at}) => at === step).length === (step === "stage" ? 2 : 1);
      if (isCancelled) {
        begun.cancel();
        break;
      }
      // The agent goes on when the base's stage, which runs meanwhile, has been looked at.
      if (step !== "agent" || hasLooked("stage")) end(pid);
    }
    await Promise.race([ended, wait(100)]);
  }
  job = "whole run";
  look("the end");
  return {rig, outcome, looks, changedOnMachines: (await Promise.all(changed)).flat()};
}

/** A look takes seconds, in which Assay may have ended the process: a base's stage whose result is not needed any more. */
function end(pid: number): void {
  try {
    process.kill(pid);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ESRCH") throw error;
  }
}

const MAIN = /^\S*\/node \S*\/dist\/main\.js\b/;
const GIT = /^\S*git(?:-remote-https?)? /;

/** Whether Assay's main process runs at this look. */
export const isRunning = ({at}: Look): boolean => at !== "after main" && at !== "the end";

export const isMain = (name: string): boolean => MAIN.test(name);

/**
 * Who has a token and may not: all except Assay's main process, and git where it talks to the server and nothing of the repository runs;
 * each in its own job. No file, and nobody once `main` is over.
 */
export function strangersIn(look: Look): string[] {
  const {job, at, holders, processes} = look;
  const mayHold = (name: string) => isMain(name) || ((at === "fetch" || at === "push") && GIT.test(name));
  const wrong = holders.filter(
    ({secret, name, where}) => !isRunning(look) || secret !== job || where === "file" || !mayHold(name),
  );
  const left = isRunning(look) ? [] : processes;
  return [
    ...wrong.map(({secret, name, where}) => `${job}, ${at}: ${where} of ${name} has the token of ${secret}`),
    ...left.map((name) => `${job}, ${at}: ${name} is left`),
  ];
}
