/** Runs a stage's command once more, outside of the run, so that a claim can be held against what really happens. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdir, mkdtemp, rm} from "node:fs/promises";
import {homedir, tmpdir} from "node:os";
import {join} from "node:path";
import {chooseSandbox, type StageIsolation} from "../../../src/engine/isolation/choose-sandbox.ts";
import {type StageHome, stageHome} from "../../../src/engine/isolation/home.ts";
import {inNamespace, SANDBOX_FD} from "../../../src/process/isolation.ts";
import {wrapperFor} from "../../../src/process/probes.ts";
import {clearOverlays} from "../../../src/process/sandbox.ts";
import {gitInOrder} from "../git.ts";
import type {Origin} from "../origin.ts";
import {killProcessesOf} from "../runner/processes.ts";

export interface Replay extends AsyncDisposable {
  readonly folder: string;
  /** One stage's command, in a folder of the checkout. What it leaves running is not waited for; the replay's end kills it. */
  run(command: string, cwd: string): Promise<{code: number | null; text: string}>;
}

interface ReplayOptions {
  readonly commit: string;
  readonly isHostile: boolean;
  /** default: the best that this machine has */
  readonly fence?: Pick<StageIsolation, "level" | "confines" | "overlays">;
}

/** The machine stays the same, and each probe starts several programs. */
let bestIsolation: Promise<StageIsolation> | undefined;

/**
 * A checkout of a commit of the server and a home of its own, both gone afterwards. Where the machine can confine a stage, its
 * commands are confined too and cannot write outside. Null for hostile commands where it cannot.
 */
export async function openReplay(origin: Origin, options: ReplayOptions): Promise<Replay | null> {
  const root = await mkdtemp(join(tmpdir(), "rig-replay-"));
  const disposal = {
    async [Symbol.asyncDispose]() {
      killProcessesOf(root);
      await rm(root, {recursive: true, force: true});
    },
  };
  bestIsolation ??= chooseSandbox({sandbox: "auto", network: "all", folder: tmpdir(), mayBeOpen: true});
  const {fence = await bestIsolation} = options;
  if (options.isHostile && !fence.confines) {
    await disposal[Symbol.asyncDispose]();
    return null;
  }
  const [folder, home] = [join(root, "checkout"), join(root, "home")];
  await mkdir(folder);
  await gitInOrder(folder, [
    ["clone", "--quiet", "--no-checkout", origin.folder, "."],
    ["checkout", "--quiet", "--detach", options.commit],
  ]);
  // what this test itself runs in must not reach the stage
  const {NODE_TEST_CONTEXT: _, ...variables} = process.env;
  const own = stageHome({realHome: homedir(), variables, isolation: fence, private: []});
  await own.populate(home);
  return {
    ...disposal,
    folder,
    run: (command, cwd) => shell({command, fence, own, checkout: folder, home, cwd: join(folder, cwd)}),
  };
}

interface ReplayedCommand {
  readonly command: string;
  readonly fence: Pick<StageIsolation, "level" | "confines">;
  readonly own: StageHome;
  readonly checkout: string;
  readonly home: string;
  readonly cwd: string;
}

async function shell({command, fence, own, checkout, home, cwd}: ReplayedCommand) {
  const env = own.variables({home, pathFirst: [], extra: {}});
  const view = {checkout, home, env, network: true};
  // A replayed set-up may write settings.
  const sandbox = own.sandbox({...view, pins: "nothing"});
  const isolating = sandbox && (await wrapperFor({isolation: fence.level, sandbox}));
  const wrapper = isolating?.ok ? isolating.value : null;
  if (fence.confines && wrapper === null) throw new Error("this machine can confine, and gives no way to do it");
  const [program, ...argv] = inNamespace(wrapper, {argv: ["/bin/bash", "-e", "-o", "pipefail", "-c", command], env});
  // The shell of a fence writes to the last one.
  const child = spawn(program, argv, {cwd, env, timeout: 120_000, stdio: ["ignore", "pipe", "pipe", "pipe"]});
  child.stdio[SANDBOX_FD]?.on("data", () => undefined);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const closed = once(child, "close");
  const [code]: (number | null)[] = await once(child, "exit");
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  if (sandbox) clearOverlays(sandbox);
  return {code: code ?? null, text};
}
