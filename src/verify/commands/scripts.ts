/** Reads the scripts of a project's package.json, which its commands may call. */
import {readFile} from "node:fs/promises";
import {join, posix} from "node:path";
import type {Repository} from "../../git/repository.ts";
import type {PackageScripts} from "../../shell/started-script.ts";

const MANIFEST_BYTES = 1_000_000;

/** The scripts in a commit; empty if the file is missing or cannot be read. */
export async function scriptsAt(o: {repository: Repository; commit: string; cwd: string}): Promise<PackageScripts> {
  const path = posix.join(o.cwd, "package.json");
  const manifest = await o.repository.readText(o.commit, path, {maxBytes: MANIFEST_BYTES});
  return manifest.ok ? scriptsIn(manifest.value ?? "") : {};
}

/** The scripts in a developer's own folder. */
export async function scriptsOf(folder: string): Promise<PackageScripts> {
  return scriptsIn(await readFile(join(folder, "package.json"), "utf8").catch(() => ""));
}

function scriptsIn(manifest: string): PackageScripts {
  const scripts: unknown = parseObject(manifest)?.["scripts"];
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(Object.entries(scripts).filter(([, body]) => typeof body === "string"));
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null; // invalid JSON has no scripts
  }
}
