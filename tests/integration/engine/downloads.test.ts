/** What an install downloads is read by the stages of every checkout without a copy, and written by none of them. */
import {existsSync} from "node:fs";
import {cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile} from "node:fs/promises";
import {join} from "node:path";
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
  folder = await mkdtemp(join(import.meta.dirname, "../../../node_modules/.assay-downloads-"));
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));
const fence = await chooseSandbox({sandbox: "auto", network: "all", folder: import.meta.dirname});

async function run(surroundings: StageEnvironment, command: string): Promise<string> {
  const ran = await runStage(stageOf({name: "test", kind: "check", command, path: []}), surroundings);
  return `${ran.output?.head}${ran.output?.tail}`;
}

// A restored wheel is not downloaded again.
const INSTALL =
  "[ -e ~/.cache/pip/wheel ] || { mkdir -p ~/.cache/pip ~/.config ~/.cache/ms-playwright/chromium-2 && echo base | tee ~/.cache/pip/wheel ~/.config/tool; }";

/** The machine has a cache of its own, which no stage may see. */
async function openShop(
  name: string,
  given: typeof fence,
  {
    browsers = [],
    restored = null,
    command = INSTALL,
  }: {browsers?: readonly string[]; restored?: string | null; command?: string} = {},
) {
  const at = (path: string) => join(folder, name, path);
  for (const browser of browsers) await mkdir(at(`home/.cache/ms-playwright/${browser}`), {recursive: true});
  await mkdir(at("home/.cache/pip"), {recursive: true});
  await writeFile(at("home/.cache/pip/machine"), "machine\n");
  await git(folder, ["init", "-q", at("origin")]);
  await git(at("origin"), ["commit", "-q", "--allow-empty", "-m", "First"]);
  const commit = await git(at("origin"), ["rev-parse", "HEAD"]);
  const source = {kind: "local", folder: at("origin")} as const;
  const opened = await openRepository({folder: at("bot.git"), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  await opened.value.fetch(commit);
  const setup = {command, cwd: ".", timeout: 60, inputs: ["lock"], provides: [], tools: []};
  const checkouts = openCheckouts({
    ...{folder: at("checkouts"), repository: opened.value, base: commit, isolation: given, signal},
    setup: [{...setup, origin: {file: "verify.json", key: "setup", why: ""}}],
    dependencies: {kind: "install"},
    home: stageHome({
      realHome: at("home"),
      variables: {PATH: process.env["PATH"]},
      isolation: given,
      private: [],
      restored,
    }),
    onEvent: () => undefined,
  });
  return {
    hasBrowser: (home: string) => existsSync(at(`checkouts/${home}/.cache/ms-playwright/chromium-2`)),
    hasCopy: (home: string) => existsSync(at(`checkouts/${home}/.cache/pip/wheel`)),
    save: (to: string) => checkouts.saveDownloads(to),
    async open(changed: string) {
      const checkout = await checkouts.open({commit, changes: [{path: changed, status: "modified"}]});
      if (!checkout.ok) throw new Error("no checkout");
      return checkout.value.environment;
    },
  };
}

const LOOK = "cd ~/.cache/pip && cat wheel ~/.config/tool && ls | tr '\\n' ' '; echo poison | tee wheel new";
const SEEN = "base\nbase\nwheel poison\n";

test.skipIf(!(fence.confines && fence.overlays))("checkouts read the install's downloads without a copy", async () => {
  const {open, hasCopy} = await openShop("shared", fence);
  const first = await open("a.js");
  expect(await run(first, LOOK)).toBe(SEEN);
  expect(await run(await open("a.js"), LOOK)).toBe(SEEN);
  expect([hasCopy("base-home"), hasCopy("checkout-1-home"), hasCopy("checkout-2-home")]).toEqual([false, false, false]);
  // The next command in the same checkout goes on from there.
  expect(await run(first, "cat ~/.cache/pip/wheel ~/.cache/pip/new")).toBe("poison\npoison\n");
});

test.skipIf(!(fence.confines && fence.overlays)).each([
  {machine: "without browsers", browsers: [], seen: "chromium-2\n"},
  {machine: "with a browser", browsers: ["chromium-1"], seen: "chromium-1\nchromium-2\n"},
])("checkouts use installed browsers without a copy, on a machine $machine", async ({machine, browsers, seen}) => {
  const {open, hasBrowser} = await openShop(machine.replaceAll(" ", "-"), fence, {browsers});
  expect(await run(await open("a.js"), "ls ~/.cache/ms-playwright")).toBe(seen);
  expect([hasBrowser("base-home"), hasBrowser("checkout-1-home")]).toEqual([false, false]);
  expect(existsSync(join(folder, machine.replaceAll(" ", "-"), "home/.cache/ms-playwright/chromium-2"))).toBe(false);
});

test.skipIf(!(fence.confines && fence.overlays))("an install of its own adds to the base's downloads", async () => {
  const {open} = await openShop("own", fence);
  const own = await open("lock");
  expect(await run(own, "cat ~/.cache/pip/wheel; ls ~/.cache/pip")).toBe("base\nwheel\n");
});

test.skipIf(!(fence.level === "sandbox" && fence.overlays))("no command sees the layers of an overlay", async () => {
  const {open} = await openShop("layers", fence);
  const command = "cd /run/assay-overlays && ls -A && touch x || cat fstab";
  const output = await run(await open("a.js"), command);
  expect(output).toMatch(/^touch: .*Read-only file system\ncat: fstab: No such file or directory\n$/);
});

test.skipIf(!fence.confines)("without overlays each checkout has a copy", async () => {
  const {open, hasCopy} = await openShop("copied", {...fence, overlays: false});
  expect(await run(await open("a.js"), LOOK)).toBe(SEEN);
  expect(await run(await open("a.js"), LOOK)).toBe(SEEN);
  expect(hasCopy("base-home")).toBe(true);
});

test.skipIf(!(fence.confines && fence.overlays))("a link in place of downloads shows no other folder", async () => {
  const restored = join(folder, "restored-links");
  const secret = join(folder, "elsewhere");
  await mkdir(secret);
  await writeFile(join(secret, "wheel"), "secret\n");
  await mkdir(restored);
  await symlink(secret, join(restored, encodeURIComponent(join(folder, "linked/home/.cache/pip"))));
  const {open} = await openShop("linked", fence, {restored});
  expect(await run(await open("a.js"), "cat ~/.cache/pip/wheel")).toBe("base\n");

  const command = "rm -rf ~/.cache/pip ~/.hex && ln -s / ~/.hex";
  const saving = await openShop("saving-links", fence, {command});
  expect(await saving.save(join(folder, "saved-links"))).toBe(true);
  expect(await readdir(join(folder, "saved-links"))).toEqual([]);
});

test.skipIf(!(fence.confines && fence.overlays))(
  "what one machine saves, another reads, and nothing there writes",
  async () => {
    const home = (name: string) => join(folder, name, "home");
    const saved = join(folder, "saved");
    const first = await openShop("saving", fence);
    expect(await first.save(saved)).toBe(true);
    // The hosted machines have the same home.
    const restored = join(folder, "restored");
    await cp(saved, restored, {recursive: true});
    for (const name of await readdir(restored))
      await rename(
        join(restored, name),
        join(restored, name.replace(encodeURIComponent(home("saving")), encodeURIComponent(home("reading")))),
      );
    const [layer = ""] = (await readdir(restored)).filter((name) => name.endsWith("pip"));
    await writeFile(join(restored, layer, "wheel"), "restored\n");
    const {open} = await openShop("reading", fence, {restored});
    const seen = await run(
      await open("a.js"),
      "cat ~/.cache/pip/wheel; echo poison | tee ~/.cache/pip/wheel ~/.cache/pip/new",
    );
    expect(seen).toBe("restored\npoison\n");
    expect(await run(await open("lock"), "cat ~/.cache/pip/wheel; ls ~/.cache/pip")).toBe("restored\nwheel\n");
    const files = (await readdir(restored, {recursive: true})).filter((path) => path.endsWith("new"));
    expect(files).toEqual([]);
    expect(await readFile(join(restored, layer, "wheel"), "utf8")).toBe("restored\n");
  },
);
