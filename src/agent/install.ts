/** Finds the agent's program, or installs its pinned version into the runner's temporary folder. */
import {existsSync} from "node:fs";
import {mkdir, open, readFile, realpath} from "node:fs/promises";
import {join} from "node:path";
import {parse} from "jsonc-parser";
import {z} from "zod";
import {findProgram} from "../process/isolation.ts";
import {run} from "../process/run.ts";
import type {Sandbox} from "../process/sandbox.ts";
import type {Failure} from "../record/failure.ts";
import type {Isolation} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {Adapter} from "./adapters/adapter.ts";

const INSTALL_MS = 5 * 60_000;
const packageSchema = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

/** The start of a command: program and first arguments. */
type Program = readonly [string, ...string[]];

/**
 * A program on the PATH is used in any version; otherwise the pinned package is installed into `folder`, once, without
 * install scripts. A Node script runs on the Node of this process, because the Node on the PATH may be too old for the
 * agent. Fails as `agent-unavailable`, with the next step.
 */
export async function findAgent(options: {
  adapter: Adapter;
  /** the program of the agent `command` */
  command: string;
  /** for npm; its PATH is searched, absolute folders only */
  environment: Readonly<Record<string, string>>;
  folder: string;
  isolation: Isolation;
  /** what npm may see and write */
  sandbox: Sandbox | null;
  signal?: AbortSignal;
}): Promise<Result<Program, Failure>> {
  const {adapter, environment, folder, isolation, sandbox, signal} = options;
  const bin = adapter.package?.bin ?? options.command;
  const program = bin === "" ? null : findProgram(bin, {cwd: folder, path: environment["PATH"] ?? ""});
  if (program !== null) return ok(await commandFor(program));
  if (adapter.package === null) {
    const message = bin === "" ? "`agent-args` names no program" : `the program ${bin} is not on the PATH`;
    return refused({kind: "agent-unavailable", message: `${message}. Its first line is the program of the agent`});
  }
  const {name, version, entries = []} = adapter.package;
  const packageFolder = join(folder, "node_modules", name);
  if ((await readManifest(packageFolder))?.version !== version) {
    await mkdir(folder, {recursive: true});
    const spec = `${name}@${version}`;
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
    const {exit, stderr} = await run(
      // Not in the checkout: its .npmrc could name another registry.
      {argv: ["npm", "install", "--prefix", folder, ...flags, spec], cwd: folder, env: environment},
      {timeoutMs: INSTALL_MS, isolation, ...(sandbox && {sandbox}), ...(signal && {signal})},
    );
    if (exit.kind !== "exited" || exit.code !== 0) {
      const detail = exit.kind === "not-started" ? exit.message : stderr.head || `it ended as "${exit.kind}"`;
      return unavailable(adapter.package, `npm could not install ${spec}: ${detail.trim().slice(0, 500)}`);
    }
  }
  const entry = entries.map((path) => join(folder, "node_modules", path)).find((path) => existsSync(path));
  if (entry !== undefined) return ok(await commandFor(entry));
  const {bin: programs = {}} = (await readManifest(packageFolder)) ?? {};
  const file = typeof programs === "string" ? programs : programs[bin];
  return file === undefined
    ? unavailable(adapter.package, `${name} was installed, but has no program named "${bin}"`)
    : ok([process.execPath, join(packageFolder, file)]);
}

async function commandFor(file: string): Promise<Program> {
  const target = await realpath(file);
  const handle = await open(target).catch(() => null);
  if (handle === null) return [file];
  try {
    const {buffer, bytesRead} = await handle.read(Buffer.alloc(128), 0, 128, 0);
    const [firstLine = ""] = buffer.toString("latin1", 0, bytesRead).split("\n");
    return /^#!.*\bnode\b/.test(firstLine) ? [process.execPath, target] : [file];
  } finally {
    await handle.close();
  }
}

async function readManifest(folder: string): Promise<z.infer<typeof packageSchema> | null> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  return text === null ? null : (packageSchema.safeParse(parse(text)).data ?? null);
}

function unavailable(
  {name, version}: {readonly name: string; readonly version: string},
  reason: string,
): Result<never, Failure> {
  const next = `Put npm on the PATH (actions/setup-node), or install the agent in an earlier step: npm install -g ${name}@${version}`;
  return refused({kind: "agent-unavailable", message: `${reason}. ${next}`});
}
