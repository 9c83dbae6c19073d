/** Finds the agent's command line, or installs it at its pinned version into the runner's temporary folder. */
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
export type Program = readonly [string, ...string[]];

/**
 * A program of that name on the PATH is taken as it is; else the pinned package is installed into `folder` (once) with
 * its install scripts off. A program that is a Node script runs on the Node of this process, as the PATH's may be older
 * than the agent needs. Fails as `agent-unavailable`, with what to do.
 */
export async function findAgent(o: {
  adapter: Adapter;
  /** what npm is started with, and whose PATH is searched: absolute folders only */
  environment: Readonly<Record<string, string>>;
  folder: string;
  isolation: Isolation;
  /** what npm may see and write */
  sandbox: Sandbox | null;
  signal?: AbortSignal;
}): Promise<Result<Program, Failure>> {
  const {name, version, bin} = o.adapter.package;
  const found = findProgram(bin, {cwd: o.folder, path: o.environment["PATH"] ?? ""});
  if (found !== null) return ok(await startOf(found));
  const here = join(o.folder, "node_modules", name);
  if ((await installed(here))?.version !== version) {
    await mkdir(o.folder, {recursive: true});
    const wanted = `${name}@${version}`;
    const ran = await run(
      {
        argv: [
          "npm",
          "install",
          "--prefix",
          o.folder,
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--no-update-notifier",
          wanted,
        ],
        // Not the checkout: its .npmrc could name another registry.
        cwd: o.folder,
        env: o.environment,
      },
      {
        timeoutMs: INSTALL_MS,
        isolation: o.isolation,
        ...(o.sandbox && {sandbox: o.sandbox}),
        ...(o.signal && {signal: o.signal}),
      },
    );
    if (ran.exit.kind !== "exited" || ran.exit.code !== 0) {
      const detail =
        ran.exit.kind === "not-started" ? ran.exit.message : ran.stderr.head || `it ended as "${ran.exit.kind}"`;
      return unavailable(o.adapter, `npm could not install ${wanted}: ${detail.trim().slice(0, 500)}`);
    }
  }
  const file = programOf(await installed(here), bin);
  return file === null
    ? unavailable(o.adapter, `${name} was installed, but has no program named "${bin}"`)
    : ok([process.execPath, join(here, file)]);
}

async function startOf(file: string): Promise<Program> {
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

async function installed(folder: string): Promise<z.infer<typeof packageSchema> | null> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  return text === null ? null : (packageSchema.safeParse(parse(text)).data ?? null);
}

function programOf(manifest: z.infer<typeof packageSchema> | null, bin: string): string | null {
  if (manifest === null) return null;
  return typeof manifest.bin === "string" ? manifest.bin : (manifest.bin[bin] ?? null);
}

function unavailable(adapter: Adapter, what: string): Result<never, Failure> {
  const {name, version} = adapter.package;
  const next = `Put npm on the PATH (actions/setup-node), or install the agent in an earlier step: npm install -g ${name}@${version}`;
  return refused({kind: "agent-unavailable", message: `${what}. ${next}`});
}
