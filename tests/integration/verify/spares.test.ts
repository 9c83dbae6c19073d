/** Copies that are made ahead are taken in place of new ones, and no two checkouts share a file. */
import {mkdir, mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openRepository} from "../../../src/git/repository.ts";
import {openCheckouts} from "../../../src/verify/checkout/checkout.ts";
import {git} from "../../rig/git.ts";
import {PLAIN_HOME} from "./workshop.ts";

let folder: string;
let base: string;
let odd: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-spares-"));
  await git(folder, ["init", "-q", "origin"]);
  const origin = join(folder, "origin");
  await git(origin, ["commit", "-q", "--allow-empty", "-m", "First"]);
  base = await git(origin, ["rev-parse", "HEAD"]);
  await mkdir(join(origin, "deps"));
  await writeFile(join(origin, "deps/own.txt"), "tracked\n");
  await git(origin, ["add", "-A"]);
  await git(origin, ["commit", "-q", "-m", "Tracks a file where the install puts its own"]);
  odd = await git(origin, ["rev-parse", "HEAD"]);
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));

async function openShop(name: string) {
  const source = {kind: "local", folder: join(folder, "origin")} as const;
  const opened = await openRepository({folder: join(folder, `${name}.git`), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  for (const commit of [base, odd]) await opened.value.fetch(commit);
  const origin = {file: "verify.json", key: "setup", why: ""};
  const command = "mkdir deps && echo installed > deps/a.txt";
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

test("a checkout takes a spare, then copies again, and what it writes reaches no other", async () => {
  const {checkouts, open} = await openShop("taken");
  await checkouts.prepare({count: 2, signal: new AbortController().signal});
  // Whoever copies after this sees it, so that a spare can be told from a copy.
  await writeFile(join(folder, "taken/base/deps/a.txt"), "later\n");
  const one = await open(base);
  await writeFile(join(one, "deps/a.txt"), "poison\n");
  const [two, three] = [await open(base), await open(base)];
  expect([await read(two), await read(three)]).toEqual(["installed\n", "later\n"]);
});

test("what the commit tracks in the same folder stays, beside the install", async () => {
  const {checkouts, open} = await openShop("tracked");
  await checkouts.prepare({count: 1, signal: new AbortController().signal});
  const root = await open(odd);
  expect([await read(root), await read(root, "own.txt")]).toEqual(["installed\n", "tracked\n"]);
});

test("what was cut short is no spare", async () => {
  const {checkouts, open} = await openShop("cut");
  await checkouts.prepare({count: 2, signal: AbortSignal.abort()});
  await writeFile(join(folder, "cut/base/deps/a.txt"), "later\n");
  expect(await read(await open(base))).toBe("later\n");
});
