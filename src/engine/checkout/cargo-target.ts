/** Lists the files below Cargo's `target` that were built only from dependencies, not from code of the checkout. */
import {readdir, readFile} from "node:fs/promises";
import {isAbsolute, join} from "node:path";
import {parse} from "smol-toml";
import {z} from "zod";
import {isBelow} from "../../process/mounts.ts";
import {filesBelow} from "./folders.ts";

const lockSchema = z.object({package: z.array(z.object({name: z.string(), source: z.string().optional()}))});

/** `<name>-<hash>`: Cargo's name for the files of one package. Any other layout is ignored. */
const UNIT = /^(.+)-[0-9a-f]{16}$/;

interface TargetFolder {
  readonly checkout: string;
  readonly cwd: string;
  /** `target` */
  readonly folder: string;
}

/**
 * Cargo regards a package of the checkout as unchanged if its sources are older than its build. All files of a checkout
 * that was made before the base's build ended are older. So nothing that the base built from its own code may be copied
 * there, and the copied files are selected. In `deps` these are the files that, by the compiler's own `.d` files, were
 * built only from files outside the checkout; that excludes vendored crates. In `.fingerprint` and `build`, which
 * record what is fresh, these are the files of packages whose source in Cargo.lock is a registry or git. Cargo
 * identifies those by version and checksum, or by commit, and rebuilds a package that has a record without files or
 * files without a record. If a dependency's build script reads files that it does not declare, Assay misses that just
 * as Cargo does.
 */
export async function listDependencies({checkout, cwd, folder}: TargetFolder): Promise<string[]> {
  const names = externalPackages(await readFile(join(checkout, cwd, "Cargo.lock"), "utf8").catch(() => ""));
  if (names.size === 0) return [];
  const files: string[] = [];
  for (const profile of await profilesOf(folder)) {
    files.push(...(await externalBuilds({checkout, folder, profile})));
    for (const kind of [".fingerprint", "build"]) {
      const units = await namesIn(join(folder, profile, kind));
      for (const unit of units.filter((name) => names.has(UNIT.exec(name)?.[1] ?? ""))) {
        const paths = await filesBelow(join(folder, profile, kind, unit));
        files.push(...paths.map((path) => join(profile, kind, unit, path)));
      }
    }
  }
  return files;
}

/** Package names that Cargo.lock lists only with a source. */
function externalPackages(lock: string): Set<string> {
  const packages = lockSchema.safeParse(parseToml(lock)).data?.package ?? [];
  const local = new Set(packages.filter(({source}) => source === undefined).map(({name}) => name));
  return new Set(packages.map(({name}) => name).filter((name) => !local.has(name)));
}

function parseToml(toml: string): unknown {
  try {
    return parse(toml);
  } catch {
    return null;
  }
}

/** `debug`, `release` and so on, also below the folder of a target triple. */
async function profilesOf(target: string): Promise<string[]> {
  const outer = await namesIn(target);
  const inner = await Promise.all(
    outer.map(async (name) => (await namesIn(join(target, name))).map((child) => join(name, child))),
  );
  const profiles: string[] = [];
  for (const path of [...outer, ...inner.flat()]) {
    if ((await namesIn(join(target, path))).includes(".fingerprint")) profiles.push(path);
  }
  return profiles;
}

async function externalBuilds(options: {checkout: string; folder: string; profile: string}): Promise<string[]> {
  const names = await namesIn(join(options.folder, options.profile, "deps"));
  const external = new Set<string>();
  for (const name of names.filter((one) => one.endsWith(".d"))) {
    const sources = sourcesIn(await readFile(join(options.folder, options.profile, "deps", name), "utf8"));
    const isLocal = (path: string) =>
      !isAbsolute(path) || (isBelow(path, options.checkout) && !isBelow(path, options.folder));
    if (sources.length > 0 && !sources.some(isLocal)) external.add(name.slice(0, -2));
  }
  const stemOf = (name: string): string => name.split(".")[0] ?? name;
  const isExternal = (name: string) =>
    [stemOf(name), stemOf(name.replace(/^lib/, ""))].some((stem) => external.has(stem));
  return names.filter(isExternal).map((name) => join(options.profile, "deps", name));
}

/** The paths after the colons of a makefile, with a space in a path as `\ ` (rustc, `--emit dep-info`). */
function sourcesIn(text: string): string[] {
  const rules = text.split("\n").filter((line) => !line.startsWith("#"));
  const lists = rules.map((line) => line.slice(line.indexOf(": ") + 1 || line.length));
  return lists.flatMap((list) => list.match(/(?:\\.|\S)+/g) ?? []).map((path) => path.replaceAll("\\ ", " "));
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
