/** Chooses the agent's sandbox. */

import type {Confinement} from "../agent/session.ts";
import {chooseSandbox, type StageIsolation} from "../engine/isolation/choose-sandbox.ts";
import {stageHome, toolchainsIn} from "../engine/isolation/home.ts";
import {SANDBOX_TMP} from "../engine/isolation/sandbox-view.ts";
import type {Failure} from "../record/failure.ts";
import type {Isolation} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {hiddenFromAgent} from "./run-context.ts";

interface AgentSandbox {
  readonly isolation: Isolation;
  readonly confinement?: Confinement;
  readonly hidden: readonly string[];
}

/**
 * The agent always has network access. The folder `home`, which exists as long as the run, replaces its home. It sees
 * only its own part of the runner's temporary folder. The judge's agent has another `checkout`, and cannot see the
 * workspace.
 */
export async function confineAgent(
  run: PreparedRun,
  {checkout, home: agentHome}: {checkout: string; home: string},
): Promise<Result<AgentSandbox, Failure>> {
  const {context, folder, config} = run;
  const {runner, realHome, variables} = context;
  const fence = await chooseSandbox({sandbox: config.sandbox, network: "all", folder});
  if (fence.refusal !== null) return refused({kind: "no-sandbox", message: fence.refusal});
  const hiddenPaths = hiddenFromAgent({runner, folder, program: process.argv[1] ?? ""});
  if (!fence.confines) return ok({isolation: fence.level, hidden: hiddenPaths});
  const otherFolders = checkout === runner.workspace ? [] : [runner.workspace];
  const home = stageHome({
    realHome,
    variables,
    isolation: fence,
    private: [runner.temp, ...hiddenPaths, ...otherFolders],
  });
  await home.populate(agentHome);
  const confinement: Confinement = {
    toolchains: toolchainsIn(realHome),
    tmp: SANDBOX_TMP,
    sandbox: ({env, shown, writable}) =>
      home.sandbox({
        checkout,
        home: agentHome,
        alsoReadable: shown,
        alsoWritable: writable,
        env,
        pins: "settings",
        network: true,
      }),
  };
  return ok({isolation: fence.level, confinement, hidden: hiddenPaths});
}

/** Adds a note once if the agent or the stages run without a sandbox. */
export function noteIsolation(run: Pick<AdmittedRun, "record">, {warning}: Pick<StageIsolation, "warning">): void {
  const {notes} = run.record.current();
  if (warning !== null && !notes.some(({about}) => about === warning.about)) run.record.addNotes([warning]);
}
