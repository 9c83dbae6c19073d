/** What the machine has compiled before: stages read it, the base's stages add to it for candidates, and nobody writes to it. */
import {mkdir, mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openCheckouts} from "../../../src/engine/checkout/checkout.ts";
import {chooseSandbox} from "../../../src/engine/isolation/choose-sandbox.ts";
import {stageHome} from "../../../src/engine/isolation/home.ts";
import {runStage, type StageEnvironment} from "../../../src/engine/stage/stage.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {git} from "../../rig/git.ts";
import {stageOf} from "../verify/workshop.ts";

const {signal} = new AbortController();
let folder: string;
beforeAll(async () => {
  // Every sandbox has a temporary folder of its own, so this one is elsewhere.
  folder = await mkdtemp(join(import.meta.dirname, "../../../node_modules/.assay-build-"));
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));
const fence = await chooseSandbox({sandbox: "auto", network: "all", folder: import.meta.dirname});
const canShare = fence.confines && fence.overlays;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, text);
}

/** A stand-in for Go: it is asked to make what its tests gave count no more. */
const GO = "#!/bin/sh\ntrue\n";

async function openShop(name: string, makefile: string, file = "a.go") {
  const at = (path: string) => join(folder, name, path);
  await write(at("home/.cache/go-build/00/entry"), "machine\n");
  await write(at("origin/bin/go"), GO);
  await write(at("origin/Makefile"), makefile);
  await write(at(`origin/${file}`), "");
  await git(folder, ["init", "-q", at("origin")]);
  await git(at("origin"), ["add", "-A"]);
  await git(at("origin"), ["update-index", "--chmod=+x", "bin/go"]);
  await git(at("origin"), ["commit", "-q", "-m", "First"]);
  const commit = await git(at("origin"), ["rev-parse", "HEAD"]);
  const source = {kind: "local", folder: at("origin")} as const;
  const opened = await openRepository({folder: at("bot.git"), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  await opened.value.fetch(commit);
  const variables = {PATH: process.env["PATH"]};
  const checkouts = openCheckouts({
    ...{folder: at("checkouts"), repository: opened.value, base: commit, setup: [], isolation: fence, signal},
    dependencies: {kind: "install"},
    home: stageHome({realHome: at("home"), variables, isolation: fence, private: []}),
    onEvent: () => undefined,
  });
  return {
    machines: () => readFile(at("home/.cache/go-build/00/entry"), "utf8"),
    async open() {
      const checkout = await checkouts.open({commit, changes: []});
      if (!checkout.ok) throw new Error("no checkout");
      return checkout.value;
    },
  };
}

async function run(surroundings: StageEnvironment, command: string): Promise<string> {
  const ran = await runStage(stageOf({name: "build", kind: "build", command, path: ["bin"]}), surroundings);
  return `${ran.output?.head}${ran.output?.tail}`;
}

test.skipIf(!canShare)("a stage reads the machine's cache under the base's, and writes to neither", async () => {
  const {open, machines} = await openShop("plain", "test:\n\tgo test ./...\n");
  const before = Date.now();
  const base = await open();
  const build = "cd ~/.cache/go-build && cat 00/entry testexpire.txt && mkdir 01 && echo base > 01/entry";
  const [entry, expires] = (await run(base.environment, build)).split("\n");
  expect(entry).toBe("machine");
  // What tests gave before this is not taken from the cache.
  expect(Number(expires)).toBeGreaterThanOrEqual(before * 1e6);
  await base.saveCaches(stageOf({name: "build", kind: "build", command: build, path: ["bin"]}), signal);
  for (let attempt = 0; attempt < 2; attempt++) {
    const {environment: surroundings} = await open();
    const poison = "cd ~/.cache/go-build && cat 00/entry 01/entry; echo poison | tee 00/entry 01/entry";
    expect(await run(surroundings, poison)).toBe("machine\nbase\npoison\n");
  }
  expect(await machines()).toBe("machine\n");
});

test.skipIf(!canShare)("the machine's cache is not read where the base speaks of -trimpath", async () => {
  const {open} = await openShop("trim", "test:\n\tgo test -trimpath ./...\n");
  expect(await run((await open()).environment, "cat ~/.cache/go-build/00/entry || echo none")).toContain("none");
});

test.skipIf(!canShare)("a project without Go does not get the machine's cache", async () => {
  const {open} = await openShop("other", "test:\n\ttrue\n", "a.js");
  expect(await run((await open()).environment, "cat ~/.cache/go-build/00/entry || echo none")).toContain("none");
});
