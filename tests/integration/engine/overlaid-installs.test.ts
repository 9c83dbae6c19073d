/** Checkouts see installed folders through overlays: no copy, and nothing that a stage writes reaches another checkout. */
import {existsSync, readdirSync} from "node:fs";
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from "node:fs/promises";
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
  folder = await mkdtemp(join(import.meta.dirname, "../../../node_modules/.assay-overlaid-"));
});
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));
const isolation = await chooseSandbox({sandbox: "auto", network: "all", folder: import.meta.dirname});
const withOverlays = test.skipIf(!isolation.overlays);

async function run(environment: StageEnvironment, command: string, tools: string[] = []): Promise<string> {
  const stage = stageOf({name: "test", kind: "check", command, path: ["node_modules/.bin"]});
  const needed = tools.map((name) => ({name, hint: "install it"}));
  const result = await runStage({...stage, tools: needed}, environment);
  return result.output === null ? result.reason : `${result.output.head}${result.output.tail}`;
}

/** A working folder with installed dependencies, whose repository has these files. */
async function openFolder(name: string, files: Readonly<Record<string, string>>, installed = true) {
  const at = (path: string) => join(folder, name, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), {recursive: true});
    await writeFile(at(path), text, {mode: 0o755});
  };
  await git(folder, ["init", "-q", at("work")]);
  await write("work/.gitignore", "node_modules\n");
  for (const [path, text] of Object.entries(files)) await write(`work/${path}`, text);
  await git(at("work"), ["add", "-A"]);
  await git(at("work"), ["commit", "-q", "-m", "First"]);
  const install = ["node_modules/dep/index.js", "packages/a/node_modules/inner/index.js"];
  if (installed) for (const path of install) await write(`work/${path}`, "installed\n");
  if (installed) await write("work/node_modules/.bin/own-tool", "#!/bin/sh\necho own tool\n");
  const base = await git(at("work"), ["rev-parse", "HEAD"]);
  const source = {kind: "local", folder: at("work")} as const;
  const opened = await openRepository({folder: at("bot.git"), source, variables: process.env});
  if (!opened.ok) throw new Error("no repository");
  const command = "mkdir -p node_modules/dep && echo installed > node_modules/dep/index.js";
  const provides = ["node_modules", "packages/a/node_modules"];
  const setup = {command, cwd: ".", timeout: 60, inputs: ["lock"], provides, tools: []};
  const checkouts = openCheckouts({
    ...{folder: at("checkouts"), repository: opened.value, base, isolation, signal},
    setup: [{...setup, origin: {file: "verify.json", key: "setup", why: ""}}],
    dependencies: installed ? {kind: "folder", folder: at("work")} : {kind: "install"},
    home: stageHome({realHome: at("home"), variables: {PATH: process.env["PATH"]}, isolation, private: []}),
    onEvent: () => undefined,
  });
  return {
    at,
    /** a commit with a link in the place of a folder, that the working folder has not checked out */
    async commitLink(path: string, target: string) {
      await git(folder, ["clone", "-q", at("work"), at("clone")]);
      await rm(at(`clone/${path}`), {recursive: true});
      await symlink(target, at(`clone/${path}`));
      await git(at("clone"), ["add", "-A"]);
      await git(at("clone"), ["commit", "-q", "-m", "Link"]);
      await git(at("work"), ["fetch", "-q", at("clone"), "HEAD"]);
      return git(at("clone"), ["rev-parse", "HEAD"]);
    },
    async open(commit = base) {
      const checkout = await checkouts.open({commit, changes: []});
      if (!checkout.ok) throw new Error("no checkout");
      return checkout.value.environment;
    },
  };
}

const FILES = {"packages/a/a.js": "a\n"};
const copiedTo = (environment: StageEnvironment) => existsSync(join(environment.folder, "node_modules/dep"));

withOverlays("a stage reads and writes the install, and only its own checkout sees what it wrote", async () => {
  const {at, open} = await openFolder("plain", FILES);
  const first = await open();
  expect(copiedTo(first)).toBe(false);
  const read = "cat node_modules/dep/index.js packages/a/node_modules/inner/index.js; ls node_modules";
  expect(await run(first, read)).toBe("installed\ninstalled\ndep\n");
  await run(first, "echo poison | tee node_modules/dep/index.js node_modules/new; rm -r packages/a/node_modules/inner");
  expect(await run(first, "cat node_modules/dep/index.js node_modules/new; ls packages/a/node_modules")).toBe(
    "poison\npoison\n",
  );
  expect(await run(await open(), read)).toBe("installed\ninstalled\ndep\n");
  expect(await readFile(at("work/node_modules/dep/index.js"), "utf8")).toBe("installed\n");
  expect(readdirSync(at("work/node_modules"))).toEqual([".bin", "dep"]);
});

withOverlays("programs of the install are found, and others of its kind are still missed", async () => {
  const environment = await (await openFolder("programs", FILES)).open();
  expect(await run(environment, "own-tool", ["own-tool"])).toBe("own tool\n");
  expect(await run(environment, "eslint .")).toContain("is not in the project's environment");
});

withOverlays("two stages at once do not write into the same layer", async () => {
  const environment = await (await openFolder("both", FILES)).open();
  const slow = run(environment, "echo slow > node_modules/slow; sleep 1; ls node_modules");
  const fast = run(environment, "sleep 0.5; echo fast > node_modules/fast; ls node_modules");
  expect(await Promise.all([slow, fast])).toEqual(["dep\nslow\n", "dep\nfast\n"]);
});

withOverlays("the install of a base is shared in the same way", async () => {
  const {open} = await openFolder("base", FILES, false);
  const environment = await open();
  expect(copiedTo(environment)).toBe(false);
  expect(await run(environment, "cat node_modules/dep/index.js")).toBe("installed\n");
});

withOverlays.each([
  ["package.json", '{"scripts": {"clean": "rm -rf dist node_modules"}}'],
  ["test.sh", "git clean -fdx\n"],
])("a base that removes the folder in %s gets a copy, which can be removed", async (path, text) => {
  const environment = await (await openFolder(`removed-in-${path}`, {...FILES, [path]: text})).open();
  expect(copiedTo(environment)).toBe(true);
  expect(await run(environment, "rm -r node_modules; ls")).toContain("packages");
});

withOverlays("a link of the candidate in the way is no place for an overlay", async () => {
  const {at, open, commitLink} = await openFolder("linked", {...FILES, "lib/b.js": "b\n"});
  const candidate = await commitLink("packages/a", "../lib");
  const environment = await open(candidate);
  expect(existsSync(join(environment.folder, "lib/node_modules/inner/index.js"))).toBe(true);
  expect(existsSync(at("work/lib/node_modules"))).toBe(false);
});

withOverlays("what a leaf writes into the install is gone for later stages, what a build writes is not", async () => {
  const checkout = await (await openFolder("leaf", FILES)).open();
  const leaf = {...checkout, isLeaf: true};
  expect(await run(checkout, "echo built > node_modules/dep/built.js; cat node_modules/dep/built.js")).toBe("built\n");
  const poison = "echo poison > node_modules/dep/index.js; rm node_modules/dep/built.js; cat node_modules/dep/index.js";
  expect(await run(leaf, poison)).toBe("poison\n");
  const read = "cat node_modules/dep/index.js node_modules/dep/built.js";
  expect(await run(leaf, read)).toBe("installed\nbuilt\n");
  expect(await run(checkout, read)).toBe("installed\nbuilt\n");
});
