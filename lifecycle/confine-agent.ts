/** Decides how the agent is confined, and says so in the record. */
import type {Confinement} from "../src/agent/session.ts";
import type {Failure} from "../src/record/failure.ts";
import type {Isolation} from "../src/record/verification.ts";
import {chooseFence, type Fence} from "../src/verify/isolation/fence.ts";
import {stageHome, toolchainsIn} from "../src/verify/isolation/home.ts";
import {SANDBOX_TMP} from "../src/verify/isolation/sandbox-view.ts";
import {ok, type Result, refused} from "../src/words.ts";
import type {Run} from "./1-admit.ts";
import type {Ground} from "./ground.ts";
import {agentFolder, keptFromAgent} from "./world.ts";

interface AgentFence {
  readonly isolation: Isolation;
  readonly confinement?: Confinement;
  readonly hidden: readonly string[];
}

/**
 * The agent needs the network whatever the stages may have. Its home is a new folder in the place of the real one, which
 * lasts as long as the run; below the runner's temporary folder it sees its own folder only.
 */
export async function confineAgent(o: {run: Run; ground: Ground}): Promise<Result<AgentFence, Failure>> {
  const {world, folder} = o.run;
  const {context, realHome, variables} = world;
  const fence = await chooseFence({sandbox: o.ground.config.sandbox, network: "all", folder});
  if (fence.refusal !== null) return refused({kind: "no-sandbox", message: fence.refusal});
  const hidden = keptFromAgent({context, folder, program: process.argv[1] ?? ""});
  if (!fence.confines) return ok({isolation: fence.isolation, hidden});
  const home = stageHome({realHome, variables, fence, private: [context.temp, ...hidden]});
  const own = `${agentFolder(o.run)}-home`;
  await home.furnish(own);
  const confinement: Confinement = {
    toolchains: toolchainsIn(realHome),
    tmp: SANDBOX_TMP,
    sandbox: ({env, shown, writable}) =>
      home.sandbox({
        checkout: context.workspace,
        home: own,
        alsoShown: shown,
        alsoWritable: writable,
        env,
        pins: "settings",
        baseHome: null,
        network: true,
      }),
  };
  return ok({isolation: fence.isolation, confinement, hidden});
}

/** What every report says where what runs is not confined; once, though agent and stages have the same to say. */
export function noteFence(run: Pick<Run, "record">, {warning}: Pick<Fence, "warning">): void {
  const {notes} = run.record.current();
  if (warning !== null && !notes.some(({about}) => about === warning.about)) run.record.addNotes([warning]);
}
