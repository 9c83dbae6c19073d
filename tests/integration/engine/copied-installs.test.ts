/** Each checkout gets a copy of the install, and no two checkouts share a file. */
import {mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openCheckouts} from "../../../src/engine/checkout/checkout.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {git} from "../../rig/git.ts";
import {PLAIN_HOME} from "../verify/workshop.ts";

let folder: string;
let base: string;
let odd: string;
let linked: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-copied-"));
  await git(folder, ["init", "-q", "origin"]);
  const origin = join(folder, "origin");
  await mkdir(join(origin, "pkg"));
  await writeFile(join(origin, "pkg/own.txt"), "tracked\n");
  await git(origin, ["add", "-A"]);
  await git(origin, ["commit", "-q", "-m", "First"]);
  base = await git(origin, ["rev-parse", "HEAD"]);
  await mkdir(join(origin, "deps"));
  await writeFile(join(origin, "deps/own.txt"), "tracked\n");
  await git(origin, ["add", "-A"]);
  await git(origin, ["commit", "-q", "-m", "Tracks a file where the install puts its own"]);
  odd = await git(origin, ["rev-parse", "HEAD"]);
  await rm(join(origin, "pkg"), {recursive: true});
  await mkdir(join(folder, "outside"));
  await symlink(join(folder, "outside"), join(origin, "pkg"));
  await git(origin, ["add", "-A"]);
  await git(origin, ["commit", "-q", "-m", "Puts a link where the install has a folder"]);
  linked = await git(origin, ["rev-parse", "HEAD"]);
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));

async function openShop(name: string) {
  const source = {kind: "local", folder: join(folder, "origin")} as const;
  const opened = await openRepository({folder: join(folder, `${name}.git`), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  for (const commit of [base, odd, linked]) await opened.value.fetch(commit);
  const origin = {file: "verify.json", key: "setup", why: ""};
  const command = "mkdir -p deps pkg/inner/deps && echo installed | tee deps/a.txt > pkg/inner/deps/a.txt";
  const checkouts = openCheckouts({
    ...{folder: join(folder, name), repository: opened.value, base, dependencies: {kind: "install"}},
    setup: [{command, cwd: ".", timeout: 60, inputs: [], provides: ["deps"], tools: [], origin}],
    home: PLAIN_HOME,
    isolation: {level: "degraded", network: "all", refusal: null, confines: false, overlays: false, warning: null},
    ...{signal: new AbortController().signal, onEvent: () => undefined},
  });
  return {
    checkouts,
    async open(commit: string): Promise<string> {
      const checkout = await checkouts.open({commit, changes: []});
      if (!checkout.ok) throw new Error("no checkout");
      return checkout.value.environment.folder;
    },
  };
}
const read = (root: string, name = "a.txt") => readFile(join(root, "deps", name), "utf8");

test("what a checkout writes into its install reaches no other", async () => {
  const {open} = await openShop("taken");
  const one = await open(base);
  await writeFile(join(one, "deps/a.txt"), "poison\n");
  expect([await read(one), await read(await open(base))]).toEqual(["poison\n", "installed\n"]);
  expect(await readFile(join(folder, "taken/base/deps/a.txt"), "utf8")).toBe("installed\n");
});

test("what the commit tracks in the same folder stays, beside the install", async () => {
  const {open} = await openShop("tracked");
  const root = await open(odd);
  expect([await read(root), await read(root, "own.txt")]).toEqual(["installed\n", "tracked\n"]);
});

test("a link of the commit leads no copy out of the checkout", async () => {
  const {checkouts} = await openShop("linked");
  const opened = await checkouts.open({commit: linked, changes: []});
  expect(await readdir(join(folder, "outside"))).toEqual([]);
  expect(opened).toMatchObject({ok: false, failure: {message: expect.stringContaining("leads out of the checkout")}});
});
