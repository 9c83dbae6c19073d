/** Everything a verification needs in a run: checkouts, the base to compare with, the plan and its limits. */
import {join} from "node:path";
import {timeSpent} from "../src/budget.ts";
import type {OnEvent} from "../src/events.ts";
import {openBaseline} from "../src/verify/baseline/baseline.ts";
import {openKeptBaseline, toolVersions} from "../src/verify/baseline/kept-baseline.ts";
import {openCheckouts} from "../src/verify/checkout/checkout.ts";
import {chooseFence} from "../src/verify/isolation/fence.ts";
import {stageHome} from "../src/verify/isolation/home.ts";
import {openLogs} from "../src/verify/stage/logs.ts";
import type {Run} from "./1-admit.ts";
import {noteFence} from "./confine-agent.ts";
import type {Ground} from "./ground.ts";
import {COMMAND_FILES} from "./world.ts";

/**
 * Opens the gate once for a run; the caller disposes of it. `compareWith` is the commit whose failures are not charged to
 * the change, null where there is no change. Where that is not the run's base it gets an install of its own.
 */
export async function openGate(o: {run: Run; ground: Ground; compareWith: string | null; onEvent: OnEvent}) {
  const {run, ground, compareWith, onEvent} = o;
  const {repository, plan, config, toolchain} = ground;
  const {signal, realHome, variables, context} = run.world;
  const fence = await chooseFence({...config, folder: run.folder, isOfFork: run.head?.isFork ?? false});
  noteFence(run, fence);
  const {isolation} = fence;
  const home = stageHome({realHome, variables, fence, private: [context.temp, context.workspace]});
  // Beside the record, which names them; they stay when the checkouts go, for a later step to upload.
  const logs = openLogs({folder: join(run.folder, "logs"), redact: run.world.redact});
  const installOn = (base: string, folder: string) =>
    openCheckouts({
      folder: join(run.folder, folder),
      repository,
      base,
      setup: plan.setup,
      dependencies: {kind: "install"},
      home,
      fence,
      signal,
      onEvent,
      logs,
      hidden: [join(context.temp, COMMAND_FILES)],
    });
  const checkouts = installOn(ground.base.commit, "checkouts");
  const isOwn = compareWith === null || compareWith === ground.base.commit;
  const others = isOwn ? checkouts : installOn(compareWith, "base-checkouts");
  const circumstances = [isolation, fence.network, ...toolVersions({plan, variables})];
  const {redact, now} = run.world;
  const compare = (base: string) => {
    const kept = openKeptBaseline({repository, base, plan, circumstances, redact, now});
    return {kept, baseline: openBaseline({checkouts: others, repository, base, plan, changes: [], kept, signal})};
  };
  const {kept, baseline} = compareWith === null ? {kept: null, baseline: null} : compare(compareWith);
  const dispose = async () => {
    await baseline?.pause();
    await checkouts.dispose();
    await others.dispose();
  };
  const spent = () => timeSpent(config.budget, performance.now());
  const {failFast, flaky} = config;
  const {skipPatterns, codeExtensions, coverage} = config;
  const coverageRules = {skipPatterns, codeExtensions, coverage, wholePlan: ground.wholePlan ?? plan};
  return {
    coverageRules,
    checkouts,
    baseline,
    kept,
    dispose,
    repository,
    plan,
    toolchain,
    failFast,
    flaky,
    spent,
    isolation,
    signal,
    onEvent,
  };
}
