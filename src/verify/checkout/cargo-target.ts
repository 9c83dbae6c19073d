/** Which files below Cargo's `target` belong to dependencies from a registry or from git, and to nothing of the checkout. */
import {readdir, readFile} from "node:fs/promises";
import {isAbsolute, join} from "node:path";
import {parse} from "smol-toml";
import {z} from "zod";
import {filesBelow} from "./folders.ts";

const lockSchema = z.object({package: z.array(z.object({name: z.string(), source: z.string().optional()}))});

/** `<name>-<hash>`, as Cargo names what belongs to one package; any other layout is left alone. */
const UNIT = /^(.+)-[0-9a-f]{16}$/;

/**
 * Cargo takes a package of the checkout for unchanged when its sources are older than what was built of them. A checkout that
 * was made before the base's build ended has only older files, whatever is in them: what the base built of its own code must
 * never lie in it. So nothing is taken out; what is carried is chosen. In `deps` that is what the compiler itself says was
 * made of files outside of the checkout alone (its `.d` files), which leaves out vendored crates too. Of Cargo's notes in
 * `.fingerprint` and `build`, which say what is fresh, it is those of packages that Cargo.lock has from elsewhere only. Cargo
 * knows those by version and checksum, or by commit, and builds anew what has notes and no files, or files and no notes.
 * What a dependency's build script reads without telling Cargo is seen no better here than by Cargo itself.
 */
export async function listDependencies(o: {
  readonly checkout: string;
  readonly cwd: string;
  /** `target` */
  readonly folder: string;
}): Promise<string[]> {
  const names = foreignNames(await readFile(join(o.checkout, o.cwd, "Cargo.lock"), "utf8").catch(() => ""));
  if (names.size === 0) return [];
  const files: string[] = [];
  for (const profile of await profilesOf(o.folder)) {
    files.push(...(await builtElsewhere({...o, profile})));
    for (const notes of [".fingerprint", "build"]) {
      const units = await namesIn(join(o.folder, profile, notes));
      for (const unit of units.filter((name) => names.has(UNIT.exec(name)?.[1] ?? ""))) {
        const found = await filesBelow(join(o.folder, profile, notes, unit));
        files.push(...found.map((path) => join(profile, notes, unit, path)));
      }
    }
  }
  return files;
}

/** Names that Cargo.lock has with a source, and with no other package without one. */
function foreignNames(lock: string): Set<string> {
  const read = lockSchema.safeParse(parsed(lock));
  const packages = read.success ? read.data.package : [];
  const own = new Set(packages.filter(({source}) => source === undefined).map(({name}) => name));
  return new Set(packages.map(({name}) => name).filter((name) => !own.has(name)));
}

function parsed(toml: string): unknown {
  try {
    return parse(toml);
  } catch {
    return null;
  }
}

/** `debug` and its like, also below the folder of a target triple. */
async function profilesOf(target: string): Promise<string[]> {
  const outer = await namesIn(target);
  const inner = await Promise.all(
    outer.map(async (one) => (await namesIn(join(target, one))).map((two) => join(one, two))),
  );
  const profiles: string[] = [];
  for (const path of [...outer, ...inner.flat()]) {
    if ((await namesIn(join(target, path))).includes(".fingerprint")) profiles.push(path);
  }
  return profiles;
}

async function builtElsewhere(o: {checkout: string; folder: string; profile: string}): Promise<string[]> {
  const names = await namesIn(join(o.folder, o.profile, "deps"));
  const foreign = new Set<string>();
  for (const name of names.filter((one) => one.endsWith(".d"))) {
    const sources = sourcesIn(await readFile(join(o.folder, o.profile, "deps", name), "utf8"));
    const isOwn = (path: string) => !isAbsolute(path) || (isBelow(path, o.checkout) && !isBelow(path, o.folder));
    if (sources.length > 0 && !sources.some(isOwn)) foreign.add(name.slice(0, -2));
  }
  const stemOf = (name: string): string => name.split(".")[0] ?? name;
  const isForeign = (name: string) =>
    [stemOf(name), stemOf(name.replace(/^lib/, ""))].some((stem) => foreign.has(stem));
  return names.filter(isForeign).map((name) => join(o.profile, "deps", name));
}

/** What stands behind the colons of a file in make's form, a space in a path as `\ ` (rustc, `--emit dep-info`). */
function sourcesIn(text: string): string[] {
  const rules = text.split("\n").filter((line) => !line.startsWith("#"));
  const behind = rules.map((line) => line.slice(line.indexOf(": ") + 1 || line.length));
  return behind.flatMap((list) => list.match(/(?:\\.|\S)+/g) ?? []).map((path) => path.replaceAll("\\ ", " "));
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
