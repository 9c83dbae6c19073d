/** Which packages of a workspace a change is about: those whose manifests lie closest above its files, in the base. */
import {posix} from "node:path";
import {parse} from "smol-toml";
import type {Repository} from "../../git/repository.ts";
import type {PackageNarrowing} from "../../tools/tool.ts";

/** A package's manifest: Cargo calls its packages by the name in it, the others by the folder that it is in. */
export type Manifest = PackageNarrowing["manifest"];

const MOST_BYTES = 1_000_000;

/**
 * Takes files of the repository and the folder of a workspace's root. Gives the packages' names for Cargo, and for the others
 * their folders, relative to the root. Empty where one file belongs to none, or to the root itself: then all may be concerned.
 */
export async function packagesOf(o: {
  files: readonly string[];
  root: string;
  manifest: Manifest;
  base: string;
  readText: Repository["readText"];
}): Promise<string[]> {
  const found = new Set<string>();
  // Of a crate only its sources count: what else lies around is read by no build of it.
  for (const file of o.files.filter((path) => o.manifest !== "Cargo.toml" || path.endsWith(".rs"))) {
    const name = await packageOf({...o, file});
    if (name === null) return [];
    found.add(name);
  }
  return [...found];
}

async function packageOf(o: {
  file: string;
  root: string;
  manifest: Manifest;
  base: string;
  readText: Repository["readText"];
}): Promise<string | null> {
  for (let folder = posix.dirname(o.file); ; folder = posix.dirname(folder)) {
    const isRoot = folder === o.root || folder === ".";
    if (isRoot && o.manifest !== "Cargo.toml") return null;
    const manifest = await o.readText(o.base, posix.join(folder, o.manifest), {maxBytes: MOST_BYTES});
    if (!manifest.ok) return null;
    if (manifest.value !== null)
      return o.manifest === "Cargo.toml" ? crateIn(manifest.value) : posix.relative(o.root, folder);
    if (isRoot) return null;
  }
}

function crateIn(manifest: string): string | null {
  try {
    const name: unknown = Object(parse(manifest)["package"]).name;
    return typeof name === "string" && /^[\w-]+$/.test(name) ? name : null;
  } catch {
    return null;
  }
}
