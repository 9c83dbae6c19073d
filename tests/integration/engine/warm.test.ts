/** What the base leaves in its caches reaches each candidate as a copy of its own, and nothing of a candidate reaches the next. */
import {lstat, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {openCheckouts} from "../../../src/engine/checkout/checkout.ts";
import {openDependencyCache} from "../../../src/engine/checkout/dependency-cache.ts";
import {runStage, type StageEnvironment} from "../../../src/engine/stage/stage.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {probeIsolation} from "../../../src/process/isolation.ts";
import {git} from "../../rig/git.ts";
import {PLAIN_HOME, stageOf} from "../verify/workshop.ts";

const isolation = await probeIsolation();
const {signal} = new AbortController();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-warm-"));
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), text, {mode: path.startsWith("bin/") ? 0o755 : 0o644});
  }
}
const read = (path: string) => readFile(path, "utf8").catch(() => null);

/** A stand-in for Go, so that this needs none: what it is asked for is what the real one is asked for elsewhere. */
const GO = "#!/bin/sh\nif [ $1 = clean ]; then echo 1 > $HOME/.cache/go-build/testexpire.txt; fi\n";
const ENTRY = "$HOME/.cache/go-build/00/entry";

/** A repository with one commit, and its checkouts. `run` gives what a command prints in one. */
async function openShop(name: string, files: Readonly<Record<string, string>> = {}) {
  const origin = join(folder, `${name}-origin`);
  await git(folder, ["init", "-q", origin]);
  await write(origin, {"bin/go": GO, ...files});
  await git(origin, ["add", "-A"]);
  await git(origin, ["commit", "-q", "-m", "First"]);
  const commit = await git(origin, ["rev-parse", "HEAD"]);
  const source = {kind: "local", folder: origin} as const;
  const opened = await openRepository({folder: join(folder, `${name}.git`), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  await opened.value.fetch(commit);
  const checkouts = openCheckouts({
    ...{folder: join(folder, name), repository: opened.value, base: commit, dependencies: {kind: "install"}, setup: []},
    home: PLAIN_HOME,
    isolation: {level: isolation, network: "all", refusal: null, confines: false, overlays: false, warning: null},
    ...{signal, onEvent: () => undefined},
  });
  const open = async () => {
    const checkout = await checkouts.open({commit, changes: []});
    if (!checkout.ok) throw new Error("no checkout");
    return checkout.value;
  };
  const stage = stageOf({name: "build", kind: "build", command: `mkdir -p $(dirname ${ENTRY}); echo base > ${ENTRY}`});
  return {
    open,
    /** what the base does before the candidates come */
    async warmUp(): Promise<void> {
      const base = await open();
      expect((await runStage(stage, base.environment)).outcome).toBe("passed");
      await base.saveCaches(stage, signal);
    },
    async run(surroundings: StageEnvironment, command: string): Promise<string> {
      const ran = await runStage(stageOf({name: "test", kind: "check", command}), surroundings);
      return `${ran.output?.head}${ran.output?.tail}`;
    },
  };
}

test("a candidate finds what the base built, and what it writes there reaches no other", async () => {
  const {open, warmUp, run} = await openShop("hostile");
  await warmUp();
  for (let attempt = 0; attempt < 3; attempt++) {
    const {environment: surroundings, openAnother} = await open();
    expect(await run(surroundings, `cat ${ENTRY}; echo poison > ${ENTRY}`)).toBe("base\n");
    const beside = await openAnother?.();
    if (!beside?.ok) throw new Error("no other checkout");
    expect(await run(beside.value, `cat ${ENTRY} $HOME/.cache/go-build/testexpire.txt; echo poison > ${ENTRY}`)).toBe(
      "base\n1\n",
    );
  }
});

describe.skipIf(isolation === "degraded")("behind a process namespace", () => {
  test("a candidate can neither read nor write what the next one gets", async () => {
    const {open, warmUp, run} = await openShop("prying");
    await warmUp();
    const kept = join(folder, "prying/warm");
    const first = await open();
    const hunt = `find ${kept} -type f; for f in $(find ${kept} -name entry); do echo poison > $f; done; touch ${kept}/x; true`;
    expect(await run(first.environment, hunt)).not.toContain("entry");
    expect(await run((await open()).environment, `cat ${ENTRY}`)).toBe("base\n");
  });
});

test.each([
  ["speaks of -trimpath", "flag", {Makefile: "build:\n\tgo build -trimpath ./...\n"}],
  ["has it in Go's settings", "settings", {"bin/go": `${GO}[ $1 != env ] || echo -mod=mod -trim''path\n`}],
  ["cannot make what its tests gave count no more", "clean", {"bin/go": "#!/bin/sh\n[ $1 != clean ]\n"}],
])("Go's cache stays behind where the base %s", async (_, name, files) => {
  const {open, warmUp, run} = await openShop(name, files);
  await warmUp();
  expect(await run((await open()).environment, `cat ${ENTRY} || echo none`)).toContain("none");
});

/** What a base leaves for Cargo, with one dependency. */
const CARGO = {
  "Cargo.lock": '[[package]]\nname = "own"\n\n[[package]]\nname = "dep"\nsource = "registry+x"\n',
  "target/debug/.fingerprint/dep-0123456789abcdef/lib-dep": "fresh",
  "target/debug/deps/dep-0123456789abcdef.d": "x.rlib: /elsewhere/dep/src/lib.rs\n",
  "target/debug/deps/libdep-0123456789abcdef.rlib": "built",
};

async function keepCargo(name: string, more: Readonly<Record<string, string>> = {}, cwd = ".") {
  const [checkout, home] = [join(folder, name, "base"), join(folder, name, "base-home")];
  await mkdir(home, {recursive: true});
  await write(join(checkout, cwd), {...CARGO, ...more});
  const cache = openDependencyCache(join(folder, name, "warm"));
  const keep = (options: {signal?: AbortSignal} = {}) =>
    cache.save({checkout, home, cwd, passes: async () => true, signal, ...options});
  await keep();
  let count = 0;
  const lay = async (prepare: (root: string) => Promise<unknown> = async () => null): Promise<string> => {
    const root = join(folder, name, `checkout-${++count}`);
    await mkdir(join(root, "home"), {recursive: true});
    await prepare(root);
    await cache.restore({checkout: root, home: join(root, "home"), signal});
    return root;
  };
  return {cache, keep, lay, base: checkout};
}
const RLIB = "target/debug/deps/libdep-0123456789abcdef.rlib";

test("of Cargo's target only what was made of files elsewhere goes on, with its times and as files of its own", async () => {
  const {lay, base} = await keepCargo("choice", {
    "target/debug/own": "a program",
    "target/debug/.fingerprint/own-0123456789abcdef/lib-own": "fresh",
    "target/debug/build/own-0123456789abcdef/output": "made",
    "target/debug/deps/own-fedcba9876543210.d": "x.rlib: src/lib.rs /elsewhere/dep/src/lib.rs\n",
    "target/debug/deps/libown-fedcba9876543210.rlib": "own",
    "target/debug/deps/vendored-0123456789abcdee.d": `x.rlib: ${folder}/choice/base/vendor/a\\ b/lib.rs\n`,
    "target/debug/deps/libvendored-0123456789abcdee.rlib": "vendored",
    "target/debug/incremental/own/x": "x",
  });
  const root = await lay();
  expect(await read(join(root, RLIB))).toBe("built");
  for (const path of [
    "debug/own",
    "debug/.fingerprint/own-0123456789abcdef",
    "debug/build",
    "debug/deps/libown-fedcba9876543210.rlib",
    "debug/deps/libvendored-0123456789abcdee.rlib",
    "debug/incremental",
  ]) {
    await expect(lstat(join(root, "target", path)), path).rejects.toThrow("ENOENT");
  }
  const [from, to] = [await lstat(join(base, RLIB), {bigint: true}), await lstat(join(root, RLIB), {bigint: true})];
  expect([to.mtimeNs, to.nlink]).toEqual([from.mtimeNs, 1n]);
  expect(to.ino).not.toBe(from.ino);
});

test("a link or a file of the candidate's in its place is left alone, and nothing is written through it", async () => {
  const {lay, base} = await keepCargo("links");
  const outside = join(folder, "links/outside");
  await mkdir(outside);
  const linked = await lay((root) => symlink(outside, join(root, "target")));
  expect(await read(join(linked, RLIB))).toBeNull();
  const taken = await lay((root) => write(root, {"target/tracked": "own"}));
  expect([await read(join(taken, "target/tracked")), await read(join(taken, RLIB))]).toEqual(["own", null]);
  expect(await read(join(base, RLIB))).toBe("built");

  const below = await keepCargo("links-below", {}, "crates/one");
  expect(
    await read(join(await below.lay((root) => mkdir(join(root, "crates/one"), {recursive: true})), "crates/one", RLIB)),
  ).toBe("built");
  await below.lay((root) => symlink(outside, join(root, "crates")).then(() => mkdir(join(outside, "one"))));
  expect(await read(join(outside, "one", RLIB))).toBeNull();
});

test("a cache over the limit stays behind, and one that was cut short leaves what was kept before", async () => {
  const huge = await keepCargo("huge");
  await write(huge.base, {"target/debug/deps/libdep-0123456789abcdef.rmeta": ""});
  // Without a byte of it on the disk.
  await truncate(join(huge.base, "target/debug/deps/libdep-0123456789abcdef.rmeta"), 1024 ** 3);
  await huge.keep();
  const root = await huge.lay();
  expect(await read(join(root, RLIB))).toBe("built");
  await expect(lstat(join(root, "target/debug/deps/libdep-0123456789abcdef.rmeta"))).rejects.toThrow("ENOENT");

  const cut = await keepCargo("cut");
  await write(cut.base, {[RLIB]: "built anew"});
  await cut.keep({signal: AbortSignal.abort()});
  expect(await read(join(await cut.lay(), RLIB))).toBe("built");
  await cut.keep();
  expect(await read(join(await cut.lay(), RLIB))).toBe("built anew");
});
