/** Probes, once per process, how this machine can confine a command to its files. */
import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import type {Isolation} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {hideFolders} from "./hide-folders.ts";
import {findProgram, namespaceWrapper, SYSTEM_FOLDERS, trySandbox, unshareWrapper, type Wrapper} from "./isolation.ts";
import {confineInNamespace} from "./namespace-view.ts";
import {clearOverlays, confineWithBubblewrap, NOTHING_WRITABLE, type Sandbox} from "./sandbox.ts";

const probes = new Map<string, Promise<Result<string, string>>>();

/**
 * Runs a real command in a sandbox, once per process, with or without a network, and returns the path of bubblewrap.
 * The reason for a refusal contains bubblewrap's own message, which distinguishes a missing program from a kernel that
 * forbids user namespaces.
 */
export function probeSandbox(options: {
  readonly network: boolean;
  readonly folders?: string;
}): Promise<Result<string, string>> {
  const folders = options.folders ?? SYSTEM_FOLDERS;
  const key = `${options.network} ${folders}`;
  const result = probes.get(key) ?? probe({network: options.network, folders});
  probes.set(key, result);
  return result;
}

async function probe(options: {network: boolean; folders: string}): Promise<Result<string, string>> {
  const program = process.platform === "linux" ? findProgram("bwrap", {cwd: "/", path: options.folders}) : null;
  if (program === null) return refused("bubblewrap is not installed");
  const failure = await trySandbox(confineWithBubblewrap(program, {...NOTHING_WRITABLE, network: options.network}));
  return failure === null ? ok(program) : refused(`bubblewrap does not work here: ${failure}`);
}

let viewProbe: Promise<string | null> | undefined;

/** Null if a command can be confined without bubblewrap, else the reason. */
export function probeView(): Promise<string | null> {
  viewProbe ??= (async () => {
    const wrapper = await unshareWrapper();
    if (wrapper === null) return "this machine does not let an ordinary program create namespaces";
    return withScratchFolder(tmpdir(), (scratch) =>
      trySandbox(confineInNamespace(wrapper, {...NOTHING_WRITABLE, scratch})),
    );
  })();
  return viewProbe;
}

interface OverlayProbe {
  readonly isolation: "sandbox" | "pid-namespace";
  readonly folder: string;
}

const overlayProbes = new Map<string, Promise<boolean>>();

/** True if an overlay can be mounted with its files below this folder; probed once for each folder. */
export function probeOverlays(options: OverlayProbe): Promise<boolean> {
  const key = `${options.isolation} ${options.folder}`;
  const result = overlayProbes.get(key) ?? probeOverlay(options);
  overlayProbes.set(key, result);
  return result;
}

function probeOverlay(options: OverlayProbe): Promise<boolean> {
  mkdirSync(options.folder, {recursive: true});
  return withScratchFolder(options.folder, async (scratch) => {
    const [at, own] = [join(scratch, "at"), join(scratch, "own")];
    const work = "work";
    for (const path of [at, join(own, "upper"), join(own, work)]) mkdirSync(path, {recursive: true});
    const sandbox = {...NOTHING_WRITABLE, scratch, overlaid: [{at, own, work, lower: [at]}]};
    const wrapper = await wrapperFor({isolation: options.isolation, sandbox});
    const works = wrapper.ok && wrapper.value !== null && (await trySandbox(wrapper.value)) === null;
    clearOverlays(sandbox);
    return works;
  });
}

export interface IsolationRequest {
  readonly isolation: Isolation;
  /** with isolation `pid-namespace` and no sandbox: folders that the program sees as empty */
  readonly hidden?: readonly string[];
  /** what the program may see and write; required with isolation `sandbox`, optional with `pid-namespace` */
  readonly sandbox?: Sandbox;
}

/**
 * The wrapper that isolates a command; null for none. Refused with the reason if the machine does not support what is
 * requested.
 */
export async function wrapperFor({
  isolation,
  sandbox,
  hidden = [],
}: IsolationRequest): Promise<Result<Wrapper | null, string>> {
  if (isolation === "degraded") return ok(null);
  if (isolation === "sandbox") {
    if (sandbox === undefined) return refused("the sandbox has no description");
    const probeResult = await probeSandbox({network: sandbox.network});
    return probeResult.ok ? ok(confineWithBubblewrap(probeResult.value, sandbox)) : probeResult;
  }
  if (sandbox !== undefined) {
    // Shows the same files as a sandbox; the network and the other namespaces are the machine's.
    const wrapper = sandbox.network ? await unshareWrapper() : null;
    return wrapper === null
      ? refused("this machine offers no such namespace")
      : ok(confineInNamespace(wrapper, sandbox));
  }
  const wrapper = await namespaceWrapper();
  return wrapper === null ? refused("this machine offers no PID namespace") : ok(hideFolders(wrapper, hidden));
}

async function withScratchFolder<T>(folder: string, test: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(folder, "assay-probe-"));
  try {
    return await test(scratch);
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}
