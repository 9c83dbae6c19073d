/** Probes, once per process, how this machine can confine a command to its files. */
import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import type {Isolation} from "../record/verification.ts";
import {findProgram, SYSTEM_FOLDERS, trySandbox, unshareWrapper, type Wrapper} from "./isolation.ts";
import {confineInNamespace} from "./namespace-view.ts";
import {clearOverlays, confineWithBubblewrap, NOTHING_WRITABLE, type Sandbox} from "./sandbox.ts";

export type SandboxProbe =
  | {readonly kind: "available"; readonly program: string}
  | {readonly kind: "missing"; readonly why: string};

const probes = new Map<string, Promise<SandboxProbe>>();

/**
 * Runs a real command in a sandbox, once per process, with or without a network. The reason contains bubblewrap's own message,
 * which distinguishes a missing program from a kernel that forbids user namespaces.
 */
export function probeSandbox(o: {readonly network: boolean; readonly folders?: string}): Promise<SandboxProbe> {
  const folders = o.folders ?? SYSTEM_FOLDERS;
  const key = `${o.network} ${folders}`;
  const result = probes.get(key) ?? probe({network: o.network, folders});
  probes.set(key, result);
  return result;
}

async function probe(o: {network: boolean; folders: string}): Promise<SandboxProbe> {
  const program = process.platform === "linux" ? findProgram("bwrap", {cwd: "/", path: o.folders}) : null;
  if (program === null) return {kind: "missing", why: "bubblewrap is not installed"};
  const why = await trySandbox(confineWithBubblewrap(program, {...NOTHING_WRITABLE, network: o.network}));
  return why === null ? {kind: "available", program} : {kind: "missing", why: `bubblewrap does not work here: ${why}`};
}

let view: Promise<string | null> | undefined;

/** Null if a command can be confined without bubblewrap, else the reason. */
export function probeView(): Promise<string | null> {
  view ??= (async () => {
    const wrapper = await unshareWrapper();
    if (wrapper === null) return "this machine gives no namespaces to an ordinary program";
    return inScratch(tmpdir(), (scratch) => trySandbox(confineInNamespace(wrapper, {...NOTHING_WRITABLE, scratch})));
  })();
  return view;
}

/** True if an overlay can be mounted with its files below this folder. */
export function probeOverlays(o: {
  readonly isolation: "sandbox" | "pid-namespace";
  readonly folder: string;
}): Promise<boolean> {
  mkdirSync(o.folder, {recursive: true});
  return inScratch(o.folder, async (scratch) => {
    const [at, own] = [join(scratch, "at"), join(scratch, "own")];
    const work = "work";
    for (const path of [at, join(own, "upper"), join(own, work)]) mkdirSync(path, {recursive: true});
    const sandbox = {...NOTHING_WRITABLE, scratch, overlaid: [{at, own, work, lower: [at]}]};
    const wrapper = await wrapperFor(o.isolation, sandbox);
    const works = wrapper !== null && (await trySandbox(wrapper)) === null;
    clearOverlays(sandbox);
    return works;
  });
}

/** The wrapper that confines a command to this view; null if the machine does not support that level. */
export async function wrapperFor(isolation: Isolation, sandbox: Sandbox): Promise<Wrapper | null> {
  if (isolation === "degraded") return null;
  if (isolation === "sandbox") {
    const result = await probeSandbox({network: true});
    return result.kind === "available" ? confineWithBubblewrap(result.program, sandbox) : null;
  }
  const wrapper = await unshareWrapper();
  return wrapper === null ? null : confineInNamespace(wrapper, sandbox);
}

async function inScratch<T>(folder: string, test: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(folder, "assay-probe-"));
  try {
    return await test(scratch);
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}
